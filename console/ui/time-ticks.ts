import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts'

/** Distances between ticks that people count in. */
const steps = [
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  3 * hourMs,
  6 * hourMs,
  12 * hourMs,
  dayMs,
  2 * dayMs,
  7 * dayMs,
  14 * dayMs,
  28 * dayMs,
  84 * dayMs,
] as const

/**
 * At most `count` instants between two, at full hours and midnights of the reader. `offsetMs`: by how much their time
 * is ahead of UTC.
 */
export function timeTicks(from: number, to: number, count: number, offsetMs: number): number[] {
  const step = steps.find((length) => (to - from) / length <= count) ?? 84 * dayMs
  const ticks: number[] = []
  for (let at = Math.ceil((from + offsetMs) / step) * step - offsetMs; at <= to; at += step) ticks.push(at)
  return ticks
}
