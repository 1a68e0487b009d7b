import type { Database, Sql } from '../../platform/database.ts'
import type { UsageMeasure } from '../../../shared/usage.ts'
import { dayMs, hourMs, type Interval, type Span } from './interval.ts'
import type { SumsRow } from './sums.ts'

/** Whose calls are summed. */
export interface Filter {
  /** Null: of all accounts. */
  readonly accountId: string | null
  readonly keyId?: string | undefined
  readonly endpoint?: string | undefined
  readonly method?: string | undefined
  /** Only keys up to this one, by their ids. */
  readonly lastKey?: string | null
}

export type GroupBy = 'key' | 'method'

/** What a page goes on behind. */
export interface Place {
  readonly bucketAt: number | null
  readonly id: string
}

export interface Grouping {
  readonly by: GroupBy
  /** Null: over the whole interval. */
  readonly unit: 'hour' | 'day' | null
  /** `place`: by time and id, so that pages stay in step while calls come in. */
  readonly order: 'place' | 'busiest'
  readonly after: Place | null
  readonly limit: number
}

export interface Charting {
  readonly by: GroupBy
  readonly unit: 'hour' | 'day'
  /** By which the greatest `top` are told apart. */
  readonly measure: UsageMeasure
  readonly top: number
}

export interface GroupRow extends SumsRow {
  /** Of a key, or a method. */
  readonly id: string
  readonly bucket: Date | null
  readonly last_used_at: Date
}

export interface SeriesRow {
  /** Null: all that are not among the greatest. */
  readonly id: string | null
  readonly bucket: Date
  readonly requests: number
  readonly credits: number
  readonly errors: number
  readonly refused: number
}

export interface HourRow {
  readonly bucket: Date
  readonly requests: number
  readonly credits: number
  readonly errors: number
  readonly rate_limited: number
  readonly credit_limited: number
}

/** Reads counts. Every answer is of one snapshot, in which no call is counted twice or left out. */
export interface StatisticsStore {
  groups(
    interval: Interval,
    filter: Filter,
    grouping: Grouping,
  ): Promise<{ groups: GroupRow[]; totals: SumsRow }>
  series(
    interval: Interval,
    filter: Filter,
    charting: Charting,
  ): Promise<{ rows: SeriesRow[]; totals: SumsRow }>
  hours(interval: Interval, accountId: string | null): Promise<{ rows: HourRow[]; totals: SumsRow }>
}

/** Of a question about a year, from a disk that has other things to do. */
const deadlineMs = 15_000

export function createStatisticsStore(database: Database): StatisticsStore {
  return {
    groups: (interval, filter, grouping) =>
      database.run((sql) => readGroups(sql, interval, filter, grouping), deadlineMs),
    series: (interval, filter, charting) =>
      database.run((sql) => readSeries(sql, interval, filter, charting), deadlineMs),
    hours: (interval, accountId) =>
      database.run((sql) => readHours(sql, interval, { accountId }), deadlineMs),
  }
}

/**
 * A key behind which no other need be read for a page; null: all must be. So many rows as a page of keys can have are
 * counted, not keys: the database walks an index then, whatever it believes about how many keys there are.
 */
async function lastKeyOfPage(sql: Sql, interval: Interval, filter: Filter, grouping: Grouping) {
  const { by, unit, order, after, limit } = grouping
  if (by !== 'key' || unit !== null || order !== 'place') return null
  const lastKeys = sourcesOf(interval, levelOf(filter, by)).flatMap(({ table, span, level }) => {
    if (level === null) return []
    const buckets = Math.ceil((span.to - span.from) / (table === 'usage_hours' ? hourMs : dayMs))
    return sql`(
      SELECT key_id FROM ${sql(table)}
      WHERE ${isAt(sql, level)} AND ${isIn(sql, span, filter)} AND key_id > ${after?.id ?? ''}
      ORDER BY key_id LIMIT 1 OFFSET ${limit * buckets}
    )`
  })
  const [last] = await sql<{ key_id: string | null }[]>`
    SELECT min(key_id) AS key_id FROM (${lastKeys.reduce((all, some) => sql`${all} UNION ALL ${some}`)}) AS last_keys`
  return last?.key_id ?? null
}

