import type { Sql } from '../../platform/database.ts'
import { type CountedTables, type CountedUnit, tableOf } from '../table-names.ts'
import type { ClosedBefore } from '../rollup/progress.ts'
import type { Interval, TimeSpan, BucketUnit } from './interval.ts'

/** Selects the calls that are summed. */
export interface Filter {
  /** The account; null for all accounts. */
  readonly accountId: string | null
  readonly keyId?: string | undefined
  readonly endpoint?: string | undefined
  readonly method?: string | undefined
  /** Limits the sum to keys up to this id. */
  readonly lastKey?: string | null
  /** Limits the sum to these keys, or methods. */
  readonly keys?: readonly string[]
  readonly methods?: readonly string[]
}

/** A filter of the calls that are counted in some tables. */
export interface CountedFilter extends Filter {
  readonly tables: CountedTables
  /** Which rows hold what. */
  readonly closedBefore: ClosedBefore
}

export type GroupBy = 'key' | 'method' | 'method of key' | 'endpoint' | 'method of endpoint' | 'account'

/** Returns the id of what is grouped. `methodIn` finds both parts of one again. */
export function idOf(sql: Sql, by: GroupBy) {
  switch (by) {
    case 'key':
      return sql`key_id`
    case 'method':
      return sql`method`
    case 'method of key':
      return sql`key_id || ' ' || method`
    case 'endpoint':
      return sql`endpoint`
    case 'method of endpoint':
      return sql`endpoint || ' ' || method`
    case 'account':
      return sql`account_id`
  }
}

/** Returns what `idOf` joined. A method may hold a blank, and what it is a method of never does. */
export function methodIn(id: string): { of: string; method: string } {
  const blank = id.indexOf(' ')
  return { of: id.slice(0, blank), method: id.slice(blank + 1) }
}

/** Returns a query for all rows of the interval. No two of them hold the same call. */
export function countsIn(sql: Sql, interval: Interval, filter: CountedFilter, by: GroupBy | null) {
  return sourcesOf(interval, filter, by)
    .map((source) => countsOf(sql, source, filter))
    .reduce((all, part) => sql`${all} UNION ALL ${part}`)
}

/** A table that holds counts of an interval. Rows of minutes distinguish everything, except those of everybody. */
export interface CountedRowsSource {
  readonly unit: CountedUnit
  readonly span: TimeSpan
  readonly level: Level
}

/** What is not closed yet is in the rows of the next shorter unit. */
export function sourcesOf(
  interval: Interval,
  filter: CountedFilter,
  by: GroupBy | null,
): CountedRowsSource[] {
  const { from, to, hours, days, fives } = interval
  const level = levelOf(filter, by)
  const sources: CountedRowsSource[] = [{ unit: 'minutes', span: { from, to }, level }]
  const add = (unit: CountedUnit, span: TimeSpan): void => {
    if (span.from < span.to) sources.push({ unit, span, level })
  }
  if (fives !== null) {
    add('fives', fives)
    return sources
  }
  const closed = filter.closedBefore
  for (const span of hours) add('hours', { from: span.from, to: Math.min(span.to, closed.hours) })
  if (days !== null) {
    add('days', { from: days.from, to: Math.min(days.to, closed.days) })
    add('hours', { from: Math.max(days.from, closed.days), to: Math.min(days.to, closed.hours) })
  }
  add('fives', { from: Math.max(from, closed.hours), to })
  return sources
}

/** Returns the beginning of the unit that `at` lies in. */
export function bucketIn(sql: Sql, unit: BucketUnit, { dayStarts }: Interval) {
  switch (unit) {
    case '5m':
      return sql`date_bin('5 minutes', at, 'epoch')`
    case 'hour':
      return sql`date_trunc('hour', at, 'UTC')`
    case 'day': {
      if (dayStarts === null) return sql`date_trunc('day', at, 'UTC')`
      const starts = dayStarts.map((start) => new Date(start).toISOString())
      return sql`(${starts}::timestamptz[])[width_bucket(at, ${starts}::timestamptz[])]`
    }
  }
}

function countsOf(sql: Sql, source: CountedRowsSource, filter: CountedFilter) {
  const table = sql(tableOf(filter.tables, source.unit))
  if (source.unit === 'minutes') {
    return sql`
      SELECT bucket AS at, account_id, endpoint, key_id, method, requests, credits - credits_back AS credits, ok,
        errors, rate_limited, credit_limited, cached, unanswered, bytes_in, bytes_out, latencies, bucket AS last_used_at
      FROM ${table} WHERE ${isIn(sql, source, filter)}`
  }
  return sql`
    SELECT bucket AS at, account_id, endpoint, key_id, method, requests, credits, ok, errors, rate_limited,
      credit_limited, cached, unanswered, bytes_in, bytes_out, latencies, last_used_at
    FROM ${table} WHERE ${isIn(sql, source, filter)}`
}

/** What rows distinguish: methods of keys, keys, methods, only accounts, or nothing but endpoints. */
type Level = 'methods of keys' | 'keys' | 'methods' | 'accounts' | 'everybody'

/** Returns the coarsest level that still distinguishes what is asked for. */
export function levelOf(filter: Filter, by: GroupBy | null): Level {
  const tellsMethods = by?.startsWith('method') === true || filter.method !== undefined
  const tellsKeys = by === 'key' || by === 'method of key' || filter.keyId !== undefined
  if (tellsKeys) return tellsMethods ? 'methods of keys' : 'keys'
  if (tellsMethods) return 'methods'
  return filter.accountId === null && by !== 'account' ? 'everybody' : 'accounts'
}

/**
 * Returns the condition for a level as a constant: the indexes of one level are not used for a level that is a
 * parameter.
 */
function isAt(sql: Sql, level: Level) {
  switch (level) {
    case 'methods of keys':
      return sql`level = 0`
    case 'keys':
      return sql`level = 1`
    case 'methods':
      return sql`level = 2`
    case 'accounts':
    case 'everybody':
      return sql`level = 3`
  }
}

/** The sums over everybody are those of an account without an id. */
function isOf(sql: Sql, level: Level, accountId: string | null) {
  if (accountId !== null) return sql`account_id = ${accountId}`
  return level === 'everybody' ? sql`account_id = ''` : sql`account_id <> ''`
}

/** Returns the condition for the rows of a source that a filter selects. */
export const isIn = (
  sql: Sql,
  { unit, level, span: { from, to } }: CountedRowsSource,
  { accountId, keyId, endpoint, method, lastKey = null, keys, methods }: Filter,
) => sql`
  bucket >= ${new Date(from)} AND bucket < ${new Date(to)} AND ${isOf(sql, level, accountId)}
  ${unit === 'minutes' ? sql`` : sql`AND ${isAt(sql, level)}`}
  ${keyId === undefined ? sql`` : sql`AND key_id = ${keyId}`}
  ${lastKey === null ? sql`` : sql`AND key_id <= ${lastKey}`}
  ${endpoint === undefined ? sql`` : sql`AND endpoint = ${endpoint}`}
  ${method === undefined ? sql`` : sql`AND method = ${method}`}
  ${keys === undefined ? sql`` : sql`AND key_id = ANY(${keys}::text[])`}
  ${methods === undefined ? sql`` : sql`AND method = ANY(${methods}::text[])`}`
