import type { Database, Sql, TransactionSql } from '../platform/database.ts'
import { makePartitions } from '../platform/postgres/partitions.ts'
import type { SlotCounts, SlotName } from './counting/read-slot.ts'
import { minuteMs } from '../../shared/durations.ts'
import { type CountedTables, tableOf } from './table-names.ts'

export type CountedRow = SlotName & SlotCounts

/** A query key as statistics show it. */
export interface KeyLabel {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly endpoint: string
}

export interface KnownKey {
  readonly id: string
  readonly endpoint: string
  /** The last stored name; null where none was stored. */
  readonly name: string | null
  readonly hint: string | null
  readonly last_used_at: Date
}

/** Usage counts in PostgreSQL. */
export interface UsageStore {
  /**
   * Raises rows to at least these counts. Counts only grow, so that writing the same or older counts again changes
   * nothing. Rows of minutes that the writer has closed are ignored.
   */
  write(writer: string, rows: readonly CountedRow[]): Promise<void>
  /**
   * Declares that nothing of the writer changes before this minute (since 1970); null declares it of all minutes.
   */
  close(writer: string, beforeMinute: number | null): Promise<void>
  knownKeys(accountId: string): Promise<KnownKey[]>
  /** Returns the ids of the keys that were used last, at most so many. */
  lastUsed(limit: number): Promise<string[]>
  noteLabels(labels: readonly KeyLabel[]): Promise<void>
}

const writeDeadlineMs = 15_000

export function createUsageStore(database: Database, tables: CountedTables = 'usage'): UsageStore {
  const keysTable = tableOf(tables, 'keys')
  const writersTable = tableOf(tables, 'writers')
  /**
   * Partitions that this process created. If one was dropped since, a write fails, and it is created again.
   */
  const partitions = new Set<number>()

  async function write(writer: string, rows: readonly CountedRow[]): Promise<void> {
    const days = new Set(rows.map(({ minute }) => Math.floor(minute / (24 * 60)) * 24 * 60 * minuteMs))
    try {
      await database.transaction(async (sql) => {
        const finalBefore = await lockWriter(sql, tables, writer)
        const open = rows.filter(({ minute }) => minute * minuteMs >= finalBefore)
        if (open.length === 0) return
        const missing = [...days].filter((day) => !partitions.has(day))
        await makePartitions(sql, tableOf(tables, 'minutes'), missing)
        await writeMinutes(sql, tables, writer, open)
        await writeLastUses(sql, tables, open)
      }, writeDeadlineMs)
      for (const day of days) partitions.add(day)
    } catch (error) {
      partitions.clear()
      throw error
    }
  }

  return {
    write,
    async close(writer, beforeMinute) {
      const before = beforeMinute === null ? 'infinity' : new Date(beforeMinute * minuteMs).toISOString()
      await database.transaction(async (sql) => {
        await lockWriter(sql, tables, writer)
        // By way of text: the driver makes a Date of every other parameter, and infinity is none.
        await sql`
          UPDATE ${sql(writersTable)} SET final_before = greatest(final_before, ${before}::text::timestamptz)
          WHERE id = ${writer}`
      })
    },
    async knownKeys(accountId) {
      return database.run(
        (sql) => sql<KnownKey[]>`
          SELECT id, endpoint, name, hint, last_used_at FROM ${sql(keysTable)} WHERE account_id = ${accountId}`,
      )
    },
    async lastUsed(limit) {
      const rows = await database.run(
        (sql) => sql<{ id: string }[]>`
          SELECT id FROM ${sql(keysTable)} ORDER BY last_used_at DESC LIMIT ${limit}`,
        writeDeadlineMs,
      )
      return rows.map(({ id }) => id)
    },
    async noteLabels(labels) {
      await database.run(
        (sql) => sql`
          UPDATE ${sql(keysTable)} AS known SET name = label.name, hint = label.hint
          FROM unnest(${labels.map(({ id }) => id)}::text[], ${labels.map(({ name }) => name)}::text[],
            ${labels.map(({ hint }) => hint)}::text[]) AS label (id, name, hint)
          WHERE known.id = label.id AND (known.name, known.hint) IS DISTINCT FROM (label.name, label.hint)`,
      )
    },
  }
}

