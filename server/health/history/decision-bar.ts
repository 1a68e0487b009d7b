import { type TimeInStates, type UptimeSpan, timesInStates } from './uptime.ts'
import type { Transition } from './transition.ts'

/** A part of a time span, with the milliseconds in each decision. */
export interface BarSlice extends TimeInStates {
  readonly from: number
}

/** Divides a time span into equal parts and returns the time in states of each. Their sum is that of `timeInStates`. */
export function decisionBar(
  transitions: readonly Pick<Transition, 'at' | 'to'>[],
  maintenance: readonly UptimeSpan[],
  span: UptimeSpan,
  parts: number,
): BarSlice[] {
  const lengthMs = (span.to - span.from) / parts
  const spans = Array.from({ length: parts }, (_, index) => ({
    from: span.from + index * lengthMs,
    to: span.from + (index + 1) * lengthMs,
  }))
  return timesInStates(transitions, maintenance, spans).map((time, index) => ({
    from: spans[index]?.from ?? span.from,
    ...time,
  }))
}
