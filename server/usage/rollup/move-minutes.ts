import type { TransactionSql } from '../../platform/database.ts'
import { type CountedTables, tableOf } from '../table-names.ts'
import { dayMs } from '../../../shared/durations.ts'
import { type ClosedBefore, instantText } from './progress.ts'
import { adding, partOfHour, rolledUpColumns, sums } from './rolled-up-columns.ts'

/** A place in the rows of minutes of one day, in the order of their index. */
export interface MinutesPlace {
  /** The beginning of the day, epoch ms. */
  readonly day: number
  readonly accountId: string
  /** As PostgreSQL writes it. */
  readonly bucket: string
  readonly keyId: string
}

export const beginningOf = (day: number): MinutesPlace => ({
  day,
  accountId: '',
  bucket: '-infinity',
  keyId: '',
})

interface MinutesPart {
  readonly after: MinutesPlace
  readonly fivesSince: number
  readonly closedBefore: ClosedBefore
  readonly limit: number
}

/**
 * Moves the final rows among the next `limit` rows of a day: their writer has closed these minutes, and nothing more is
 * accepted for them. So every count is added once, however late it came. Returns the place to go on from; null at the end of
 * the day.
 *
 * Rows become those of five minutes. Of hours and days that were closed before, rows are there already, and are added to.
 */
export async function moveMinutes(
  sql: TransactionSql,
  tables: CountedTables,
  { after, fivesSince, closedBefore, limit }: MinutesPart,
): Promise<MinutesPlace | null> {
  const next = await endOfPart(sql, tables, after, limit)
  await sql`
    WITH moved AS (
      DELETE FROM ${sql(tableOf(tables, 'minutes'))} AS minutes USING ${sql(tableOf(tables, 'writers'))} AS writers
      WHERE writers.id = writer AND bucket < final_before AND ${isBehind(sql, after)} AND ${isUpTo(sql, next)}
      RETURNING minutes.*
    ), single AS MATERIALIZED (
      SELECT account_id, date_bin('5 minutes', bucket, 'epoch') AS start, endpoint, key_id, method,
        sum(requests) AS requests, sum(credits - credits_back) AS credits, sum(ok) AS ok, sum(errors) AS errors,
        sum(rate_limited) AS rate_limited, sum(credit_limited) AS credit_limited, sum(cached) AS cached,
        sum(unanswered) AS unanswered, sum(bytes_in) AS bytes_in, sum(bytes_out) AS bytes_out,
        sum(latencies) AS latencies, max(bucket) AS last_used_at
      FROM moved GROUP BY 1, 2, 3, 4, 5
    ), rolled_up (${rolledUpColumns(sql)}) AS MATERIALIZED (
      SELECT account_id, grouping(key_id, method), coalesce(key_id, ''), start, endpoint, coalesce(method, ''), ${sums(sql)}
      FROM single
      GROUP BY GROUPING SETS (
        (account_id, start, endpoint, key_id, method), (account_id, start, endpoint, key_id),
        (account_id, start, endpoint, method), (account_id, start, endpoint)
      )
      HAVING account_id <> '' OR grouping(key_id, method) = 3
    ), by_hour AS (
      INSERT INTO ${sql(tableOf(tables, 'hours'))} AS kept (${rolledUpColumns(sql)})
      SELECT account_id, level, key_id, ${partOfHour(sql, sql`bucket`)} AS start, endpoint, method, ${sums(sql)}
      FROM rolled_up WHERE bucket < ${instantText(closedBefore.hours)}::text::timestamptz
      GROUP BY account_id, level, key_id, start, endpoint, method ${adding(sql)}
    ), by_day AS (
      INSERT INTO ${sql(tableOf(tables, 'days'))} AS kept (${rolledUpColumns(sql)})
      SELECT account_id, level, key_id, date_trunc('day', bucket, 'UTC') AS start, endpoint, method, ${sums(sql)}
      FROM rolled_up WHERE bucket < ${instantText(closedBefore.days)}::text::timestamptz
      GROUP BY account_id, level, key_id, start, endpoint, method ${adding(sql)}
    )
    INSERT INTO ${sql(tableOf(tables, 'fives'))} AS kept (${rolledUpColumns(sql)})
    SELECT ${rolledUpColumns(sql)} FROM rolled_up WHERE bucket >= ${instantText(fivesSince)}::text::timestamptz
    ${adding(sql)}`
  return next
}

/** Returns the last place of a part; null when what is left of the day is no more than one. */
async function endOfPart(
  sql: TransactionSql,
  tables: CountedTables,
  after: MinutesPlace,
  limit: number,
): Promise<MinutesPlace | null> {
  const [last] = await sql<{ account_id: string; bucket: string; key_id: string }[]>`
    SELECT account_id, bucket::text AS bucket, key_id FROM ${sql(tableOf(tables, 'minutes'))} AS minutes
    WHERE ${isBehind(sql, after)}
    ORDER BY minutes.account_id, minutes.bucket, minutes.key_id OFFSET ${limit - 1} LIMIT 1`
  if (last === undefined) return null
  return { day: after.day, accountId: last.account_id, bucket: last.bucket, keyId: last.key_id }
}

const isBehind = (sql: TransactionSql, { day, accountId, bucket, keyId }: MinutesPlace) => sql`
  minutes.bucket >= ${new Date(day)} AND minutes.bucket < ${new Date(day + dayMs)}
  AND (minutes.account_id, minutes.bucket, minutes.key_id) > (${accountId}, ${bucket}::text::timestamptz, ${keyId})`

const isUpTo = (sql: TransactionSql, last: MinutesPlace | null) =>
  last === null
    ? sql`true`
    : sql`(minutes.account_id, minutes.bucket, minutes.key_id)
        <= (${last.accountId}, ${last.bucket}::text::timestamptz, ${last.keyId})`