/** Returns when those of these keys that were used were used last: epoch ms by id, to the minute. */
export async function readLastUses(
  sql: Sql,
  tables: CountedTables,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ id: string; last_used_at: Date }[]>`
    SELECT id, last_used_at FROM ${sql(tableOf(tables, 'keys'))} WHERE id = ANY (${[...ids]}::text[])`
  return new Map(rows.map(({ id, last_used_at: at }) => [id, at.getTime()]))
}

/** Forgets what the keys of accounts were called. What they counted stays. */
export async function forgetKeyNamesOf(
  sql: TransactionSql,
  tables: CountedTables,
  accountIds: readonly string[],
): Promise<void> {
  await sql`
    UPDATE ${sql(tableOf(tables, 'keys'))} SET name = NULL, hint = NULL
    WHERE account_id = ANY (${[...accountIds]}::text[]) AND (name IS NOT NULL OR hint IS NOT NULL)`
}

/**
 * Locks the writer, and returns the epoch ms before which it has closed everything. A write that arrives after its
 * caller gave up waits for this lock and then finds what was closed meanwhile.
 */
async function lockWriter(sql: TransactionSql, tables: CountedTables, writer: string): Promise<number> {
  const writers = tableOf(tables, 'writers')
  await sql`
    INSERT INTO ${sql(writers)} (id, started_at, final_before) VALUES (${writer}, now(), '-infinity')
    ON CONFLICT (id) DO NOTHING`
  const [row] = await sql<{ final_before: number }[]>`
    SELECT extract(epoch FROM final_before)::float8 * 1000 AS final_before
    FROM ${sql(writers)} WHERE id = ${writer} FOR UPDATE`
  if (row === undefined) throw new TypeError('a writer that is not there')
  return row.final_before
}

/**
 * Raises rows, and adds the difference to those of everybody, whose account has no id: one for each minute, endpoint and
 * writer, so that nobody waits for another, and always the sum of all others.
 */
async function writeMinutes(
  sql: TransactionSql,
  tables: CountedTables,
  writer: string,
  rows: readonly CountedRow[],
): Promise<void> {
  const minutes = sql(tableOf(tables, 'minutes'))
  await sql`
    WITH fresh AS MATERIALIZED (
      SELECT account_id, to_timestamp(minute * 60) AS bucket, key_id, endpoint, method, requests, credits, credits_back,
        ok, errors, rate_limited, credit_limited, cached, unanswered, bytes_in, bytes_out, latencies::numeric
      FROM ${rowsOf(sql, rows)}
    ), grown AS MATERIALIZED (
      SELECT fresh.bucket, fresh.endpoint, ${grownCounts(sql)},
        CASE WHEN fresh.ok + fresh.errors >= coalesce(known.ok + known.errors, 0)
          THEN fresh.latencies - coalesce(known.latencies, 0) ELSE 0 END AS latencies
      FROM fresh LEFT JOIN ${minutes} AS known ON known.writer = ${writer} AND known.account_id = fresh.account_id
        AND known.bucket = fresh.bucket AND known.key_id = fresh.key_id AND known.endpoint = fresh.endpoint
        AND known.method = fresh.method
    ), written AS (
      INSERT INTO ${minutes} AS kept (${minuteColumns(sql)})
      SELECT account_id, bucket, key_id, endpoint, method, ${writer}, ${sql(countColumns)}, latencies FROM fresh
      ON CONFLICT (account_id, bucket, key_id, endpoint, method, writer) DO UPDATE SET
        ${raised(sql)},
        latencies = CASE WHEN excluded.ok + excluded.errors >= kept.ok + kept.errors
          THEN excluded.latencies ELSE kept.latencies END
    )
    INSERT INTO ${minutes} AS kept (${minuteColumns(sql)})
    SELECT '', bucket, '', endpoint, '', ${writer}, ${summed(sql)}, sum(latencies) FROM grown GROUP BY bucket, endpoint
    ON CONFLICT (account_id, bucket, key_id, endpoint, method, writer) DO UPDATE SET
      ${added(sql)}, latencies = kept.latencies + excluded.latencies`
}

