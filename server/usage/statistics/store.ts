import type { Database, Sql } from '../../platform/database.ts'
import type { UsageMeasure } from '../../../shared/usage.ts'
import { readProgress } from '../rollup/progress.ts'
import type { CountedTables } from '../table-names.ts'
import { bucketIn, countsIn, type CountedFilter, type Filter, type GroupBy, idOf } from './counted-rows.ts'
import type { Interval, BucketUnit } from './interval.ts'
import { amongGreatest, bucketsOfPage, lastKeyOfPage, type PagePosition } from './page-bounds.ts'
import type { SumsRow } from './sums.ts'

export interface Grouping {
  readonly by: GroupBy
  /** The unit of the rows; null for one row over the whole interval. */
  readonly unit: BucketUnit | null
  /** The order. `place` sorts by time and id, so that pages stay consistent while calls come in. */
  readonly order: 'place' | 'busiest'
  readonly after: PagePosition | null
  readonly limit: number
}

export interface Charting {
  readonly by: GroupBy
  readonly unit: BucketUnit
  /** The measure by which the greatest `top` are selected. */
  readonly measure: UsageMeasure
  readonly top: number
}

export interface GroupRow extends SumsRow {
  /** The id of a key, or the name of a method. */
  readonly id: string
  readonly bucket: Date | null
  readonly last_used_at: Date
}

export interface SeriesRow {
  /** The id; null for all that are not among the greatest. */
  readonly id: string | null
  readonly bucket: Date
  readonly requests: number
  readonly credits: number
  readonly errors: number
  readonly refused: number
}

/** The sums of one unit of time. */
export interface PeriodRow extends SumsRow {
  readonly bucket: Date
}

/** Reads counts. Every answer is one snapshot, in which no call is counted twice or left out. */
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
  periods(
    interval: Interval,
    filter: Filter,
    unit: BucketUnit,
  ): Promise<{ rows: PeriodRow[]; totals: SumsRow }>
}

/** Allows for a query over a year from a busy disk. */
const deadlineMs = 15_000

export function createStatisticsStore(database: Database, tables: CountedTables): StatisticsStore {
  /** Reads first how far rows are rolled up, which may be further by the time when they are read: they are there still. */
  const read = <Result>(filter: Filter, work: (sql: Sql, counted: CountedFilter) => Promise<Result>) =>
    database.run(async (sql) => {
      const { closedBefore } = await readProgress(sql, tables)
      return work(sql, { ...filter, tables, closedBefore })
    }, deadlineMs)

  return {
    groups: (interval, filter, grouping) =>
      read(filter, (sql, counted) => readGroups(sql, interval, counted, grouping)),
    series: (interval, filter, charting) =>
      read(filter, (sql, counted) => readSeries(sql, interval, counted, charting)),
    periods: (interval, filter, unit) =>
      read(filter, (sql, counted) => readPeriods(sql, interval, counted, unit)),
  }
}

/**
 * Reads groups. The bounds are queried first, so that the plan of the next query knows how little it reads.
 */
async function readGroups(sql: Sql, interval: Interval, filter: CountedFilter, grouping: Grouping) {
  const bounds = await boundsOf(sql, interval, filter, grouping)
  const page = await readGroupsWithin(sql, interval, filter, grouping, bounds)
  // Keys of several endpoints have more rows than were counted for them.
  const isShort = bounds.mayBeShort && page.groups.length < grouping.limit
  return isShort ? readGroupsWithin(sql, interval, filter, grouping, { rows: interval, filter }) : page
}

async function boundsOf(
  sql: Sql,
  interval: Interval,
  filter: CountedFilter,
  grouping: Grouping,
): Promise<Bounds> {
  const { by, unit, order, limit } = grouping
  if (order === 'busiest') {
    return {
      rows: interval,
      filter: await amongGreatest(sql, interval, filter, { by, measure: 'requests', limit }),
    }
  }
  if (unit !== null) {
    const rows = await bucketsOfPage(sql, interval, filter, { ...grouping, unit })
    return { rows, filter, mayBeShort: rows !== interval }
  }
  const lastKey = by === 'key' ? await lastKeyOfPage(sql, interval, filter, grouping) : null
  return { rows: interval, filter: { ...filter, lastKey }, mayBeShort: lastKey !== null }
}

