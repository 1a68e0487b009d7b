import type { Database, TransactionSql } from '../platform/database.ts'
import { createIdempotency, hashBy } from '../platform/idempotency/idempotency.ts'
import { createInTurn } from '../platform/in-turn.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/vault.ts'

/** Key of the advisory lock, "admi" in ASCII. Any number that has no other use in this database would do. */
const changeLock = 0x61646d69

/** Waiting and work together; a change waits a second at most for a process that does not answer. */
const deadlineMs = 25_000

/** What was made by a request with an Idempotency-Key. */
export interface KeptCreation {
  readonly item: object
  readonly tag: string
  readonly location: string
}

export interface RepeatableCreation {
  readonly accountId: string
  /** Null: every request makes something anew. */
  readonly idempotencyKey: string | null
  readonly path: string
  readonly body: unknown
}

interface ChangesInTurnParts {
  readonly database: Database
  readonly vault: Vault
  readonly secret: Buffer
  readonly now: () => number
  readonly log: Log
}

export type ChangesInTurn = ReturnType<typeof createChangesInTurn>

/**
 * Changes by REST happen one after another in the whole installation: nothing comes between the comparison of a version and the
 * change, and a repeated request waits for the first one and gets its answer. A change has reached every process before the next
 * begins. What waits in this process holds no connection, and the lock ends with its connection when a process dies.
 */
export function createChangesInTurn({ database, secret, ...parts }: ChangesInTurnParts) {
  // The locks of a transaction end one after another: who has got the lock of changes may still find the other one taken.
  const idempotency = createIdempotency({ ...parts, database, hashOf: hashBy(secret), isWaitedFor: true })
  const waiting = createInTurn()

  const inTurn = <T>(work: (sql: TransactionSql) => Promise<T>): Promise<T> =>
    waiting('', () =>
      database.transaction(async (sql) => {
        await sql`SELECT pg_advisory_xact_lock(${changeLock})`
        return await work(sql)
      }, deadlineMs),
    )

  return {
    change: <T>(work: () => Promise<T>): Promise<T> => inTurn(work),

    /**
     * Makes something once for each Idempotency-Key of an account within a day. Nothing is kept of a request that is refused.
     * Where the process dies between the work and the note of it, a repetition is refused because the name is taken. Fault:
     * `conflict` for another request with the same key.
     */
    create({ accountId, idempotencyKey, path, body }: RepeatableCreation, work: () => Promise<KeptCreation>) {
      const once = idempotency.onceIfKeyed<KeptCreation>(
        idempotencyKey === null
          ? null
          : { accountId, key: idempotencyKey, content: JSON.stringify([path, body]) },
      )
      return inTurn(async (sql) => {
        const earlier = (await once?.earlier(sql)) ?? null
        if (earlier !== null) return earlier
        const made = await work()
        await once?.keep(sql, made)
        return made
      })
    },
  }
}
