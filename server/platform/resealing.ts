import type { Database } from './database.ts'
import type { Log } from './log.ts'
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

/**
 * Seals anew, under the first master key, whatever is still sealed under an older one, so that the older one can be
 * taken away. Beside everything else; a row that somebody changes meanwhile is left to them, as they seal under the
 * first key, too. What cannot be opened stays as it is, and is told.
 */
export function startResealing(
  { database, vault, log }: { database: Database; vault: Vault; log: Log },
  columns: readonly SealedColumn[],
): Resealing {
  let isStopped = false

  /** Those after a key, in the order of keys. */
  function olderThan({ table, column, key, owner }: SealedColumn, after: string): Promise<Sealed[]> {
    return database.run(
      (sql) => sql<Sealed[]>`
        SELECT ${sql(key)} AS key, ${sql(owner ?? key)} AS owner, ${sql(column)} AS value FROM ${sql(table)}
        WHERE ${sql(key)} > ${after} AND NOT starts_with(${sql(column)}, ${vault.newestPrefix})
        ORDER BY ${sql(key)} LIMIT ${batchRows}`,
    )
  }

  async function resealRow({ table, column, key, place }: SealedColumn, row: Sealed): Promise<boolean> {
    const where = place(row.key, row.owner)
    try {
      const value = vault.seal(vault.open(row.value, where), where)
      await database.run(
        (sql) => sql`
          UPDATE ${sql(table)} SET ${sql(column)} = ${value}
          WHERE ${sql(key)} = ${row.key} AND ${sql(column)} = ${row.value}`,
      )
      return true
    } catch (error) {
      log.warn('a secret stays sealed under an older master key', { table, key: row.key, error })
      return false
    }
  }

  async function resealColumn(sealed: SealedColumn): Promise<number> {
    let count = 0
    let after = ''
    let rows: Sealed[] = []
    do {
      rows = await olderThan(sealed, after)
      for (const row of rows) {
        if (isStopped) return count
        if (await resealRow(sealed, row)) count++
        after = row.key
      }
    } while (rows.length === batchRows)
    return count
  }

  async function resealAll(): Promise<void> {
    let count = 0
    try {
      for (const column of columns) count += await resealColumn(column)
    } catch (error) {
      log.warn('secrets could not be sealed anew under the first master key; the next start goes on', {
        error,
      })
      return
    }
    if (count > 0) log.info('secrets were sealed anew under the first master key', { count })
  }

  const done = resealAll()
  return {
    done,
    async stop() {
      isStopped = true
      await done
    },
  }
}
