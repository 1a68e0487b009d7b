import type { Database } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { dayMs, minuteMs } from '../../shared/durations.ts'
import { RecentMap } from '../platform/recent-map.ts'
import { tryAgainIn } from '../platform/try-again-in.ts'

/** How often an account that is not an operator's may change something. */
export interface MutationRates {
  readonly perMinute: number
  readonly perDay: number
}

interface MutationLimitParts {
  readonly database: Database
  readonly clock: Pick<SteadyClock, 'now'>
  readonly rates: MutationRates
  readonly isOperator: (accountId: string) => Promise<boolean>
}

/** Counts changes that an account is about to make. Fault: `rate_limited`; then none of them may be made. */
export type CountMutations = (accountId: string, count: number) => Promise<void>

interface Windows {
  minute_at: Date
  in_minute: number
  day_at: Date
  in_day: number
}

/** Accounts that are refused without asking the database. */
const maxRemembered = 10_000

/**
 * Limits how often an account changes something, because the audit log keeps every change for good. The windows are in
 * the database: the limit is one for all processes, and a restart does not reset it. A window begins with the first
 * change after the one before has ended. A refused account is remembered until its window ends, so that insisting does
 * not reach the database. Operators are not limited: they run the installation, and scripts of theirs make many changes.
 */
export function createMutationLimit(parts: MutationLimitParts): CountMutations {
  const { database, clock, rates, isOperator } = parts
  const refusedUntil = new RecentMap<string, number>(maxRemembered)

  return async (accountId, count) => {
    const now = clock.now()
    const remembered = refusedUntil.get(accountId) ?? 0
    if (now < remembered) throw tooMany(rates, remembered - now)
    if (await addIfRoom(database, accountId, count, now, rates)) return
    if (await isOperator(accountId)) return
    const { until, isFull } = await windowEnd(database, accountId, now, rates)
    // A smaller batch may still fit.
    if (isFull) refusedUntil.set(accountId, until)
    throw tooMany(rates, until - now)
  }
}

/** In one statement, so that of any number of processes none counts above the limit. */
async function addIfRoom(
  database: Database,
  accountId: string,
  count: number,
  now: number,
  { perMinute, perDay }: MutationRates,
): Promise<boolean> {
  if (count > perMinute || count > perDay) return false
  const at = new Date(now)
  const minuteAgo = new Date(now - minuteMs)
  const dayAgo = new Date(now - dayMs)
  const rows = await database.run(
    (sql) => sql`
      INSERT INTO account_mutations AS known (account_id, minute_at, in_minute, day_at, in_day)
      VALUES (${accountId}, ${at}, ${count}, ${at}, ${count})
      ON CONFLICT (account_id) DO UPDATE SET
        minute_at = CASE WHEN known.minute_at > ${minuteAgo} THEN known.minute_at ELSE ${at} END,
        in_minute = CASE WHEN known.minute_at > ${minuteAgo} THEN known.in_minute ELSE 0 END + ${count},
        day_at = CASE WHEN known.day_at > ${dayAgo} THEN known.day_at ELSE ${at} END,
        in_day = CASE WHEN known.day_at > ${dayAgo} THEN known.in_day ELSE 0 END + ${count}
      WHERE (known.minute_at <= ${minuteAgo} OR known.in_minute + ${count} <= ${perMinute})
        AND (known.day_at <= ${dayAgo} OR known.in_day + ${count} <= ${perDay})
      RETURNING account_id`,
  )
  return rows.length > 0
}

/** When the window that refused ends, in epoch ms, and whether not even one more change fits into it. */
async function windowEnd(database: Database, accountId: string, now: number, rates: MutationRates) {
  const [windows] = await database.run(
    (sql) => sql<Windows[]>`
      SELECT minute_at, in_minute, day_at, in_day FROM account_mutations WHERE account_id = ${accountId}`,
  )
  const nextMinute = { until: now + minuteMs, isFull: rates.perMinute === 0 || rates.perDay === 0 }
  if (windows === undefined) return nextMinute
  const dayEnd = windows.day_at.getTime() + dayMs
  if (now < dayEnd && windows.in_day >= rates.perDay) return { until: dayEnd, isFull: true }
  const minuteEnd = windows.minute_at.getTime() + minuteMs
  if (now < minuteEnd) return { until: minuteEnd, isFull: windows.in_minute >= rates.perMinute }
  return nextMinute
}

const tooMany = ({ perMinute, perDay }: MutationRates, waitMs: number) =>
  fault(
    'rate_limited',
    `An account makes at most ${perMinute} changes a minute and ${perDay} a day; ${tryAgainIn(waitMs)}`,
    { retryAfterSec: Math.max(1, Math.ceil(waitMs / 1_000)) },
  )