async function readGroups(sql: Sql, interval: Interval, filter: Filter, grouping: Grouping) {
  // In a query of its own, so that the plan of the next one knows how few rows these are.
  const lastKey = await lastKeyOfPage(sql, interval, filter, grouping)
  const page = await readGroupsUpTo(sql, interval, filter, grouping, lastKey)
  // Keys of several endpoints have more rows.
  const isShort = lastKey !== null && page.groups.length < grouping.limit
  return isShort ? readGroupsUpTo(sql, interval, filter, grouping, null) : page
}

async function readGroupsUpTo(
  sql: Sql,
  interval: Interval,
  filter: Filter,
  { by, unit, order, after, limit }: Grouping,
  lastKey: string | null,
) {
  const rows = await sql<(GroupRow & { is_total: boolean })[]>`
    WITH grouped AS (
      SELECT id, bucket, max(last_used_at) AS last_used_at, ${sumsIn(sql)}
      FROM (
        SELECT *, ${idOf(sql, by)} AS id,
          ${unit === null ? sql`NULL::timestamptz` : sql`date_trunc(${unit}, at, 'UTC')`} AS bucket
        FROM (${countsIn(sql, interval, { ...filter, lastKey }, by)}) AS counts
      ) AS placed
      WHERE ${after === null ? sql`true` : isBehind(sql, after)}
      GROUP BY bucket, id
      ORDER BY ${order === 'place' ? sql`bucket, id` : sql`requests DESC, id`} LIMIT ${limit}
    )
    SELECT false AS is_total, * FROM grouped
    UNION ALL
    SELECT true, '', NULL, now(), ${sumsIn(sql)} FROM (${countsIn(sql, interval, filter, null)}) AS counts`
  return { groups: rows.filter((row) => !row.is_total), totals: totalsIn(rows) }
}

const idOf = (sql: Sql, by: GroupBy) => (by === 'key' ? sql`key_id` : sql`method`)

const isBehind = (sql: Sql, { bucketAt, id }: Place) =>
  bucketAt === null ? sql`id > ${id}` : sql`(bucket, id) > (${new Date(bucketAt)}::timestamptz, ${id})`

async function readSeries(sql: Sql, interval: Interval, filter: Filter, charting: Charting) {
  const { by, unit, measure, top } = charting
  const rows = await sql<(SeriesRow & SumsRow & { is_total: boolean })[]>`
    WITH counts AS MATERIALIZED (
      SELECT ${idOf(sql, by)} AS id, date_trunc(${unit}, at, 'UTC') AS bucket, sum(requests) AS requests,
        sum(credits) AS credits, sum(errors) AS errors, sum(rate_limited + credit_limited) AS refused
      FROM (${countsIn(sql, interval, filter, by)}) AS counts GROUP BY 1, 2
    ), greatest AS (SELECT id FROM counts GROUP BY id ORDER BY sum(${sql(measure)}) DESC, id LIMIT ${top})
    SELECT false AS is_total, greatest.id, counts.bucket, sum(counts.requests)::float8 AS requests,
      sum(counts.credits)::float8 AS credits, sum(counts.errors)::float8 AS errors, sum(counts.refused)::float8 AS refused,
      0::float8 AS ok, 0::float8 AS rate_limited, 0::float8 AS credit_limited, 0::float8 AS bytes_in,
      0::float8 AS bytes_out, '' AS latencies
    FROM counts LEFT JOIN greatest USING (id) GROUP BY greatest.id, counts.bucket
    UNION ALL
    SELECT true, NULL, now(), requests, credits, errors, 0, ok, rate_limited, credit_limited, bytes_in, bytes_out, latencies
    FROM (SELECT ${sumsIn(sql)} FROM (${countsIn(sql, interval, filter, null)}) AS all_counts) AS totals`
  return { rows: rows.filter((row) => !row.is_total), totals: totalsIn(rows) }
}

async function readHours(sql: Sql, interval: Interval, filter: Filter) {
  const rows = await sql<(HourRow & SumsRow & { is_total: boolean })[]>`
    WITH counts AS MATERIALIZED (${countsIn(sql, interval, filter, null)})
    SELECT false AS is_total, date_trunc('hour', at, 'UTC') AS bucket, ${sumsIn(sql)} FROM counts GROUP BY 2
    UNION ALL
    SELECT true, now(), ${sumsIn(sql)} FROM counts`
  return { rows: rows.filter((row) => !row.is_total), totals: totalsIn(rows) }
}

