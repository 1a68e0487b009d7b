import type { HistoryRange, ServiceHistory } from '../../../shared/health-details.ts'
import { type BarSlice, decisionBar } from './decision-bar.ts'
import { reasonSentence } from '../../../shared/health-reasons.ts'
import { type Incident, incidentsOf } from './incidents.ts'
import type { HistoryStore, RollupResolution } from './store.ts'
import { isChangeOfDecision } from './transition.ts'
import { timeInStates, uptime } from './uptime.ts'
import { hourMs } from '../../../shared/durations.ts'

/** The most entries of each kind that an answer lists; the uptime counts all. */
const maxListed = 1_000

const ranges: Readonly<
  Record<HistoryRange, { lengthMs: number; resolution: RollupResolution; slices: number }>
> = {
  '15m': { lengthMs: hourMs / 4, resolution: '5m', slices: 90 },
  '1h': { lengthMs: hourMs, resolution: '5m', slices: 60 },
  '6h': { lengthMs: 6 * hourMs, resolution: '5m', slices: 72 },
  '24h': { lengthMs: 24 * hourMs, resolution: '5m', slices: 96 },
  '7d': { lengthMs: 7 * 24 * hourMs, resolution: '1h', slices: 84 },
  '30d': { lengthMs: 30 * 24 * hourMs, resolution: '1h', slices: 90 },
  '90d': { lengthMs: 90 * 24 * hourMs, resolution: '1d', slices: 90 },
}

const seconds = (at: number): number => Math.floor(at / 1000)

/** Resolves to a service's decisions over the range that ends at `now`, or over the one before that. */
export async function readHistory(
  store: HistoryStore,
  serviceId: string,
  range: HistoryRange,
  now: number,
  isBefore = false,
): Promise<ServiceHistory> {
  const { lengthMs, resolution, slices } = ranges[range]
  const end = isBefore ? now - lengthMs : now
  const span = { from: end - lengthMs, to: end }
  const [transitions, maintenance, rollups] = await Promise.all([
    store.transitions(serviceId, span),
    store.maintenance(serviceId, span),
    store.rollups(serviceId, resolution, span),
  ])
  const time = timeInStates(transitions, maintenance, span)
  return {
    serviceId,
    range,
    from: seconds(span.from),
    to: seconds(span.to),
    uptime: { ...uptime(time), watchedMs: time.totalMs - time.notWatchedMs },
    bar: decisionBar(transitions, maintenance, span, slices).map(toBarPart),
    transitions: transitions
      .filter(isChangeOfDecision)
      .slice(-maxListed)
      .map(({ at, from, to, reason }) => ({ at: seconds(at), from, to, reason })),
    incidents: incidentsOf(transitions, maintenance).slice(-maxListed).map(toIncident),
    buckets: rollups.map((rollup) => ({ ...rollup, at: seconds(rollup.at) })),
  }
}

const toIncident = ({
  openedAt,
  closedAt,
  worst,
  cause,
  transitions,
  reasons,
  reasonsLeftOut,
}: Incident): ServiceHistory['incidents'][number] => ({
  openedAt: seconds(openedAt),
  closedAt: closedAt === null ? null : seconds(closedAt),
  worst,
  cause,
  transitions,
  reasons: reasons.map(({ at, decision, reason }) => ({
    at: seconds(at),
    decision,
    reason: reasonSentence(reason),
  })),
  reasonsLeftOut,
})

const toBarPart = ({
  from,
  byDecision,
  maintenanceMs,
  notWatchedMs,
}: BarSlice): ServiceHistory['bar'][number] => ({
  at: seconds(from),
  upMs: byDecision.UP,
  latencyMs: byDecision.LATENCY,
  downMs: byDecision.DOWN,
  unknownMs: byDecision.UNKNOWN,
  maintenanceMs,
  notWatchedMs,
})
