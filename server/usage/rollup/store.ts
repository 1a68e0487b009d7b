import type { Database, TransactionSql } from '../../platform/database.ts'
import { makePartitions, partitionDays } from '../../platform/postgres/partitions.ts'
import { type CountedTables, tableOf } from '../table-names.ts'
import { closePart, nextToClose } from './close-units.ts'
import { type MinutesPlace, moveMinutes } from './move-minutes.ts'
import { type ClosedBefore, type RollupProgress, readProgress, writeProgress } from './progress.ts'

/** Moves rows from minutes to five minutes, and makes those of hours and days. */
export interface RollupStore {
  /** Returns the beginnings of the days that have rows of minutes, in order, and makes room for what becomes of them. */
  daysOfMinutes(fivesSince: number): Promise<number[]>
  /** Does the next part of the work, in one transaction with its progress. */
  advance(step: RollupStep): Promise<Advance>
  closedBefore(): Promise<ClosedBefore>
  /** Closes writers that have not written since an instant. */
  closeLostWriters(since: number): Promise<void>
  /**
   * Runs ANALYZE, unless it ran since an instant. PostgreSQL does so by itself for partitions only, not for the
   * partitioned tables.
   */
  analyzeUnlessSince(since: number): Promise<void>
}

export interface RollupStep {
  /** Where this run goes on in the rows of minutes; null when it has seen all. */
  readonly after: MinutesPlace | null
  /** Rows of five minutes are made from this instant on; older ones are not kept. */
  readonly fivesSince: number
  /** Hours that ended by this instant are closed. */
  readonly hoursUntil: number
  /** The number of rows that a part is made from. */
  readonly limit: number
}

export type Advance =
  /** Another process is rolling up, or nothing is left to do. */
  | { readonly kind: 'finished' }
  | { readonly kind: 'moved'; readonly next: MinutesPlace | null }
  | { readonly kind: 'closed' }

/** The advisory locks of all processes that roll up; the numbers have no other meaning. */
const rollupLocks = { usage: 7_236_582_402, tool_usage: 7_236_582_403 }
const advanceDeadlineMs = 20_000
/** Allows for ANALYZE, which takes some seconds for two years of days. */
const analyzeDeadlineMs = 120_000

const rolledUpUnits = ['fives', 'hours', 'days'] as const

export function createRollupStore(database: Database, tables: CountedTables): RollupStore {
  const rolledUpTables = rolledUpUnits.map((unit) => tableOf(tables, unit))
  return {
    async daysOfMinutes(fivesSince) {
      const all = await partitionDays(database, tableOf(tables, 'minutes'))
      const days = await daysWithRows(database, tables, all)
      // Not together with the rows: whoever else needs a partition would wait for them.
      await database.transaction(async (sql) => {
        const fives = days.filter((day) => day >= fivesSince)
        await makePartitions(sql, tableOf(tables, 'fives'), fives)
        await makePartitions(sql, tableOf(tables, 'hours'), days)
        await makePartitions(sql, tableOf(tables, 'days'), days, 'month')
      })
      return days
    },
    advance: (step) => database.transaction((sql) => advance(sql, tables, step), advanceDeadlineMs),
    async closedBefore() {
      const { closedBefore } = await database.run((sql) => readProgress(sql, tables))
      return closedBefore
    },
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
 * A unit that is being closed comes first: while its rows are made, none may be added to what they are made from.
 */
async function advance(
  sql: TransactionSql,
  tables: CountedTables,
  { after, fivesSince, hoursUntil, limit }: RollupStep,
): Promise<Advance> {
  const [lock] = await sql<
    { is_mine: boolean }[]
  >`SELECT pg_try_advisory_xact_lock(${rollupLocks[tables]}) AS is_mine`
  if (lock?.is_mine !== true) return { kind: 'finished' }
  // A part is a short piece of an index, which statistics of a table that has just grown do not tell.
  await sql`SELECT set_config('enable_seqscan', 'off', true), set_config('work_mem', '64MB', true)`
  const progress = await readProgress(sql, tables)
  const { closedBefore } = progress
  if (progress.closing === null && after !== null)
    return { kind: 'moved', next: await moveMinutes(sql, tables, { after, fivesSince, closedBefore, limit }) }
  const begun = progress.closing === null ? await nextToClose(sql, tables, progress, hoursUntil) : progress
  if (begun === null) return { kind: 'finished' }
  const { closing } = begun
  const reached: RollupProgress =
    closing === null ? begun : await closePart(sql, tables, { ...begun, closing }, limit)
  await writeProgress(sql, tables, reached)
  return { kind: 'closed' }
}

async function daysWithRows(
  database: Database,
  tables: CountedTables,
  days: readonly number[],
): Promise<number[]> {
  const starts = days.map((day) => new Date(day).toISOString())
  const rows = await database.run(
    (sql) => sql<{ day: Date }[]>`
      SELECT day FROM unnest(${starts}::text[]::timestamptz[]) AS day
      WHERE EXISTS (
        SELECT FROM ${sql(tableOf(tables, 'minutes'))} WHERE bucket >= day AND bucket < day + interval '24 hours')
      ORDER BY day`,
    advanceDeadlineMs,
  )
  return rows.map(({ day }) => day.getTime())
}
