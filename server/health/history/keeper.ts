import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'

/** How long each kind of history is kept, in days. Daily rollups are kept for good. */
export interface Retention {
  readonly fiveMinutesDays: number
  readonly hoursDays: number
  readonly transitionsDays: number
}

/** Makes partitions before they are needed, joins fine rollups into coarse ones, and drops what is too old. */
export interface Keeper {
  /** Everything that is due now. Safe to call at any time and from several processes. */
  keep(): Promise<void>
  start(): void
  stop(): void
}

const dayMs = 86_400_000
const keepEveryMs = 600_000
/** One advisory lock for all keepers of a database; the number has no meaning beyond being ours. */
const keeperLock = 7_236_582_401

const dayStart = (at: number): number => Math.floor(at / dayMs) * dayMs
const dayName = (at: number): string => new Date(at).toISOString().slice(0, 10).replaceAll('-', '')

export function createKeeper(options: {
  database: Database
  clock: SteadyClock
  log: Log
  retention: Retention
}): Keeper {
  const { database, clock, log, retention } = options
  let timer: Timer | undefined

  /** Yesterday's too: verifiers that were offline bring in observations up to an hour old. */
  async function makePartitions(today: number): Promise<void> {
    await database.transaction(async (sql) => {
      await sql`SELECT pg_advisory_xact_lock(${keeperLock})`
      for (const table of ['health_rollup_5m', 'health_rollup_1h']) {
        for (const day of [today - dayMs, today, today + dayMs]) {
          const [from, to] = [new Date(day).toISOString(), new Date(day + dayMs).toISOString()]
          await sql.unsafe(
            `CREATE TABLE IF NOT EXISTS ${table}_${dayName(day)} PARTITION OF ${table} FOR VALUES FROM ('${from}') TO ('${to}')`,
          )
        }
      }
    }, 30_000)
  }

  async function dropOldPartitions(table: string, before: number): Promise<void> {
    const partitions = await database.run(
      (sql) => sql<{ name: string }[]>`
        SELECT child.relname AS name FROM pg_inherits
        JOIN pg_class AS child ON child.oid = inhrelid JOIN pg_class AS parent ON parent.oid = inhparent
        WHERE parent.relname = ${table}`,
    )
    const oldest = `${table}_${dayName(before)}`
    for (const { name } of partitions) {
      if (name >= oldest) continue
      await database.run((sql) => sql`DROP TABLE IF EXISTS ${sql(name)}`, 30_000)
      log.info('dropped old history', { table: name })
    }
  }

  /** Joins the rows since `since` anew: late additions are counted, and doing it twice changes nothing. */
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
          sum(rtt_p50_ms * probes) / greatest(sum(probes), 1), sum(rtt_p95_ms * probes) / greatest(sum(probes), 1),
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
    await makePartitions(today)
    await joinRollups('health_rollup_5m', 'health_rollup_1h', 'hour', now - 2 * 3_600_000)
    await joinRollups('health_rollup_1h', 'health_rollup_1d', 'day', now - dayMs)
    await dropOldPartitions('health_rollup_5m', today - retention.fiveMinutesDays * dayMs)
    await dropOldPartitions('health_rollup_1h', today - retention.hoursDays * dayMs)
    await database.run(async (sql) => {
      await sql`DELETE FROM history_batches WHERE stored_at < now() - interval '1 day'`
      // The newest old one stays: it says in which state the kept history begins.
      await sql`
        DELETE FROM health_transitions AS old USING health_transitions AS newer
        WHERE newer.service_id = old.service_id AND newer.id > old.id
          AND newer.at < ${new Date(now - retention.transitionsDays * dayMs)}`
    }, 60_000)
  }

  return {
    keep,
    start() {
      timer = setInterval(() => {
        keep().catch((error: unknown) =>
          log.warn('history was not tidied; it will be tried again', { error }),
        )
      }, keepEveryMs)
    },
    stop: () => clearInterval(timer),
  }
}
