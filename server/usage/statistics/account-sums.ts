import type { Database, Sql } from '../../platform/database.ts'
import { type ClosedBefore, instantText, readProgress } from '../rollup/progress.ts'
import { type CountedTables, tableOf } from '../table-names.ts'

interface AccountSum {
  readonly accountId: string
  readonly calls: number
  readonly credits: number
}

/** Rows of whole accounts have this level. */
const ofAccounts = 3

const deadlineMs = 20_000

/**
 * Sums of many accounts at once, from the rows that the roll-up has made for whole accounts: minutes behind, and without a
 * look at any key.
 */
export function createAccountSums(database: Database, tables: CountedTables) {
  return {
    /** Of each of these accounts and each day since the beginning of one (epoch ms), where there were calls. */
    daysOf: (ids: readonly string[], since: number) =>
      database.run(async (sql) => {
        const { closedBefore } = await readProgress(sql, tables)
        const rows = await sql<{ account_id: string; day: number; calls: number; credits: number }[]>`
          SELECT account_id, extract(epoch FROM date_trunc('day', bucket, 'UTC'))::float8 * 1000 AS day,
            sum(requests)::float8 AS calls, sum(credits)::float8 AS credits
          FROM (${rolledUp(sql, tables, since, closedBefore)}) AS rows
          WHERE account_id = ANY (${[...ids]}::text[]) GROUP BY account_id, day`
        return rows.map(({ account_id: accountId, day, calls, credits }) => ({
          accountId,
          day,
          calls,
          credits,
        }))
      }),

    /** Of every account that made a call since an instant (epoch ms). */
    sumsSince: (since: number): Promise<AccountSum[]> =>
      database.run(async (sql) => {
        const { closedBefore } = await readProgress(sql, tables)
        const rows = await sql<{ account_id: string; calls: number; credits: number }[]>`
          SELECT account_id, sum(requests)::float8 AS calls, sum(credits)::float8 AS credits
          FROM (${rolledUp(sql, tables, since, closedBefore)}) AS rows
          WHERE account_id <> '' GROUP BY account_id`
        return rows.map(({ account_id: accountId, calls, credits }) => ({ accountId, calls, credits }))
      }, deadlineMs),
  }
}

/** Days that are closed, then hours, then five minutes. */
const rolledUp = (sql: Sql, tables: CountedTables, since: number, { hours, days }: ClosedBefore) => {
  const part = (unit: 'fives' | 'hours' | 'days', from: number) => sql`
    SELECT account_id, bucket, requests, credits FROM ${sql(tableOf(tables, unit))}
    WHERE level = ${ofAccounts} AND bucket >= ${instantText(Math.max(since, from))}::text::timestamptz`
  return sql`${part('days', since)} AND bucket < ${instantText(days)}::text::timestamptz
    UNION ALL ${part('hours', days)} AND bucket < ${instantText(hours)}::text::timestamptz
    UNION ALL ${part('fives', hours)}`
}
