import type { UsageMeasure } from '../../../shared/usage.ts'
import type { Sql } from '../../platform/database.ts'
import { countsIn, type CountedFilter, type GroupBy, idOf, isIn, sourcesOf } from './counted-rows.ts'
import { tableOf } from '../table-names.ts'
import { type Interval, type BucketUnit, unitEnd, intersectionOf } from './interval.ts'
import { dayMs } from '../../../shared/durations.ts'
import { hourPartsOfDay } from '../hour-parts.ts'

/*
 * What a page or a chart needs at most, found with little reading: a whole row, with its histogram, is much dearer to
 * read and add up than one number of it.
 */

/** The place after which a page begins. */
export interface PagePosition {
  readonly bucketAt: number | null
  readonly id: string
}

/** The most rows that a day has of what is one row by the day. */
const rowsOfDay = { minutes: 1_440, fives: 288, hours: hourPartsOfDay, days: 1 }

interface Page {
  readonly by: GroupBy
  readonly after: PagePosition | null
  readonly limit: number
}

/**
 * Returns a key after which no other need be read for a page; null when all must be. It counts as many rows as a page
 * of keys can have, and not keys, so that PostgreSQL walks an index whatever it estimates about the number of keys.
 */
export async function lastKeyOfPage(
  sql: Sql,
  interval: Interval,
  filter: CountedFilter,
  { by, after, limit }: Page,
): Promise<string | null> {
  const lastKeys = sourcesOf(interval, filter, by).flatMap((source) => {
    const { unit: rowsFor, span } = source
    if (rowsFor === 'minutes') return []
    const buckets = Math.ceil((span.to - span.from) / dayMs) * rowsOfDay[rowsFor]
    return sql`(
      SELECT key_id FROM ${sql(tableOf(filter.tables, rowsFor))}
      WHERE ${isIn(sql, source, filter)} AND key_id > ${after?.id ?? ''}
      ORDER BY key_id LIMIT 1 OFFSET ${limit * buckets}
    )`
  })
  const [last] = await sql<{ key_id: string | null }[]>`
    SELECT min(key_id) AS key_id FROM (${lastKeys.reduce((all, some) => sql`${all} UNION ALL ${some}`)}) AS last_keys`
  return last?.key_id ?? null
}

/** Returns the hours or days that a page can touch; the interval itself where all must be read. */
export async function bucketsOfPage(
  sql: Sql,
  interval: Interval,
  filter: CountedFilter,
  { by, unit, after, limit }: Page & { readonly unit: BucketUnit },
): Promise<Interval> {
  const left = intersectionOf(interval, { from: after?.bucketAt ?? interval.from, to: interval.to })
  const lastBuckets = sourcesOf(left, filter, by).flatMap((source) => {
    const { unit: rowsFor } = source
    if (rowsFor === 'minutes') return []
    const rowsOfItem = unit === 'day' ? rowsOfDay[rowsFor] : unit === 'hour' && rowsFor === 'fives' ? 12 : 2
    // The page before may have ended in the first bucket.
    const rows = limit * rowsOfItem * 2
    return sql`(
      SELECT bucket FROM ${sql(tableOf(filter.tables, rowsFor))} WHERE ${isIn(sql, source, filter)}
      ORDER BY bucket LIMIT 1 OFFSET ${rows}
    )`
  })
  if (lastBuckets.length === 0) return left
  const [last] = await sql<{ bucket: Date | null }[]>`
    SELECT min(bucket) AS bucket FROM (${lastBuckets.reduce((all, some) => sql`${all} UNION ALL ${some}`)}) AS last_buckets`
  if (!last?.bucket) return left
  return intersectionOf(left, { from: left.from, to: unitEnd(last.bucket.getTime(), unit, interval) })
}

/**
 * Restricts a filter to the greatest by one measure: few keys of many, so that the other numbers of the rest need not
 * be read.
 */
export async function amongGreatest(
  sql: Sql,
  interval: Interval,
  filter: CountedFilter,
  { by, measure, limit }: { by: GroupBy; measure: UsageMeasure; limit: number },
): Promise<CountedFilter> {
  if (by !== 'key' && by !== 'method') return filter
  const rows = await sql<{ id: string }[]>`
    SELECT ${idOf(sql, by)} AS id FROM (${countsIn(sql, interval, filter, by)}) AS counts
    GROUP BY id ORDER BY sum(${measureOf(sql, measure)}) DESC, id LIMIT ${limit}`
  const ids = rows.map(({ id }) => id)
  return by === 'key' ? { ...filter, keys: ids } : { ...filter, methods: ids }
}

const measureOf = (sql: Sql, measure: UsageMeasure) =>
  measure === 'refused' ? sql`rate_limited + credit_limited` : sql`${sql(measure)}`
