import type { Decision } from '../../../shared/health.ts'
import type { Outage, SeenDecision } from './timeline.ts'

/** One fault of one service. Instants are ms of the monotonic clock. */
export interface Occurrence {
  readonly fault: string
  readonly serviceId: string
  readonly family: string
  /** UP: it must change nothing. */
  readonly expected: Exclude<Decision, 'UNKNOWN'>
  readonly beganAt: number
  /** When it was decided as expected; null where it was not in time, and for those that change nothing. */
  readonly decidedAt: number | null
  readonly endedAt: number
  /** When the service was UP again; null where nobody waited for that. */
  readonly recoveredAt: number | null
}

/** A decision that was published and is wrong. */
export interface WrongDecision {
  readonly serviceId: string
  readonly decision: Decision
  readonly at: number
}

/** Verifiers and services are back at different times. */
export const afterOutageMs = 45_000
const faultAllows: Readonly<Record<Occurrence['expected'], readonly Decision[]>> = {
  UP: ['UP'],
  LATENCY: ['UP', 'LATENCY'],
  // A fault that will be DOWN may be seen as late before.
  DOWN: ['UP', 'LATENCY', 'DOWN'],
}

/** Returns every decision that no fault explains, from `startedAt` on. */
export function wrongDecisions(
  seen: ReadonlyMap<string, readonly SeenDecision[]>,
  occurrences: readonly Occurrence[],
  outages: readonly Outage[],
  startedAt: number,
): WrongDecision[] {
  const isExplained = (serviceId: string, { at, decision }: SeenDecision): boolean => {
    if (decision === 'UP') return true
    // Out of UNKNOWN, a node that still catches up is late at once.
    const isAmid = outages.some(({ beganAt, endedAt }) => at >= beganAt && at <= endedAt + afterOutageMs)
    if (decision === 'UNKNOWN' || (decision === 'LATENCY' && isAmid)) return isAmid
    return occurrences.some(
      (one) =>
        one.serviceId === serviceId &&
        at >= one.beganAt &&
        at <= (one.recoveredAt ?? Number.POSITIVE_INFINITY) &&
        faultAllows[one.expected].includes(decision),
    )
  }
  return [...seen].flatMap(([serviceId, decisions]) =>
    decisions
      .filter((one) => one.at >= startedAt && !isExplained(serviceId, one))
      .map(({ at, decision }) => ({ serviceId, decision, at })),
  )
}

/** Returns the faults that were not decided as expected, or not in time. */
export const missedFaults = (occurrences: readonly Occurrence[]): Occurrence[] =>
  occurrences.filter(({ expected, decidedAt }) => expected !== 'UP' && decidedAt === null)
