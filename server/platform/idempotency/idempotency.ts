import { createHmac } from 'node:crypto'

import type { Database, TransactionSql } from '../database.ts'
import { fault } from '../fault.ts'
import type { Log } from '../log.ts'
import { createPeriodicJob } from '../periodic-job.ts'
import type { SealedColumn } from '../resealing.ts'
import type { Vault } from '../vault.ts'
import { type KeptAnswer, createAnswerStore } from './answer-store.ts'

/** Makes a change that is asked for again return the answer of the first time. */
export interface Once<Answer> {
  /**
   * Whether the change was made, for what comes before its transaction; one that is under way is not waited for. Fault:
   * `conflict` for another request with the same key.
   */
  wasMade(): Promise<boolean>
  /** Returns null where the change was not made yet. This and all that follow run in the change's transaction. */
  earlier(sql: TransactionSql): Promise<Answer | null>
  keep(sql: TransactionSql, answer: Answer): Promise<void>
  /** Has the change be made again when it is asked for again. */
  forget(sql: TransactionSql): Promise<void>
}

/** A request that its sender may repeat without it being done twice. */
export interface RepeatableRequest {
  readonly accountId: string
  /** What the sender chose for it: the header of `shared/idempotency.ts`. */
  readonly key: string
  /** What is asked for, in one form. */
  readonly content: string
}

export interface IdempotencyOptions {
  readonly database: Database
  readonly vault: Vault
  /** Keyed, as an answer's id must not tell what the sender chose. */
  readonly hashOf: (text: string) => string
  readonly now: () => number
  readonly log: Log
  /** Whether a request waits for the same one that is under way; otherwise it is refused. */
  readonly isWaitedFor: boolean
}

export type Idempotency = ReturnType<typeof createIdempotency>

/** `hashOf` by a secret that all processes have in common. */
export const hashBy =
  (secret: Buffer) =>
  (text: string): string =>
    createHmac('sha256', secret).update(text).digest('hex')

const keptMs = 24 * 3_600_000
const cleanedEveryMs = 600_000
const retryAfterSec = 1

/**
 * Answers are kept for a day in the transaction of the work itself: after a crash either both are there, or neither
 * and the request can be repeated. They hold values of keys, so they are sealed.
 */
export function createIdempotency({ database, vault, hashOf, now, log, isWaitedFor }: IdempotencyOptions) {
  const store = createAnswerStore(database)
  const idOf = ({ accountId, key }: RepeatableRequest): string => hashOf(`${accountId} ${key}`)

  const cleaning = createPeriodicJob(
    cleanedEveryMs,
    () => store.removeOlder(now() - keptMs),
    (error) => log.warn('answers that are kept for a day were not removed', { error }),
  )

  async function earlier(sql: TransactionSql, request: RepeatableRequest): Promise<string | null> {
    const id = idOf(request)
    if (isWaitedFor) await store.waitAndClaim(sql, id)
    else if (!(await store.claim(sql, id))) {
      throw fault('conflict', 'A request with this Idempotency-Key is under way; try again shortly', {
        retryAfterSec,
      })
    }
    const kept = await keptOf(sql, request)
    return kept === null ? null : vault.open(kept.sealedAnswer, placeOf(id))
  }

  async function keptOf(sql: TransactionSql, request: RepeatableRequest): Promise<KeptAnswer | null> {
    const kept = await store.find(sql, idOf(request), now() - keptMs)
    if (kept !== null && kept.requestHash !== hashOf(request.content)) {
      throw fault('conflict', 'This Idempotency-Key was used for another request: use a new one')
    }
    return kept
  }

  /**
   * Makes the work of a request be done once. Faults of `earlier`: `conflict` while the same request is under way, and for
   * another request with the same key.
   */
  const once = <Answer>(request: RepeatableRequest): Once<Answer> => ({
    wasMade: () => database.transaction(async (sql) => (await keptOf(sql, request)) !== null),
    async earlier(sql) {
      const answer = await earlier(sql, request)
      return answer === null ? null : (JSON.parse(answer) as Answer)
    },
    async keep(sql, answer) {
      const id = idOf(request)
      const sealedAnswer = vault.seal(JSON.stringify(answer), placeOf(id))
      await store.keep(sql, id, { requestHash: hashOf(request.content), sealedAnswer }, now())
    },
    forget: (sql) => store.remove(sql, idOf(request)),
  })

  return {
    once,
    /** The same; null for a request without a key of its own. */
    onceIfKeyed: <Answer>(request: RepeatableRequest | null): Once<Answer> | null =>
      request === null ? null : once(request),
    cleaning,
  }
}

const placeOf = (id: string): string => `query_key_answers:${id}`

export const sealedAnswers: SealedColumn = {
  table: 'query_key_answers',
  column: 'answer_sealed',
  key: 'id',
  place: placeOf,
}
