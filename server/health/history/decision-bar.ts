import { timeInStates } from './uptime.ts'
import type { TimeSpan, TimeInStates } from './uptime.ts'
import type { Transition } from './transition.ts'

/** A part of a span, with the time in each decision. */
export interface BarSlice extends TimeInStates {
  readonly from: number
}

/** Divides a span into equal parts; otherwise as `timeInStates`, whose times they share out among them. */
export function decisionBar(
  transitions: readonly Pick<Transition, 'at' | 'to'>[],
  maintenance: readonly TimeSpan[],
  span: TimeSpan,
  parts: number,
): BarSlice[] {
  const slices: BarSlice[] = []
  const lengthMs = (span.to - span.from) / parts
  let first = 0
  for (let index = 0; index < parts; index++) {
    const slice = { from: span.from + index * lengthMs, to: span.from + (index + 1) * lengthMs }
    // The newest one at or before its beginning says what held then.
    while ((transitions[first + 1]?.at ?? Number.POSITIVE_INFINITY) <= slice.from) first++
    let end = first
    while ((transitions[end]?.at ?? Number.POSITIVE_INFINITY) < slice.to) end++
    slices.push({ from: slice.from, ...timeInStates(transitions.slice(first, end), maintenance, slice) })
  }
  return slices
}