const countColumns = [
  'requests', 'credits', 'credits_back', 'ok', 'errors', 'rate_limited', 'credit_limited', 'cached', 'unanswered',
  'bytes_in', 'bytes_out',
] // prettier-ignore

const minuteColumns = (sql: TransactionSql) =>
  sql`account_id, bucket, key_id, endpoint, method, writer, ${sql(countColumns)}, latencies`

type Fragment = ReturnType<typeof minuteColumns>

const forEachCount = (sql: TransactionSql, write: (name: string) => Fragment): Fragment =>
  countColumns.map(write).reduce((all, one) => sql`${all}, ${one}`)

const grownCounts = (sql: TransactionSql) =>
  forEachCount(sql, (name) => {
    const column = sql(name)
    return sql`greatest(fresh.${column} - coalesce(known.${column}, 0), 0) AS ${column}`
  })
const raised = (sql: TransactionSql) =>
  forEachCount(sql, (name) => sql`${sql(name)} = greatest(kept.${sql(name)}, excluded.${sql(name)})`)
const summed = (sql: TransactionSql) => forEachCount(sql, (name) => sql`sum(${sql(name)})`)
const added = (sql: TransactionSql) =>
  forEachCount(sql, (name) => sql`${sql(name)} = kept.${sql(name)} + excluded.${sql(name)}`)

const rowsOf = (sql: TransactionSql, rows: readonly CountedRow[]) => sql`
  unnest(
    ${rows.map((row) => row.accountId)}::text[],
    ${rows.map((row) => row.minute)}::float8[],
    ${rows.map((row) => row.keyId)}::text[],
    ${rows.map((row) => row.endpoint)}::text[],
    ${rows.map((row) => row.method)}::text[],
    ${rows.map((row) => row.requests)}::float8[],
    ${rows.map((row) => row.credits)}::float8[],
    ${rows.map((row) => row.creditsBack)}::float8[],
    ${rows.map((row) => row.ok)}::float8[],
    ${rows.map((row) => row.errors)}::float8[],
    ${rows.map((row) => row.rateLimited)}::float8[],
    ${rows.map((row) => row.creditLimited)}::float8[],
    ${rows.map((row) => row.cached)}::float8[],
    ${rows.map((row) => row.unanswered)}::float8[],
    ${rows.map((row) => row.bytesIn)}::float8[],
    ${rows.map((row) => row.bytesOut)}::float8[],
    ${rows.map((row) => row.latencies)}::text[]
  ) AS sent (account_id, minute, key_id, endpoint, method, requests, credits, credits_back, ok, errors, rate_limited,
    credit_limited, cached, unanswered, bytes_in, bytes_out, latencies)`

/**
 * Stores last uses. Rows are locked in one order, so that two processes that write the same keys cannot deadlock.
 */
async function writeLastUses(
  sql: TransactionSql,
  tables: CountedTables,
  rows: readonly CountedRow[],
): Promise<void> {
  const uses = new Map<string, CountedRow>()
  for (const row of rows) {
    if ((uses.get(row.keyId)?.minute ?? 0) < row.minute) uses.set(row.keyId, row)
  }
  const latest = [...uses.values()].sort((one, other) => (one.keyId < other.keyId ? -1 : 1))
  await sql`
    INSERT INTO ${sql(tableOf(tables, 'keys'))} AS kept (id, account_id, endpoint, last_used_at)
    SELECT id, account_id, endpoint, to_timestamp(minute * 60)
    FROM unnest(
      ${latest.map((row) => row.keyId)}::text[],
      ${latest.map((row) => row.accountId)}::text[],
      ${latest.map((row) => row.endpoint)}::text[],
      ${latest.map((row) => row.minute)}::float8[]
    ) AS fresh (id, account_id, endpoint, minute)
    ON CONFLICT (id) DO UPDATE SET last_used_at = excluded.last_used_at
    WHERE kept.last_used_at < excluded.last_used_at`
}
