import type { Decision } from '../../../shared/health.ts'
import type { Database, TransactionSql } from '../../platform/database.ts'
import { isChangeOfDecision } from './transition.ts'
import { makePartitions } from '../../platform/postgres/partitions.ts'
import type { RollupAddition } from './rollup-addition.ts'
import { rttPercentile } from './rtt-histogram.ts'
import type { Cause } from '../decide/cause.ts'
import type { HealthState } from '../decide/state-machine.ts'
import type { PastTransition, Transition } from './transition.ts'
import type { UptimeSpan } from './uptime.ts'

/** The last published decision of a service, with the state to restore. */
export interface SavedHealth {
  serviceId: string
  published: Decision
  state: HealthState
  liveVerifiers: number
  avgBlocksLatency: number
  avgTimeLatency: number
  evaluatedAt: number
  quorumExpiresAt: number
  /** Why it is LATENCY or DOWN; null for other decisions. */
  cause: Cause | null
}

/** Length of a rollup's buckets; the names are those of the tables. */
export type RollupResolution = '5m' | '1h' | '1d'

/** One rollup bucket of a service, as it is read. */
export interface Rollup {
  at: number
  upMs: number
  latencyMs: number
  downMs: number
  probes: number
  failures: number
  lagBlocksAvg: number
  lagBlocksMax: number
  lagSecAvg: number
  rttP50Ms: number
  rttP95Ms: number
}

/** The rows that one flush stores. Its id makes it safe to send it twice. */
export interface HistoryBatch {
  readonly id: string
  readonly healths: readonly SavedHealth[]
  readonly transitions: readonly Transition[]
  readonly rollups: readonly RollupAddition[]
}

export interface HistoryStore {
  save(batch: HistoryBatch): Promise<void>
  loadHealths(): Promise<SavedHealth[]>
  /**
   * Resolves to the transitions of a service in order of time, changed reasons among them, beginning with the decision
   * that was valid at `from`.
   */
  transitions(serviceId: string, span: UptimeSpan): Promise<PastTransition[]>
  maintenance(serviceId: string, span: UptimeSpan): Promise<UptimeSpan[]>
  rollups(serviceId: string, resolution: RollupResolution, span: UptimeSpan): Promise<Rollup[]>
  forget(serviceId: string): Promise<void>
}

/** The value of `live_min` until the service was evaluated in this bucket; every real number is less. */
const notEvaluated = 2_147_483_647

/** More transitions than a service can have in the longest range, however it flaps: recovery takes five minutes by then. */
const maxTransitions = 50_000

const instant = (at: number): Date => new Date(at)

/** Another part that looks at each change of a decision: it stores in the same transaction that it has to. */
export interface DecisionListener {
  store(sql: TransactionSql, changes: readonly Transition[]): Promise<void>
  /** They are committed. */
  stored(): void
}

