import type { Decision } from '../../../shared/health.ts'
import type { Transition } from './transition.ts'

/** A span of time between two instants in epoch ms. */
export interface UptimeSpan {
  readonly from: number
  readonly to: number
}

/** Milliseconds in each decision over a span, with announced maintenance taken out. */
export interface TimeInStates {
  readonly totalMs: number
  readonly maintenanceMs: number
  /** The time before the first decision: nobody watched the service, so it was neither up nor unknown. */
  readonly notWatchedMs: number
  readonly byDecision: Readonly<Record<Decision, number>>
}

/** Shares between 0 and 1; null where there is no time that counts. */
export interface Uptime {
  /** (UP + LATENCY) / (all time except UNKNOWN and maintenance). */
  readonly availability: number | null
  /** UP / (all time except UNKNOWN and maintenance). */
  readonly healthy: number | null
  /** UNKNOWN / (all time that was watched, except maintenance): the share without any evidence. */
  readonly unknownShare: number | null
}

/**
 * Time-weighted, from transitions and not from samples. `transitions` are those of one service in order of time; the
 * newest one at or before `span.from` says what held at the beginning, and before the first one the service was not
 * watched.
 */
export function timeInStates(
  transitions: readonly Pick<Transition, 'at' | 'to'>[],
  maintenance: readonly UptimeSpan[],
  span: UptimeSpan,
): TimeInStates {
  const byDecision: Record<Decision, number> = { UNKNOWN: 0, UP: 0, DOWN: 0, LATENCY: 0 }
  const closed = mergeSpans(maintenance)
  let notWatchedMs = 0
  let decision: Decision | null = null
  let since = span.from
  const holdUntil = (until: number) => {
    const held = { from: since, to: until }
    if (held.to <= held.from) return
    const ms = held.to - held.from - overlapMs(closed, held)
    if (decision === null) notWatchedMs += ms
    else byDecision[decision] += ms
  }
  for (const transition of transitions) {
    if (transition.at >= span.to) break
    if (transition.at > since) {
      holdUntil(transition.at)
      since = transition.at
    }
    decision = transition.to
  }
  holdUntil(span.to)
  return { totalMs: span.to - span.from, maintenanceMs: overlapMs(closed, span), notWatchedMs, byDecision }
}

/** Returns the time in states of each of some spans, which follow each other; every transition is looked at about once. */
export function timesInStates(
  transitions: readonly Pick<Transition, 'at' | 'to'>[],
  maintenance: readonly UptimeSpan[],
  spans: readonly UptimeSpan[],
): TimeInStates[] {
  let first = 0
  return spans.map((span) => {
    // The newest transition at or before the beginning decides which decision held then.
    while ((transitions[first + 1]?.at ?? Number.POSITIVE_INFINITY) <= span.from) first++
    let end = first
    while ((transitions[end]?.at ?? Number.POSITIVE_INFINITY) < span.to) end++
    return timeInStates(transitions.slice(first, end), maintenance, span)
  })
}

const share = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null)

export function uptime(time: TimeInStates): Uptime {
  const { UP, LATENCY, DOWN, UNKNOWN } = time.byDecision
  const known = UP + LATENCY + DOWN
  return {
    availability: share(UP + LATENCY, known),
    healthy: share(UP, known),
    unknownShare: share(UNKNOWN, known + UNKNOWN),
  }
}

/** Returns the spans sorted and without overlap. */
function mergeSpans(spans: readonly UptimeSpan[]): UptimeSpan[] {
  const merged: { from: number; to: number }[] = []
  for (const span of [...spans].sort((left, right) => left.from - right.from)) {
    const last = merged.at(-1)
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else if (span.to > span.from) merged.push({ ...span })
  }
  return merged
}

function overlapMs(spans: readonly UptimeSpan[], window: UptimeSpan): number {
  let total = 0
  for (const span of spans) {
    total += Math.max(0, Math.min(span.to, window.to) - Math.max(span.from, window.from))
  }
  return total
}
