import type { TransactionSql } from '../../platform/database.ts'
import { dayMs, hourMs } from '../../../shared/durations.ts'
import { type CountedTables, tableOf } from '../table-names.ts'
import {
  beforeAllGroups,
  type ClosedUnit,
  type Closing,
  instantText,
  type RollupProgress,
  type RowGroup,
  sourceTableOf,
} from './progress.ts'
import { partOfHour, rolledUpColumns, sums } from './rolled-up-columns.ts'

const lengths: Readonly<Record<ClosedUnit, number>> = { hours: hourMs, days: dayMs }

/**
 * Makes the next rows of the unit that is being closed, from at most about `limit` rows, and returns the progress after it.
 * Whatever rows were there are replaced: the rows that they are made from are complete, also where an older version of this
 * program has added some of them already.
 */
export async function closePart(
  sql: TransactionSql,
  tables: CountedTables,
  { closedBefore, closing }: RollupProgress & { readonly closing: Closing },
  limit: number,
): Promise<RollupProgress> {
  const { unit, from, after } = closing
  const to = from + lengths[unit]
  const source = sourceTableOf(tables, unit)
  const span = sql`rows.bucket >= ${new Date(from)} AND rows.bucket < ${new Date(to)}`
  const last = await endOfPart(sql, source, span, after, limit)
  const part = sql`${span} AND ${isBehind(sql, after)} ${last === null ? sql`` : sql`AND ${isUpTo(sql, last)}`}`
  const start = unit === 'hours' ? partOfHour(sql, sql`bucket`) : sql`date_trunc('day', bucket, 'UTC')`
  await sql`DELETE FROM ${sql(tableOf(tables, unit))} AS rows WHERE ${part}`
  await sql`
    INSERT INTO ${sql(tableOf(tables, unit))} (${rolledUpColumns(sql)})
    SELECT account_id, level, key_id, ${start} AS start, endpoint, method, ${sums(sql)}
    FROM ${sql(source)} AS rows WHERE ${part}
    GROUP BY account_id, level, key_id, start, endpoint, method`
  if (last !== null) return { closedBefore, closing: { ...closing, after: last } }
  return { closedBefore: { ...closedBefore, [unit]: to }, closing: null }
}

/** Returns the next hour or day that is over and not closed; those without calls are passed over. */
export async function nextToClose(
  sql: TransactionSql,
  tables: CountedTables,
  { closedBefore }: RollupProgress,
  hoursUntil: number,
): Promise<RollupProgress | null> {
  const hour = await firstUnclosed(sql, tables, 'hours', closedBefore.hours)
  if (hour !== null && hour + hourMs <= hoursUntil) return closingOf(closedBefore, 'hours', hour)
  const hours = Math.max(closedBefore.hours, Math.min(hour ?? hoursUntil, hoursUntil))
  const daysUntil = floorTo(hours, dayMs)
  const day = await firstUnclosed(sql, tables, 'days', closedBefore.days)
  if (day !== null && day + dayMs <= hours) return closingOf({ ...closedBefore, hours }, 'days', day)
  const days = Math.max(closedBefore.days, Math.min(day ?? daysUntil, daysUntil))
  if (hours === closedBefore.hours && days === closedBefore.days) return null
  return { closedBefore: { hours, days }, closing: null }
}

const closingOf = (
  closedBefore: RollupProgress['closedBefore'],
  unit: ClosedUnit,
  from: number,
): RollupProgress => ({
  closedBefore,
  closing: { unit, from, after: beforeAllGroups },
})

const floorTo = (at: number, unitMs: number): number => Math.floor(at / unitMs) * unitMs

/** Returns the beginning of the first hour or day that has rows and is not closed. */
async function firstUnclosed(
  sql: TransactionSql,
  tables: CountedTables,
  unit: ClosedUnit,
  closedBefore: number,
): Promise<number | null> {
  const [row] = await sql<{ first: Date | null }[]>`
    SELECT min(bucket) AS first FROM ${sql(sourceTableOf(tables, unit))}
    WHERE level = 3 AND bucket >= ${instantText(closedBefore)}::text::timestamptz`
  return row?.first ? floorTo(row.first.getTime(), lengths[unit]) : null
}

type Condition = ReturnType<typeof isBehind>

/** Returns the last group of a part; null when what is left is no more than one. Groups are never divided. */
async function endOfPart(
  sql: TransactionSql,
  source: string,
  span: Condition,
  after: RowGroup,
  limit: number,
): Promise<RowGroup | null> {
  const [last] = await sql<{ account_id: string; level: number; key_id: string }[]>`
    SELECT account_id, level, key_id FROM ${sql(source)} AS rows WHERE ${span} AND ${isBehind(sql, after)}
    ORDER BY account_id, level, key_id OFFSET ${limit - 1} LIMIT 1`
  return last === undefined ? null : { accountId: last.account_id, level: last.level, keyId: last.key_id }
}

const isBehind = (sql: TransactionSql, { accountId, level, keyId }: RowGroup) =>
  sql`(rows.account_id, rows.level, rows.key_id) > (${accountId}, ${level}::smallint, ${keyId})`

const isUpTo = (sql: TransactionSql, { accountId, level, keyId }: RowGroup) =>
  sql`(rows.account_id, rows.level, rows.key_id) <= (${accountId}, ${level}::smallint, ${keyId})`
