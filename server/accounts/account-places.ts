import { type AccountState, type AccountsQuery, accountStates } from '../../shared/accounts.ts'
import type { Database, Sql } from '../platform/database.ts'

/** Where an account stands in a list: what it is sorted by, and its id. */
export interface AccountPlace {
  /** Epoch ms, or a number of calls or credits. */
  readonly at: number
  readonly id: string
}

interface PlacesWanted extends Pick<AccountsQuery, 'search' | 'state' | 'order'> {
  readonly after: AccountPlace | null
  readonly limit: number
}

const writeDeadlineMs = 15_000

/** What a list of accounts is sorted by, as a whole number; the greatest comes first. */
const orderColumns = (sql: Sql) => ({
  created: sql`floor(extract(epoch FROM a.created_at) * 1000)`,
  seen: sql`coalesce(floor(extract(epoch FROM a.last_seen_at) * 1000), 0)`,
  calls: sql`a.recent_calls`,
  credits: sql`a.recent_credits`,
})

/** Finds accounts in PostgreSQL by what operators look for. A hundred thousand are looked through in some 100 ms. */
export function createAccountPlaces(database: Database) {
  return {
    /** From the place behind `after` on. */
    find: ({ search, state, order, after, limit }: PlacesWanted): Promise<AccountPlace[]> =>
      database.run(async (sql) => {
        const column = orderColumns(sql)[order]
        const rows = await sql<{ at: number; id: string }[]>`
          SELECT ${column}::float8 AS at, a.id FROM accounts a
          WHERE true
            ${state === undefined ? sql`` : sql`AND a.state = ${state}`}
            ${search === '' ? sql`` : sql`AND ${matches(sql, search.toLowerCase(), search)}`}
            ${after === null ? sql`` : sql`AND (${column} < ${after.at} OR ${column} = ${after.at} AND a.id > ${after.id})`}
          ORDER BY ${column} DESC, a.id LIMIT ${limit}`
        return [...rows]
      }),

    async counts(): Promise<Record<AccountState, number>> {
      const rows = await database.run(
        (sql) => sql<{ state: AccountState; count: number }[]>`
          SELECT state, count(*)::int AS count FROM accounts GROUP BY state`,
      )
      const countOf = (state: AccountState) => rows.find((row) => row.state === state)?.count ?? 0
      return Object.fromEntries(accountStates.map((state) => [state, countOf(state)])) as Record<
        AccountState,
        number
      >
    },

    async keyCounts(ids: readonly string[]): Promise<Map<string, { queryKeys: number; apiKeys: number }>> {
      const rows = await database.run(
        (sql) => sql<{ id: string; query_keys: number; api_keys: number }[]>`
          SELECT id, (SELECT count(*)::int FROM query_keys WHERE account_id = asked.id) AS query_keys,
            (SELECT count(*)::int FROM api_keys WHERE account_id = asked.id) AS api_keys
          FROM unnest(${[...ids]}::text[]) AS asked (id)`,
      )
      return new Map(rows.map((row) => [row.id, { queryKeys: row.query_keys, apiKeys: row.api_keys }]))
    },

    /** Replaces what accounts used; those that are not named used nothing. Writes only what has changed. */
    async saveUse(
      sums: readonly { readonly accountId: string; readonly calls: number; readonly credits: number }[],
    ): Promise<void> {
      await database.run(
        (sql) => sql`
          WITH used AS (
            SELECT * FROM unnest(${sums.map(({ accountId }) => accountId)}::text[],
              ${sums.map(({ calls }) => calls)}::float8[], ${sums.map(({ credits }) => credits)}::float8[])
              AS sums (id, calls, credits)
          ), fresh AS (
            SELECT a.id, coalesce(used.calls, 0)::bigint AS calls, coalesce(used.credits, 0)::bigint AS credits
            FROM accounts a LEFT JOIN used USING (id)
            WHERE (a.recent_calls, a.recent_credits)
              IS DISTINCT FROM (coalesce(used.calls, 0)::bigint, coalesce(used.credits, 0)::bigint)
          )
          UPDATE accounts SET recent_calls = fresh.calls, recent_credits = fresh.credits
          FROM fresh WHERE accounts.id = fresh.id`,
        writeDeadlineMs,
      )
    },
  }
}

const matches = (sql: Sql, part: string, whole: string) => sql`(
  strpos(lower(a.id), ${part}) > 0 OR strpos(lower(coalesce(a.name, '')), ${part}) > 0
  OR strpos(lower(coalesce(a.email, '')), ${part}) > 0
  OR a.id IN (
    SELECT account_id FROM identities
    WHERE strpos(lower(kind || ':' || subject), ${part}) > 0 OR strpos(lower(coalesce(label, '')), ${part}) > 0
    UNION SELECT account_id FROM query_keys WHERE id = ${whole}
    UNION SELECT account_id FROM api_keys WHERE id = ${whole}
  ))`