function totalsIn<Row extends SumsRow & { readonly is_total: boolean }>(rows: readonly Row[]): SumsRow {
  const totals = rows.find((row) => row.is_total)
  if (totals === undefined) throw new TypeError('a sum without its row')
  return totals
}

const sumsIn = (sql: Sql) => sql`
  coalesce(sum(requests), 0)::float8 AS requests, coalesce(sum(credits), 0)::float8 AS credits,
  coalesce(sum(ok), 0)::float8 AS ok, coalesce(sum(errors), 0)::float8 AS errors,
  coalesce(sum(rate_limited), 0)::float8 AS rate_limited, coalesce(sum(credit_limited), 0)::float8 AS credit_limited,
  coalesce(sum(bytes_in), 0)::float8 AS bytes_in, coalesce(sum(bytes_out), 0)::float8 AS bytes_out,
  coalesce(sum(latencies), 0)::text AS latencies`

/** All rows of the interval, none of which holds a call that another one holds. */
function countsIn(sql: Sql, interval: Interval, filter: Filter, by: GroupBy | null) {
  return sourcesOf(interval, levelOf(filter, by))
    .map((source) => countsOf(sql, source, filter))
    .reduce((all, part) => sql`${all} UNION ALL ${part}`)
}

/** Where counts of an interval stand. Those of minutes have no levels. */
interface Source {
  readonly table: 'usage_minutes' | 'usage_hours' | 'usage_days'
  readonly span: Span
  readonly level: Level | null
}

function sourcesOf({ from, to, hours, days }: Interval, level: Level): Source[] {
  const waiting: Source = { table: 'usage_minutes', span: { from, to }, level: null }
  const byHour = hours.map((span): Source => ({ table: 'usage_hours', span, level }))
  return days === null
    ? [waiting, ...byHour]
    : [waiting, ...byHour, { table: 'usage_days', span: days, level }]
}

function countsOf(sql: Sql, { table, span, level }: Source, filter: Filter) {
  if (level === null) {
    return sql`
      SELECT bucket AS at, key_id, method, requests, credits - credits_back AS credits, ok, errors, rate_limited,
        credit_limited, bytes_in, bytes_out, latencies, bucket AS last_used_at
      FROM ${sql(table)} WHERE ${isIn(sql, span, filter)}`
  }
  return sql`
    SELECT bucket AS at, key_id, method, requests, credits, ok, errors, rate_limited, credit_limited, bytes_in,
      bytes_out, latencies, last_used_at
    FROM ${sql(table)} WHERE ${isAt(sql, level)} AND ${isIn(sql, span, filter)}`
}

/** What rows tell apart: methods of keys, keys, methods, or nothing. */
type Level = 'methods of keys' | 'keys' | 'methods' | 'accounts'

/** The coarsest rows that still tell apart what is asked for. */
function levelOf(filter: Filter, by: GroupBy | null): Level {
  const tellsMethods = by === 'method' || filter.method !== undefined
  const tellsKeys = by === 'key' || filter.keyId !== undefined
  if (tellsKeys) return tellsMethods ? 'methods of keys' : 'keys'
  return tellsMethods ? 'methods' : 'accounts'
}

/** Written out, because indexes of one level are used for no level that is given as a parameter. */
function isAt(sql: Sql, level: Level) {
  switch (level) {
    case 'methods of keys':
      return sql`level = 0`
    case 'keys':
      return sql`level = 1`
    case 'methods':
      return sql`level = 2`
    case 'accounts':
      return sql`level = 3`
  }
}

const isIn = (
  sql: Sql,
  { from, to }: Span,
  { accountId, keyId, endpoint, method, lastKey = null }: Filter,
) => sql`
  bucket >= ${new Date(from)} AND bucket < ${new Date(to)}
  ${accountId === null ? sql`` : sql`AND account_id = ${accountId}`}
  ${keyId === undefined ? sql`` : sql`AND key_id = ${keyId}`}
  ${lastKey === null ? sql`` : sql`AND key_id <= ${lastKey}`}
  ${endpoint === undefined ? sql`` : sql`AND endpoint = ${endpoint}`}
  ${method === undefined ? sql`` : sql`AND method = ${method}`}`
