import type { Database, TransactionSql } from '../../platform/database.ts'
import { hourPartStarts } from '../hour-parts.ts'
import { type CountedTables, tableOf } from '../table-names.ts'
import { makePartitions } from '../../platform/postgres/partitions.ts'

/** Moves rows from minutes to five minutes, hours and days. */
export interface RollupStore {
  /** Moves some rows. Resolves to false when nothing is left to move, or another process is moving. */
  moveSome(): Promise<boolean>
  /** Closes writers that have not written since an instant. */
  closeLostWriters(since: number): Promise<void>
  /**
   * Runs ANALYZE, unless it ran since an instant. PostgreSQL does so by itself for partitions only, not for the
   * partitioned tables.
   */
  analyzeUnlessSince(since: number): Promise<void>
}

/** The advisory locks of all processes that roll up; the numbers have no other meaning. */
const rollupLocks = { usage: 7_236_582_402, tool_usage: 7_236_582_403 }
const rowsPerMove = 50_000
const moveDeadlineMs = 60_000
/** Allows for ANALYZE, which takes some seconds for two years of days. */
const analyzeDeadlineMs = 120_000

export function createRollupStore(database: Database, tables: CountedTables): RollupStore {
  const rolledUpTables = (['fives', 'hours', 'days'] as const).map((unit) => tableOf(tables, unit))
  return {
    moveSome: () => database.transaction((sql) => moveSome(sql, tables), moveDeadlineMs),
    async closeLostWriters(since) {
      await database.transaction(
        (sql) => sql`
          UPDATE ${sql(tableOf(tables, 'writers'))} AS lost SET final_before = 'infinity'
          WHERE final_before < ${new Date(since)} AND started_at < ${new Date(since)}
            AND NOT EXISTS (
              SELECT FROM ${sql(tableOf(tables, 'minutes'))}
              WHERE writer = lost.id AND bucket >= ${new Date(since)})`,
      )
    },
    async analyzeUnlessSince(since) {
      const due = await database.run(
        (sql) => sql<{ name: string }[]>`
          SELECT relname AS name FROM pg_stat_user_tables
          WHERE relid = ANY (${rolledUpTables}::text[]::regclass[])
            AND (last_analyze IS NULL OR last_analyze < ${new Date(since)})`,
      )
      for (const { name } of due) await database.run((sql) => sql`ANALYZE ${sql(name)}`, analyzeDeadlineMs)
    },
  }
}

/**
 * Moves rows that are final: their writer has closed these minutes, and nothing more is accepted for them. So every
 * count is added once, however late it came, and whatever was rolled up before.
 */
async function moveSome(sql: TransactionSql, tables: CountedTables): Promise<boolean> {
  const [minutes, writers] = [sql(tableOf(tables, 'minutes')), sql(tableOf(tables, 'writers'))]
  const [lock] = await sql<
    { is_mine: boolean }[]
  >`SELECT pg_try_advisory_xact_lock(${rollupLocks[tables]}) AS is_mine`
  if (lock?.is_mine !== true) return false
  const hours = await sql<{ hour: Date; rows: number }[]>`
    SELECT date_trunc('hour', bucket, 'UTC') AS hour, count(*)::float8 AS rows
    FROM ${minutes} JOIN ${writers} AS writers ON writers.id = writer AND bucket < final_before
    GROUP BY 1 ORDER BY 1`
  const due = hours.slice(0, partsWithin(hours.map(({ rows }) => rows)))
  const [first, last] = [due[0]?.hour, due.at(-1)?.hour]
  if (first === undefined || last === undefined) return false
  const instants = due.map(({ hour }) => hour.getTime())
  await makePartitions(sql, tableOf(tables, 'fives'), instants)
  await makePartitions(sql, tableOf(tables, 'hours'), instants)
  await makePartitions(sql, tableOf(tables, 'days'), instants, 'month')
  await move(sql, tables, first, new Date(last.getTime() + 3_600_000))
  return due.length < hours.length
}

/** Returns how many parts, from the first on, fit into one transaction; at least one. */
function partsWithin(sizes: readonly number[]): number {
  let rows = 0
  const excess = sizes.findIndex((size) => (rows += size) > rowsPerMove)
  return excess === -1 ? sizes.length : Math.max(1, excess)
}

const move = (sql: TransactionSql, tables: CountedTables, from: Date, to: Date) => sql`
  WITH moved AS (
    DELETE FROM ${sql(tableOf(tables, 'minutes'))} AS minutes USING ${sql(tableOf(tables, 'writers'))} AS writers
    WHERE writers.id = writer AND bucket >= ${from} AND bucket < ${to} AND bucket < final_before
    RETURNING minutes.*
  ), by_five_minutes AS (
    INSERT INTO ${sql(tableOf(tables, 'fives'))} AS kept ${rolledUp(sql, sql`date_bin('5 minutes', bucket, 'epoch')`)} ${adding(sql)}
  ), by_hour AS (
    INSERT INTO ${sql(tableOf(tables, 'hours'))} AS kept ${rolledUp(sql, partOfHour(sql))} ${adding(sql)}
  )
  INSERT INTO ${sql(tableOf(tables, 'days'))} AS kept ${rolledUp(sql, sql`date_trunc('day', bucket, 'UTC')`)} ${adding(sql)}`

/** Hours in which a day begins somewhere are divided there (`../hour-parts.ts`). */
const partOfHour = (sql: TransactionSql) => sql`
  date_trunc('day', bucket, 'UTC') + interval '1 minute' *
    (${hourPartStarts}::int[])[1 + extract(epoch FROM bucket - date_trunc('day', bucket, 'UTC'))::int / 900]`

/**
 * Returns, for each stretch of time, a row for every method of a key, for every key, for every method, and for the
 * account.
 */
const rolledUp = (sql: TransactionSql, start: ReturnType<typeof partOfHour>) => sql`
  (account_id, level, key_id, bucket, endpoint, method, requests, credits, ok, errors, rate_limited, credit_limited,
    cached, unanswered, bytes_in, bytes_out, latencies, last_used_at)
  SELECT account_id, grouping(key_id, method), coalesce(key_id, ''), start, endpoint, coalesce(method, ''),
    sum(requests), sum(credits - credits_back), sum(ok), sum(errors), sum(rate_limited), sum(credit_limited),
    sum(cached), sum(unanswered), sum(bytes_in), sum(bytes_out), sum(latencies), max(bucket)
  FROM (SELECT *, ${start} AS start FROM moved) AS minutes
  GROUP BY GROUPING SETS (
    (account_id, start, endpoint, key_id, method), (account_id, start, endpoint, key_id),
    (account_id, start, endpoint, method), (account_id, start, endpoint)
  )`

const adding = (sql: TransactionSql) => sql`
  ON CONFLICT (account_id, level, key_id, bucket, endpoint, method) DO UPDATE SET
    requests = kept.requests + excluded.requests,
    credits = kept.credits + excluded.credits,
    ok = kept.ok + excluded.ok,
    errors = kept.errors + excluded.errors,
    rate_limited = kept.rate_limited + excluded.rate_limited,
    credit_limited = kept.credit_limited + excluded.credit_limited,
    cached = kept.cached + excluded.cached,
    unanswered = kept.unanswered + excluded.unanswered,
    bytes_in = kept.bytes_in + excluded.bytes_in,
    bytes_out = kept.bytes_out + excluded.bytes_out,
    latencies = kept.latencies + excluded.latencies,
    last_used_at = greatest(kept.last_used_at, excluded.last_used_at)`
