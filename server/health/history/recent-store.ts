import type { Decision } from '../../../shared/health.ts'
import type { Database } from '../../platform/database.ts'
import type { Transition } from './transition.ts'
import type { UptimeSpan } from './uptime.ts'

/** Reads the past of many services at once, for a list of them. */
export interface RecentStore {
  /** Resolves to the transitions (the newest `most` of each) and the announced work of services in a span, in one statement. */
  recentTransitions(
    serviceIds: readonly string[],
    span: UptimeSpan,
    most?: number,
  ): Promise<Map<string, RecentPast>>
  /** Resolves to when the decision of each service changed since an instant (epoch ms, the newest `most`, in order). */
  changesSince(serviceIds: readonly string[], since: number, most: number): Promise<Map<string, number[]>>
  /** Resolves to the median response time (ms) of each service that answered in the span. */
  responseTimes(serviceIds: readonly string[], span: UptimeSpan): Promise<Map<string, number>>
}

/** What a service was over a span. */
export interface RecentPast {
  readonly transitions: Pick<Transition, 'at' | 'to'>[]
  readonly maintenance: UptimeSpan[]
  /** The beginning of the span, or later for a service that changed more often than is read. */
  readonly readFrom: number
}

/** The newest transitions of a service that a list reads: more than a day of the wildest flapping. */
const maxRecentTransitions = 600

const instant = (at: number): Date => new Date(at)

export function createRecentStore(database: Database): RecentStore {
  return {
    async recentTransitions(serviceIds, { from, to }, most = maxRecentTransitions) {
      const rows = await database.run(
        (sql) => sql<RecentRow[]>`
          SELECT ids.id, extract(epoch FROM recent.at)::float8 * 1000 AS at, recent.decision, NULL::float8 AS until
          FROM unnest(${[...serviceIds]}::text[]) AS ids (id) CROSS JOIN LATERAL (
            SELECT at, "to" AS decision FROM health_transitions
            WHERE service_id = ids.id AND at < ${instant(to)} AND at >= coalesce(
              (SELECT max(at) FROM health_transitions WHERE service_id = ids.id AND at <= ${instant(from)}),
              ${instant(from)})
            ORDER BY at DESC, health_transitions.id DESC LIMIT ${most}) AS recent
          UNION ALL
          SELECT service_id, extract(epoch FROM starts_at)::float8 * 1000, NULL, extract(epoch FROM ends_at)::float8 * 1000
          FROM maintenance_windows
          WHERE service_id = ANY(${[...serviceIds]}::text[]) AND starts_at < ${instant(to)}
            AND (ends_at IS NULL OR ends_at > ${instant(from)})`,
      )
      return recentPasts(rows, { from, to }, most)
    },

    async changesSince(serviceIds, since, most) {
      const rows = await database.run(
        (sql) => sql<{ id: string; at: number }[]>`
          SELECT ids.id, extract(epoch FROM recent.at)::float8 * 1000 AS at
          FROM unnest(${[...serviceIds]}::text[]) AS ids (id) CROSS JOIN LATERAL (
            SELECT at FROM health_transitions
            WHERE service_id = ids.id AND at >= ${instant(since)} AND "from" <> "to"
            ORDER BY at DESC LIMIT ${most}) AS recent
          ORDER BY recent.at`,
        30_000,
      )
      const changes = new Map<string, number[]>()
      for (const { id, at } of rows) {
        const times = changes.get(id) ?? []
        changes.set(id, times)
        times.push(Math.round(at))
      }
      return changes
    },

    async responseTimes(serviceIds, { from, to }) {
      const rows = await database.run(
        (sql) => sql<{ id: string; ms: number }[]>`
          SELECT service_id AS id,
            sum(rtt_p50_ms * (probes - failures)) / nullif(sum(probes - failures), 0) AS ms
          FROM health_rollup_5m
          WHERE service_id = ANY(${[...serviceIds]}::text[]) AND bucket >= ${instant(from)} AND bucket < ${instant(to)}
          GROUP BY service_id HAVING sum(probes - failures) > 0`,
      )
      return new Map(rows.map(({ id, ms }) => [id, ms]))
    },
  }
}

/** A transition, or (where there is no decision) announced work. */
interface RecentRow {
  id: string
  /** Epoch ms: instants as such take most of the time, where a page of services flaps. */
  at: number
  decision: Decision | null
  until: number | null
}

/** Takes the rows of several services apart. Those of one service are the newest first. */
function recentPasts(
  rows: readonly RecentRow[],
  { from, to }: UptimeSpan,
  most: number,
): Map<string, RecentPast> {
  const pasts = new Map<string, RecentPast & { readFrom: number }>()
  for (const { id, at, decision, until } of rows.toReversed()) {
    const past = pasts.get(id) ?? { transitions: [], maintenance: [], readFrom: from }
    pasts.set(id, past)
    if (decision === null) past.maintenance.push({ from: at, to: until ?? to })
    else past.transitions.push({ at, to: decision })
  }
  for (const past of pasts.values()) {
    const isCut = past.transitions.length >= most
    if (isCut) past.readFrom = Math.max(from, past.transitions[0]?.at ?? from)
  }
  return pasts
}