/** `transaction` may refuse to store what another process has taken over. */
export function createHistoryStore(
  database: Database,
  transaction: Database['transaction'] = database.transaction,
  listener: DecisionListener | null = null,
): HistoryStore {
  return {
    async save(batch) {
      const changes = batch.transitions.filter(isChangeOfDecision)
      await transaction(async (sql) => {
        const fresh = await sql`
          INSERT INTO history_batches (id) VALUES (${batch.id}) ON CONFLICT DO NOTHING RETURNING id`
        if (fresh.length === 0) return
        for (const healths of slicesOf(batch.healths)) await saveHealths(sql, healths)
        for (const transitions of slicesOf(batch.transitions)) await saveTransitions(sql, transitions)
        for (const rollups of slicesOf(batch.rollups)) await addToRollups(sql, rollups)
        for (const slice of slicesOf(changes)) await listener?.store(sql, slice)
      }, 30_000)
      if (changes.length > 0) listener?.stored()
    },

    async loadHealths() {
      const rows = await database.run(
        (sql) => sql<HealthRow[]>`
          SELECT service_id, published, state, live_verifiers, avg_blocks_latency::float8 AS avg_blocks_latency,
            avg_time_latency::float8 AS avg_time_latency, evaluated_at, quorum_expires_at, cause
          FROM service_health`,
        30_000,
      )
      return rows.map(toSavedHealth)
    },

    async transitions(serviceId, { from, to }) {
      const rows = await database.run(
        (sql) => sql<TransitionRow[]>`
          SELECT service_id AS "serviceId", at, "from", "to", reason FROM health_transitions
          WHERE service_id = ${serviceId} AND at < ${instant(to)} AND at >= coalesce(
            (SELECT max(at) FROM health_transitions
              WHERE service_id = ${serviceId} AND at <= ${instant(from)} AND "from" <> "to"),
            ${instant(from)})
          ORDER BY at DESC, id DESC LIMIT ${maxTransitions}`,
      )
      return rows.map((row) => ({ ...row, at: row.at.getTime() })).toReversed()
    },

    async maintenance(serviceId, { from, to }) {
      const rows = await database.run(
        (sql) => sql<{ starts_at: Date; ends_at: Date | null }[]>`
          SELECT starts_at, ends_at FROM maintenance_windows
          WHERE service_id = ${serviceId} AND starts_at < ${instant(to)}
            AND (ends_at IS NULL OR ends_at > ${instant(from)})`,
      )
      return rows.map((row) => ({ from: row.starts_at.getTime(), to: row.ends_at?.getTime() ?? to }))
    },

    async rollups(serviceId, resolution, { from, to }) {
      const table = `health_rollup_${resolution}`
      return await database.run(
        (sql) => sql<Rollup[]>`
          SELECT extract(epoch FROM bucket)::float8 * 1000 AS at, up_ms AS "upMs", latency_ms AS "latencyMs",
            down_ms AS "downMs", probes, failures,
            lag_blocks_sum / greatest(probes - failures, 1) AS "lagBlocksAvg", lag_blocks_max AS "lagBlocksMax",
            lag_sec_sum / greatest(probes - failures, 1) AS "lagSecAvg",
            rtt_p50_ms AS "rttP50Ms", rtt_p95_ms AS "rttP95Ms"
          FROM ${sql(table)}
          WHERE service_id = ${serviceId} AND bucket >= ${instant(from)} AND bucket < ${instant(to)}
          ORDER BY bucket`,
      )
    },

    async forget(serviceId) {
      await database.transaction(async (sql) => {
        await sql`DELETE FROM service_health WHERE service_id = ${serviceId}`
        await sql`DELETE FROM health_transitions WHERE service_id = ${serviceId}`
        await sql`DELETE FROM maintenance_windows WHERE service_id = ${serviceId}`
        for (const table of ['health_rollup_5m', 'health_rollup_1h', 'health_rollup_1d']) {
          await sql`DELETE FROM ${sql(table)} WHERE service_id = ${serviceId}`
        }
      })
    },
  }
}

interface HealthRow {
  service_id: string
  published: Decision
  state: HealthState
  live_verifiers: number
  avg_blocks_latency: number
  avg_time_latency: number
  evaluated_at: Date
  quorum_expires_at: Date
  cause: Cause | null
}

interface TransitionRow extends Omit<PastTransition, 'at'> {
  at: Date
}

const toSavedHealth = (row: HealthRow): SavedHealth => ({
  serviceId: row.service_id,
  published: row.published,
  state: row.state,
  liveVerifiers: row.live_verifiers,
  avgBlocksLatency: row.avg_blocks_latency,
  avgTimeLatency: row.avg_time_latency,
  evaluatedAt: row.evaluated_at.getTime(),
  quorumExpiresAt: row.quorum_expires_at.getTime(),
  cause: row.cause,
})

/** Serializing more rows at once would block the event loop, and with it every request, for more than a few ms. */
const rowsAtOnce = 200

function* slicesOf<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) yield rows.slice(from, from + rowsAtOnce)
}

/** Stores all healths in one statement with one array a column: 10,000 rows take 20 ms, separate statements seconds. */
async function saveHealths(sql: TransactionSql, healths: readonly SavedHealth[]): Promise<void> {
  await sql`
    INSERT INTO service_health AS saved (service_id, published, state, live_verifiers, avg_blocks_latency,
      avg_time_latency, evaluated_at, quorum_expires_at, cause)
    SELECT service_id, published, state::jsonb, live_verifiers, avg_blocks_latency, avg_time_latency,
      to_timestamp(evaluated_at / 1000), to_timestamp(quorum_expires_at / 1000), cause::jsonb
    FROM unnest(
      ${healths.map((row) => row.serviceId)}::text[],
      ${healths.map((row) => row.published)}::text[],
      ${healths.map((row) => JSON.stringify(row.state))}::text[],
      ${healths.map((row) => row.liveVerifiers)}::int[],
      ${healths.map((row) => row.avgBlocksLatency)}::bigint[],
      ${healths.map((row) => row.avgTimeLatency)}::bigint[],
      ${healths.map((row) => row.evaluatedAt)}::float8[],
      ${healths.map((row) => row.quorumExpiresAt)}::float8[],
      ${healths.map((row) => row.cause && JSON.stringify(row.cause))}::text[]
    ) AS fresh (service_id, published, state, live_verifiers, avg_blocks_latency, avg_time_latency,
      evaluated_at, quorum_expires_at, cause)
    ON CONFLICT (service_id) DO UPDATE SET
      published = excluded.published, state = excluded.state, live_verifiers = excluded.live_verifiers,
      avg_blocks_latency = excluded.avg_blocks_latency, avg_time_latency = excluded.avg_time_latency,
      evaluated_at = excluded.evaluated_at, quorum_expires_at = excluded.quorum_expires_at,
      cause = excluded.cause
    WHERE saved.evaluated_at <= excluded.evaluated_at`
}

