import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { type PeriodicJob, createPeriodicJob } from '../../platform/periodic-job.ts'
import { dayStart, dropPartitions, makePartitions } from '../../platform/postgres/partitions.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { dayMs } from '../../../shared/durations.ts'

/** How long each kind of history is kept, in days. Daily rollups are kept for good. */
export interface Retention {
  readonly fiveMinutesDays: number
  readonly hoursDays: number
  readonly transitionsDays: number
}

const keepEveryMs = 600_000
/** How late (ms) additions to the finest rollups may come: offline verifiers send observations up to an hour old. */
const lateMs = 2 * 3_600_000

/**
 * Creates the job that makes partitions before they are needed, merges fine rollups into coarse ones, and drops what is
 * too old. Its `run` does everything that is due, at any time and in several processes.
 */
export function createHistoryMaintenance(options: {
  database: Database
  clock: SteadyClock
  log: Log
  retention: Retention
  /** Whether the timer has anything to do: one process is enough for all. */
  isDue?: () => boolean
}): PeriodicJob {
  const { database, clock, log, retention, isDue = () => true } = options
  let joinedAt: number | null = null

  /** Creates the partitions of every day since `since`, and of tomorrow. */
  async function preparePartitions(since: number, now: number): Promise<void> {
    const days: number[] = []
    for (let day = dayStart(since); day <= now + dayMs; day += dayMs) days.push(day)
    await database.transaction(async (sql) => {
      await makePartitions(sql, 'health_rollup_5m', days)
      await makePartitions(sql, 'health_rollup_1h', days)
    }, 30_000)
  }

  /** Resolves to when something was stored last before this start: rows since then may not be merged yet. */
  async function lastStoredAt(): Promise<number | null> {
    const [newest] = await database.run(
      (sql) => sql<{ at: Date | null }[]>`SELECT max(stored_at) AS at FROM history_batches`,
    )
    return newest?.at?.getTime() ?? null
  }

  async function dropOldPartitions(table: string, before: number): Promise<void> {
    for (const name of await dropPartitions(database, table, before)) {
      log.info('dropped old history', { table: name })
    }
  }

  /** Merges the rows since `since` again. It includes late additions, and repeating it changes nothing. */
  async function joinRollups(
    fine: string,
    coarse: string,
    unit: 'hour' | 'day',
    since: number,
  ): Promise<void> {
    await database.run(
      (sql) => sql`
        INSERT INTO ${sql(coarse)}
        SELECT service_id, date_trunc(${unit}, bucket, 'UTC') AS start, sum(up_ms), sum(latency_ms), sum(down_ms),
          sum(probes), sum(failures), sum(lag_blocks_sum), max(lag_blocks_max), sum(lag_sec_sum), max(lag_sec_max),
          sum(rtt_p50_ms * (probes - failures)) / greatest(sum(probes - failures), 1),
          sum(rtt_p95_ms * (probes - failures)) / greatest(sum(probes - failures), 1),
          min(live_min)
        FROM ${sql(fine)} WHERE bucket >= date_trunc(${unit}, ${new Date(since)}::timestamptz, 'UTC')
        GROUP BY service_id, start
        ON CONFLICT (service_id, bucket) DO UPDATE SET
          up_ms = excluded.up_ms, latency_ms = excluded.latency_ms, down_ms = excluded.down_ms,
          probes = excluded.probes, failures = excluded.failures, lag_blocks_sum = excluded.lag_blocks_sum,
          lag_blocks_max = excluded.lag_blocks_max, lag_sec_sum = excluded.lag_sec_sum,
          lag_sec_max = excluded.lag_sec_max, rtt_p50_ms = excluded.rtt_p50_ms, rtt_p95_ms = excluded.rtt_p95_ms,
          live_min = excluded.live_min`,
      60_000,
    )
  }

  async function keep(): Promise<void> {
    const now = clock.now()
    const today = dayStart(now)
    joinedAt ??= (await lastStoredAt()) ?? now
    // All rows since the last run, however long ago: the server may have been off, or the database away.
    const since = Math.min(joinedAt, now) - lateMs
    await preparePartitions(Math.min(since, today - dayMs), now)
    await joinRollups('health_rollup_5m', 'health_rollup_1h', 'hour', since)
    await joinRollups('health_rollup_1h', 'health_rollup_1d', 'day', since)
    joinedAt = now
    await dropOldPartitions('health_rollup_5m', today - retention.fiveMinutesDays * dayMs)
    await dropOldPartitions('health_rollup_1h', today - retention.hoursDays * dayMs)
    await database.run(async (sql) => {
      await sql`DELETE FROM history_batches WHERE stored_at < now() - interval '1 day'`
      // The newest old transition stays: it determines the state in which the stored history begins.
      await sql`
        DELETE FROM health_transitions AS old USING health_transitions AS newer
        WHERE newer.service_id = old.service_id AND newer.id > old.id
          AND newer.at < ${new Date(now - retention.transitionsDays * dayMs)}`
    }, 60_000)
  }

  let isPrepared = false

  /** The first run makes partitions, whoever decides. */
  async function keepIfDue(): Promise<void> {
    if (!isPrepared || isDue()) await keep()
    isPrepared = true
  }

  return createPeriodicJob(keepEveryMs, keepIfDue, (error) =>
    log.warn('history was not tidied; it will be tried again', { error }),
  )
}
