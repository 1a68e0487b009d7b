import type { RunSpan } from './record.ts'

export const lengthOf = ({ from, until }: RunSpan): number => until - from

/** How much (ms) of a span lies within others, of which none overlaps another. */
export const sharedMs = ({ from, until }: RunSpan, others: readonly RunSpan[]): number =>
  others.reduce(
    (sum, other) => sum + Math.max(0, Math.min(until, other.until) - Math.max(from, other.from)),
    0,
  )

/** Returns the times between these instants, and those before the first and after the last. */
export function gapsOf(instants: readonly number[], { from, until }: RunSpan): RunSpan[] {
  const ends = [from, ...instants.filter((at) => at > from && at < until).toSorted((a, b) => a - b), until]
  return ends.slice(1).map((end, index) => ({ from: ends[index] ?? from, until: end }))
}
