import { minuteMs } from '../../shared/durations.ts'
import type { Database } from '../platform/database.ts'
import { makePartitions } from '../platform/postgres/partitions.ts'
import { type CountedTables, tableOf } from './table-names.ts'
import type { AttemptCount } from './counting/attempt-counts.ts'

/** What was sent upstream, in PostgreSQL. */
export interface AttemptStore {
  /** Raises rows to at least these counts, which only grow: a repeated write changes nothing. */
  write(writer: string, counts: readonly AttemptCount[]): Promise<void>
  /** Returns sums; those of more than `limit` rows are cut. `unitMinutes` null: one for the whole time. */
  read(question: AttemptQuestion): Promise<AttemptRow[]>
}

export interface AttemptQuestion {
  /** Null: all accounts. */
  readonly accountId: string | null
  readonly from: number
  readonly to: number
  readonly endpoint: string | undefined
  readonly keyId?: string | undefined
  /** Whether each key has rows of its own. */
  readonly isByKey?: boolean
  readonly unitMinutes: number | null
  readonly limit: number
}

export interface AttemptRow {
  readonly bucket: Date | null
  /** Null unless it is asked for. Empty: keys that were not told apart. */
  readonly key_id: string | null
  readonly endpoint: string
  readonly upstream: string
  readonly class: string
  readonly attempts: number
  readonly took_ms: number
}

const deadlineMs = 15_000

export function createAttemptStore(database: Database, tables: CountedTables = 'usage'): AttemptStore {
  const table = tableOf(tables, 'attempts')
  return {
    async write(writer, counts) {
      if (counts.length === 0) return
      await database.transaction(async (sql) => {
        await makePartitions(sql, table, [...new Set(counts.map(({ minute }) => minute * minuteMs))])
        await sql`
          INSERT INTO ${sql(table)} AS kept (account_id, bucket, endpoint, upstream, class, key_id, writer, attempts, took_ms)
          SELECT account_id, to_timestamp(minute * 60), endpoint, upstream, class, key_id, ${writer}, attempts, took_ms
          FROM unnest(
            ${counts.map((count) => count.accountId)}::text[],
            ${counts.map((count) => count.minute)}::float8[],
            ${counts.map((count) => count.endpoint)}::text[],
            ${counts.map((count) => count.upstream)}::text[],
            ${counts.map((count) => count.class)}::text[],
            ${counts.map((count) => count.keyId)}::text[],
            ${counts.map((count) => count.attempts)}::float8[],
            ${counts.map((count) => Math.round(count.tookMs))}::float8[]
          ) AS fresh (account_id, minute, endpoint, upstream, class, key_id, attempts, took_ms)
          ON CONFLICT (account_id, bucket, endpoint, upstream, class, key_id, writer) DO UPDATE SET
            attempts = greatest(kept.attempts, excluded.attempts),
            took_ms = greatest(kept.took_ms, excluded.took_ms)`
      }, deadlineMs)
    },
    read: ({ accountId, from, to, endpoint, keyId, isByKey = false, unitMinutes, limit }) =>
      database.run(
        (sql) => sql<AttemptRow[]>`
          SELECT ${
            unitMinutes === null
              ? sql`NULL::timestamptz`
              : sql`date_bin(${`${unitMinutes} minutes`}, bucket, 'epoch')`
          } AS bucket, ${isByKey ? sql`key_id` : sql`NULL::text`} AS key_id, endpoint, upstream, class, sum(attempts)::float8 AS attempts, sum(took_ms)::float8 AS took_ms
          FROM ${sql(table)}
          WHERE bucket >= ${new Date(from)} AND bucket < ${new Date(to)}
            ${accountId === null ? sql`` : sql`AND account_id = ${accountId}`}
            ${endpoint === undefined ? sql`` : sql`AND endpoint = ${endpoint}`}
            ${keyId === undefined ? sql`` : sql`AND key_id = ${keyId}`}
          GROUP BY 1, 2, endpoint, upstream, class ORDER BY 1, endpoint, upstream, class, 2 LIMIT ${limit}`,
        deadlineMs,
      ),
  }
}
