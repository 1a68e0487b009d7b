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

/** What a list of accounts is sorted by: the greatest comes first, and what there is none of last. Each has an index. */
const orderColumns = {
  created: { name: 'created_at', isInstant: true },
  seen: { name: 'last_seen_at', isInstant: true },
  calls: { name: 'recent_calls', isInstant: false },
  credits: { name: 'recent_credits', isInstant: false },
} as const

type OrderColumn = (typeof orderColumns)[keyof typeof orderColumns]

/** The column as a whole number. */
const numberIn = (sql: Sql, { name, isInstant }: OrderColumn) =>
  isInstant
    ? sql`coalesce(floor(extract(epoch FROM a.${sql(name)}) * 1000), 0)::float8`
    : sql`a.${sql(name)}::float8`

/** Whether an account comes after a place. */
function isBehind(sql: Sql, { name, isInstant }: OrderColumn, { at, id }: AccountPlace) {
  const column = sql`a.${sql(name)}`
  if (isInstant && at === 0) return sql`AND ${column} IS NULL AND a.id > ${id}`
  const value = isInstant ? new Date(at) : at
  return sql`AND (${column} < ${value} OR ${column} = ${value} AND a.id > ${id} OR ${column} IS NULL)`
}

/** Finds accounts in PostgreSQL by what operators look for. A hundred thousand are looked through in some 100 ms. */
export function createAccountPlaces(database: Database) {
  return {
    /** From the place behind `after` on. */
    find: ({ search, state, order, after, limit }: PlacesWanted): Promise<AccountPlace[]> =>
      database.run(async (sql) => {
        const column = orderColumns[order]
        const rows = await sql<{ at: number; id: string }[]>`
          SELECT ${numberIn(sql, column)} AS at, a.id FROM accounts a
          WHERE a.state ${state === undefined ? sql`<> 'deleted'` : sql`= ${state}`}
            ${search === '' ? sql`` : sql`AND ${matches(sql, search.toLowerCase(), search)}`}
            ${after === null ? sql`` : isBehind(sql, column, after)}
          ORDER BY a.${sql(column.name)} DESC NULLS LAST, a.id LIMIT ${limit}`
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
            WHERE a.state <> 'deleted' AND (a.recent_calls, a.recent_credits)
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
