import type { Database } from './database.ts'
import { untilAborted } from './deadline.ts'
import type { Log } from './log.ts'
import type { KeyAgreement } from './master-keys.ts'
import type { Vault } from './vault.ts'

/** A column of sealed values that are kept for longer than a sign-in takes. */
export interface SealedColumn {
  readonly table: string
  readonly column: string
  /** The primary key. */
  readonly key: string
  /** Another column that the place of a value names. */
  readonly owner?: string
  place(key: string, owner: string): string
}

export interface Resealing {
  /** Resolves when all is done, or was stopped. */
  readonly done: Promise<void>
  stop(): Promise<void>
}

interface Sealed {
  readonly key: string
  readonly owner: string
  readonly value: string
}

const batchRows = 500

/** Said of one that is to go as of one that is to come: what stands behind the first may be either. */
const sealedAnew =
  'everything is sealed anew under the first master key; the others only open, and nothing is sealed under them: ' +
  'leave out those that are older than the first'

/** How often (ms) is looked whether all processes seal under the first key by now. */
const askAgainMs = 2_000

interface ResealingOptions {
  readonly database: Database
  readonly vault: Vault
  readonly log: Log
  readonly agreement: KeyAgreement
}

/**
 * Seals anew, under the first master key, whatever is still sealed under an older one, so that the older one can be
 * taken away. It begins once all running processes seal under the first key, and is done beside everything else; a row
 * that somebody changes meanwhile is left to them. What cannot be opened stays as it is, and is told.
 */
export function startResealing(options: ResealingOptions, columns: readonly SealedColumn[]): Resealing {
  const { log, agreement, vault } = options
  const stopping = new AbortController()

  /** Returns false when there is to be another attempt. */
  async function attempt(): Promise<boolean> {
    const since = await agreement.agreedAt()
    if (since === null) return false
    const count = await resealAll(options, columns, stopping.signal)
    if (stopping.signal.aborted) return true
    if ((await agreement.agreedAt()) === null || !(await agreement.forgetOthers(since))) return false
    const [seals, ...onlyOpen] = vault.keyIds
    log.info(sealedAnew, { count, seals, onlyOpen })
    return true
  }

  async function untilDone(): Promise<void> {
    for (let hasSaid = false; !stopping.signal.aborted; hasSaid = true) {
      if (await attempt().catch(retryLater)) return
      if (!hasSaid)
        log.info('secrets are sealed anew once every running process has the same first master key')
      await untilAborted(Bun.sleep(askAgainMs), stopping.signal).catch(() => undefined)
    }
  }

  function retryLater(error: unknown): boolean {
    log.warn('secrets could not be sealed anew under the first master key yet', { error })
    return false
  }

  const done = untilDone()
  return {
    done,
    async stop() {
      stopping.abort()
      await done
    },
  }
}

/** Returns how many were sealed anew. Throws what the database throws. */
async function resealAll(
  { database, vault, log }: ResealingOptions,
  columns: readonly SealedColumn[],
  signal: AbortSignal,
): Promise<number> {
  let count = 0

  /** Those after a key, in the order of keys. */
  function olderThan({ table, column, key, owner }: SealedColumn, after: string): Promise<Sealed[]> {
    return database.run(
      (sql) => sql<Sealed[]>`
        SELECT ${sql(key)} AS key, ${sql(owner ?? key)} AS owner, ${sql(column)} AS value FROM ${sql(table)}
        WHERE ${sql(key)} > ${after} AND NOT starts_with(${sql(column)}, ${vault.newestPrefix})
        ORDER BY ${sql(key)} LIMIT ${batchRows}`,
    )
  }

  /** Returns null for what no key opens: to keep an older key would not help. */
  function resealed({ table, place }: SealedColumn, { key, owner, value }: Sealed): string | null {
    try {
      return vault.seal(vault.open(value, place(key, owner)), place(key, owner))
    } catch (error) {
      log.warn('a secret stays sealed under an older master key', { table, key, error })
      return null
    }
  }

  for (const sealed of columns) {
    let rows: Sealed[] = []
    do {
      rows = await olderThan(sealed, rows.at(-1)?.key ?? '')
      for (const row of rows) {
        if (signal.aborted) return count
        const value = resealed(sealed, row)
        if (value === null) continue
        const { table, column, key } = sealed
        await database.run(
          (sql) => sql`
            UPDATE ${sql(table)} SET ${sql(column)} = ${value}
            WHERE ${sql(key)} = ${row.key} AND ${sql(column)} = ${row.value}`,
        )
        count++
      }
    } while (rows.length === batchRows)
  }
  return count
}
