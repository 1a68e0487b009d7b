import { type AccountState, type AccountsQuery, accountStates } from '../../shared/accounts.ts'
import type { Database, Sql } from '../platform/database.ts'
import { containsText } from '../platform/postgres/contains-text.ts'

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
  created: { name: 'created_at', isInstant: true, mayBeNone: false },
  seen: { name: 'last_seen_at', isInstant: true, mayBeNone: true },
  calls: { name: 'recent_calls', isInstant: false, mayBeNone: false },
  credits: { name: 'recent_credits', isInstant: false, mayBeNone: false },
} as const

type OrderColumn = (typeof orderColumns)[keyof typeof orderColumns]

/** The column as a whole number. */
const numberIn = (sql: Sql, { name, isInstant }: OrderColumn) =>
  isInstant
    ? sql`coalesce(floor(extract(epoch FROM a.${sql(name)}) * 1000), 0)::float8`
    : sql`a.${sql(name)}::float8`

/**
 * The accounts that come after a place, in parts of which each begins where an index says: in one condition they would be
 * found by going through all accounts before them.
 */
function partsBehind(sql: Sql, { name, isInstant, mayBeNone }: OrderColumn, after: AccountPlace | null) {
  if (after === null) return [sql`true`]
  const column = sql`a.${sql(name)}`
  const { at, id } = after
  if (mayBeNone && at === 0) return [sql`${column} IS NULL AND a.id > ${id}`]
  const value = isInstant ? new Date(at) : at
  return [
    sql`${column} = ${value} AND a.id > ${id}`,
    sql`${column} < ${value}`,
    ...(mayBeNone ? [sql`${column} IS NULL`] : []),
  ]
}

/** Finds accounts in PostgreSQL by what operators look for. A hundred thousand are looked through in some 100 ms. */
export function createAccountPlaces(database: Database) {
  return {
    /** From the place behind `after` on. */
    find: ({ search, state, order, after, limit }: PlacesWanted): Promise<AccountPlace[]> =>
      database.run(async (sql) => {
        const column = orderColumns[order]
        const fitting = sql`
          a.state ${state === undefined ? sql`<> 'deleted'` : sql`= ${state}`}
          ${search === '' ? sql`` : sql`AND ${matches(sql, search)}`}`
        const parts = partsBehind(sql, column, after).map(
          (part, index) => sql`
            ${index === 0 ? sql`` : sql`UNION ALL`}
            (SELECT ${numberIn(sql, column)} AS at, a.id FROM accounts a WHERE ${part} AND ${fitting}
              ORDER BY a.${sql(column.name)} DESC NULLS LAST, a.id LIMIT ${limit})`,
        )
        const rows = await sql<{ at: number; id: string }[]>`
          SELECT at, id FROM (${parts}) AS behind ORDER BY at DESC, id LIMIT ${limit}`
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

const matches = (sql: Sql, text: string) => sql`(
  ${containsText(sql, sql`a.id`, text)} OR ${containsText(sql, sql`a.name`, text)}
  OR ${containsText(sql, sql`a.email`, text)}
  OR a.id IN (
    SELECT account_id FROM identities
    WHERE ${containsText(sql, sql`kind || ':' || subject`, text)} OR ${containsText(sql, sql`label`, text)}
    UNION ALL SELECT account_id FROM query_keys WHERE id = ${text}
    UNION ALL SELECT account_id FROM api_keys WHERE id = ${text}
  ))`
