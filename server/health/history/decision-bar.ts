import { type TimeInStates, type UptimeSpan, timeInStates } from './uptime.ts'
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
  const slices: BarSlice[] = []
  const lengthMs = (span.to - span.from) / parts
  let first = 0
  for (let index = 0; index < parts; index++) {
    const slice = { from: span.from + index * lengthMs, to: span.from + (index + 1) * lengthMs }
    // The newest transition at or before the beginning decides which decision held then.
    while ((transitions[first + 1]?.at ?? Number.POSITIVE_INFINITY) <= slice.from) first++
    let end = first
    while ((transitions[end]?.at ?? Number.POSITIVE_INFINITY) < slice.to) end++
    slices.push({ from: slice.from, ...timeInStates(transitions.slice(first, end), maintenance, slice) })
  }
  return slices
}