/** The rows that contain everything that a page shows. */
interface Bounds {
  readonly rows: Interval
  readonly filter: CountedFilter
  /** True when the page may contain more than these rows. */
  readonly mayBeShort?: boolean
}

async function readGroupsWithin(
  sql: Sql,
  interval: Interval,
  filter: CountedFilter,
  { by, unit, order, after, limit }: Grouping,
  bounds: Bounds,
) {
  const rows = await sql<(GroupRow & { is_total: boolean })[]>`
    WITH grouped AS (
      SELECT id, bucket, max(last_used_at) AS last_used_at, ${sumsIn(sql)}
      FROM (
        SELECT *, ${idOf(sql, by)} AS id,
          ${unit === null ? sql`NULL::timestamptz` : bucketIn(sql, unit, interval)} AS bucket
        FROM (${countsIn(sql, bounds.rows, bounds.filter, by)}) AS counts
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

const isBehind = (sql: Sql, { bucketAt, id }: PagePosition) =>
  bucketAt === null ? sql`id > ${id}` : sql`(bucket, id) > (${new Date(bucketAt)}::timestamptz, ${id})`

/** Reads a series. The others together are what remains of the sums over all. */
async function readSeries(sql: Sql, interval: Interval, filter: CountedFilter, charting: Charting) {
  const { by, unit, measure, top } = charting
  const greatest = await amongGreatest(sql, interval, filter, { by, measure, limit: top })
  const bandSums = sql`sum(requests) AS requests, sum(credits) AS credits, sum(errors) AS errors,
    sum(rate_limited + credit_limited) AS refused`
  const rows = await sql<(SeriesRow & SumsRow & { is_total: boolean })[]>`
    WITH greatest AS MATERIALIZED (
      SELECT ${idOf(sql, by)} AS id, ${bucketIn(sql, unit, interval)} AS bucket, ${bandSums}
      FROM (${countsIn(sql, interval, greatest, by)}) AS counts GROUP BY 1, 2
    ), overall AS MATERIALIZED (
      SELECT ${bucketIn(sql, unit, interval)} AS bucket, ${bandSums}
      FROM (${countsIn(sql, interval, filter, null)}) AS counts GROUP BY 1
    ), others AS (
      SELECT NULL AS id, bucket, sum(requests) AS requests, sum(credits) AS credits, sum(errors) AS errors,
        sum(refused) AS refused
      FROM (
        SELECT bucket, requests, credits, errors, refused FROM overall
        UNION ALL SELECT bucket, -requests, -credits, -errors, -refused FROM greatest
      ) AS differences
      GROUP BY bucket HAVING sum(requests) <> 0 OR sum(refused) <> 0
    )
    SELECT false AS is_total, id, bucket, requests::float8, credits::float8, errors::float8, refused::float8,
      0::float8 AS ok, 0::float8 AS rate_limited, 0::float8 AS credit_limited, 0::float8 AS cached,
      0::float8 AS unanswered, 0::float8 AS bytes_in, 0::float8 AS bytes_out, '' AS latencies
    FROM (SELECT * FROM greatest UNION ALL SELECT * FROM others) AS bands
    UNION ALL
    SELECT true, NULL, now(), requests, credits, errors, 0, ok, rate_limited, credit_limited, cached, unanswered,
      bytes_in, bytes_out, latencies
    FROM (SELECT ${sumsIn(sql)} FROM (${countsIn(sql, interval, filter, null)}) AS all_counts) AS totals`
  return { rows: rows.filter((row) => !row.is_total), totals: totalsIn(rows) }
}

async function readPeriods(sql: Sql, interval: Interval, filter: CountedFilter, unit: BucketUnit) {
  const rows = await sql<(PeriodRow & { is_total: boolean })[]>`
    WITH counts AS MATERIALIZED (${countsIn(sql, interval, filter, null)})
    SELECT false AS is_total, ${bucketIn(sql, unit, interval)} AS bucket, ${sumsIn(sql)} FROM counts GROUP BY 2
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
  coalesce(sum(cached), 0)::float8 AS cached, coalesce(sum(unanswered), 0)::float8 AS unanswered,
  coalesce(sum(bytes_in), 0)::float8 AS bytes_in, coalesce(sum(bytes_out), 0)::float8 AS bytes_out,
  coalesce(sum(latencies), 0)::text AS latencies`
