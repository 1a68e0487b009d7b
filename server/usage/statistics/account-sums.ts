import type { Database, Sql } from '../../platform/database.ts'
import { type ClosedBefore, instantText, readProgress } from '../rollup/progress.ts'
import { type CountedTables, tableOf } from '../table-names.ts'

interface AccountSum {
  readonly accountId: string
  readonly calls: number
  readonly credits: number
}

/** What accounts or query keys used. */
export interface UsedSum {
  readonly id: string
  /** Null: it has none that is known here. */
  readonly name: string | null
  readonly used: number
}

interface SpanWanted {
  /** Epoch ms; `to` is not in it. */
  readonly from: number
  readonly to: number
  /** The id of an account; '': from the first one on. */
  readonly after: string
  readonly limit: number
}

interface SumsWanted {
  readonly of: 'account' | 'key'
  /** One of them; null: each. */
  readonly id: string | null
  readonly measure: 'credits' | 'calls'
  readonly atLeast: number
  /** Epoch ms. */
  readonly since: number
  readonly limit: number
}

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

    /** Accounts or query keys that used at least so much since an instant, those that used most first. */
    usedAtLeast: ({ of, id, measure, atLeast, since, limit }: SumsWanted): Promise<UsedSum[]> =>
      database.run(async (sql) => {
        const { closedBefore } = await readProgress(sql, tables)
        const column = sql(of === 'account' ? 'account_id' : 'key_id')
        const sum = measure === 'credits' ? sql`sum(credits)` : sql`sum(requests)`
        const keys = sql(tableOf(tables, 'keys'))
        const which =
          of === 'account'
            ? sql`account_id = ${id}`
            : sql`account_id = (SELECT account_id FROM ${keys} WHERE id = ${id}) AND key_id = ${id}`
        const rows = await sql<UsedSum[]>`
          SELECT used.id, (SELECT name FROM ${keys} AS known WHERE known.id = used.id) AS name, used.used
          FROM (
            SELECT ${column} AS id, ${sum}::float8 AS used
            FROM (${rolledUp(sql, tables, since, closedBefore, of)}) AS rows
            WHERE account_id <> '' ${id === null ? sql`` : sql`AND ${which}`}
            GROUP BY ${column} HAVING ${sum} >= ${atLeast} ORDER BY ${sum} DESC LIMIT ${limit}
          ) AS used`
        return [...rows]
      }, deadlineMs),

    /** Of the next accounts that made a call in a span, in the order of their ids. */
    sumsBetween: ({ from, to, after, limit }: SpanWanted): Promise<AccountSum[]> =>
      database.run(async (sql) => {
        const { closedBefore } = await readProgress(sql, tables)
        const rows = await sql<{ account_id: string; calls: number; credits: number }[]>`
          SELECT account_id, sum(requests)::float8 AS calls, sum(credits)::float8 AS credits
          FROM (${rolledUp(sql, tables, from, closedBefore)}) AS rows
          WHERE account_id > ${after} AND bucket < ${instantText(to)}::text::timestamptz
          GROUP BY account_id ORDER BY account_id LIMIT ${limit}`
        return rows.map(({ account_id: accountId, calls, credits }) => ({ accountId, calls, credits }))
      }, deadlineMs),

    /** Before which instant (epoch ms) all days are rolled up; minus infinity: nothing is. */
    daysClosedBefore: () => database.run(async (sql) => (await readProgress(sql, tables)).closedBefore.days),

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
const rolledUp = (
  sql: Sql,
  tables: CountedTables,
  since: number,
  { hours, days }: ClosedBefore,
  of: 'account' | 'key' = 'account',
) => {
  // A constant: the indexes of one level are not used for a level that is a parameter.
  const isAtLevel = of === 'account' ? sql`level = 3` : sql`level = 1`
  const part = (unit: 'fives' | 'hours' | 'days', from: number) => sql`
    SELECT account_id, key_id, bucket, requests, credits FROM ${sql(tableOf(tables, unit))}
    WHERE ${isAtLevel} AND bucket >= ${instantText(Math.max(since, from))}::text::timestamptz`
  return sql`${part('days', since)} AND bucket < ${instantText(days)}::text::timestamptz
    UNION ALL ${part('hours', days)} AND bucket < ${instantText(hours)}::text::timestamptz
    UNION ALL ${part('fives', hours)}`
}
