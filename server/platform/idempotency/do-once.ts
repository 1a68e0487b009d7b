import type { Database, TransactionSql } from '../database.ts'
import { fault } from '../fault.ts'
import { createInTurn } from '../in-turn.ts'
import type { Log } from '../log.ts'
import type { Idempotency, RepeatableRequest } from './idempotency.ts'

/** What is kept of a request: that it was begun, then what it was answered. */
type Kept<Answer> = { readonly isBegun: true } | { readonly answer: Answer }

export type DoOnce = <Answer>(request: RepeatableRequest, work: () => Promise<Answer>) => Promise<Answer>

const retryAfterSec = 1

interface DoOnceParts {
  readonly database: Database
  /** One that waits: it is asked before and after the work, never while that is done. */
  readonly idempotency: Idempotency
  readonly log: Log
}

/**
 * Does the work of a request once within a day, and answers its repetitions alike, for work that has transactions of its own
 * and may take long: it is noted as begun before and as answered afterwards, so that no connection is held meanwhile. A
 * repetition waits for work of this process. Nothing stays noted of work that failed. Faults: `conflict` for another request
 * with the same key, and for one that another process has begun, also where that process died before it was answered.
 */
export function createDoOnce({ database, idempotency, log }: DoOnceParts): DoOnce {
  const inTurn = createInTurn()

  /** What was done is answered all the same; a repetition then finds it begun, and is refused. */
  const note = (work: (sql: TransactionSql) => Promise<void>): Promise<void> =>
    database
      .transaction(work)
      .catch((error: unknown) => log.warn('how a change ended was not noted for its repetition', { error }))

  return <Answer>(request: RepeatableRequest, work: () => Promise<Answer>): Promise<Answer> => {
    const { earlier, keep, forget } = idempotency.once<Kept<Answer>>(request)

    const begin = (): Promise<Kept<Answer> | null> =>
      database.transaction(async (sql) => {
        const kept = await earlier(sql)
        if (kept === null) await keep(sql, { isBegun: true })
        return kept
      })

    return inTurn(`${request.accountId} ${request.key}`, async () => {
      const kept = await begin()
      if (kept !== null) return answerOf(kept)
      try {
        const answer = await work()
        await note((sql) => keep(sql, { answer }))
        return answer
      } catch (error) {
        await note(forget)
        throw error
      }
    })
  }
}

/** Fault: `conflict` as long as there is none. */
function answerOf<Answer>(kept: Kept<Answer>): Answer {
  if (!('isBegun' in kept)) return kept.answer
  throw fault(
    'conflict',
    'This was sent before and is under way, or was broken off: try again in a moment, or look whether it was done and begin anew',
    { retryAfterSec },
  )
}