async function saveTransitions(sql: TransactionSql, transitions: readonly Transition[]): Promise<void> {
  await sql`
    INSERT INTO health_transitions (service_id, at, "from", "to", reason, votes)
    SELECT service_id, to_timestamp(at / 1000), "from", "to", reason, votes::jsonb
    FROM unnest(
      ${transitions.map((row) => row.serviceId)}::text[],
      ${transitions.map((row) => row.at)}::float8[],
      ${transitions.map((row) => row.from)}::text[],
      ${transitions.map((row) => row.to)}::text[],
      ${transitions.map((row) => row.reason)}::text[],
      ${transitions.map((row) => JSON.stringify(row.votes))}::text[]
    ) AS fresh (service_id, at, "from", "to", reason, votes)`
}

/**
 * Adds to rollups. Percentiles of two parts of a bucket are averaged by their successful probes, the only ones with a
 * round trip: an approximation, unlike sums and maxima.
 */
async function addToRollups(sql: TransactionSql, rollups: readonly RollupAddition[]): Promise<void> {
  // The maintenance job creates partitions in advance, but not while the database is away.
  await makePartitions(
    sql,
    'health_rollup_5m',
    rollups.map((row) => row.bucketAt),
  )
  await sql`
    INSERT INTO health_rollup_5m AS kept (service_id, bucket, up_ms, latency_ms, down_ms, probes, failures,
      lag_blocks_sum, lag_blocks_max, lag_sec_sum, lag_sec_max, rtt_p50_ms, rtt_p95_ms, live_min)
    SELECT service_id, to_timestamp(bucket_at / 1000), up_ms, latency_ms, down_ms, probes, failures,
      lag_blocks_sum, lag_blocks_max, lag_sec_sum, lag_sec_max, rtt_p50_ms, rtt_p95_ms, live_min
    FROM unnest(
      ${rollups.map((row) => row.serviceId)}::text[],
      ${rollups.map((row) => row.bucketAt)}::float8[],
      ${rollups.map((row) => row.upMs)}::int[],
      ${rollups.map((row) => row.latencyMs)}::int[],
      ${rollups.map((row) => row.downMs)}::int[],
      ${rollups.map((row) => row.probes)}::int[],
      ${rollups.map((row) => row.failures)}::int[],
      ${rollups.map((row) => row.lagBlocksSum)}::float8[],
      ${rollups.map((row) => row.lagBlocksMax)}::float8[],
      ${rollups.map((row) => row.lagSecSum)}::float8[],
      ${rollups.map((row) => row.lagSecMax)}::float8[],
      ${rollups.map(({ rtt }) => rttPercentile(rtt, 0.5))}::float4[],
      ${rollups.map(({ rtt }) => rttPercentile(rtt, 0.95))}::float4[],
      ${rollups.map((row) => row.liveMin ?? notEvaluated)}::int[]
    ) AS fresh (service_id, bucket_at, up_ms, latency_ms, down_ms, probes, failures, lag_blocks_sum,
      lag_blocks_max, lag_sec_sum, lag_sec_max, rtt_p50_ms, rtt_p95_ms, live_min)
    ON CONFLICT (service_id, bucket) DO UPDATE SET
      up_ms = kept.up_ms + excluded.up_ms,
      latency_ms = kept.latency_ms + excluded.latency_ms,
      down_ms = kept.down_ms + excluded.down_ms,
      probes = kept.probes + excluded.probes,
      failures = kept.failures + excluded.failures,
      lag_blocks_sum = kept.lag_blocks_sum + excluded.lag_blocks_sum,
      lag_blocks_max = greatest(kept.lag_blocks_max, excluded.lag_blocks_max),
      lag_sec_sum = kept.lag_sec_sum + excluded.lag_sec_sum,
      lag_sec_max = greatest(kept.lag_sec_max, excluded.lag_sec_max),
      rtt_p50_ms = (kept.rtt_p50_ms * (kept.probes - kept.failures)
          + excluded.rtt_p50_ms * (excluded.probes - excluded.failures))
        / greatest(kept.probes - kept.failures + excluded.probes - excluded.failures, 1),
      rtt_p95_ms = (kept.rtt_p95_ms * (kept.probes - kept.failures)
          + excluded.rtt_p95_ms * (excluded.probes - excluded.failures))
        / greatest(kept.probes - kept.failures + excluded.probes - excluded.failures, 1),
      live_min = least(kept.live_min, excluded.live_min)`
}
