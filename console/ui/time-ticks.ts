import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts'
import { type TimesIn, instantOfInput, readerOffsetMs } from './reader-zone.ts'

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

/** At most `count` instants between two, at full hours and midnights of the time that pages tell. */
export function timeTicks(from: number, to: number, count: number, chosen: TimesIn): number[] {
  const step = steps.find((length) => (to - from) / length <= count) ?? 84 * dayMs
  const shownAt = (at: number): number => at + readerOffsetMs(at, chosen)
  const ticks = new Set<number>()
  // What clocks show is stepped through, because days on which they are changed are longer or shorter than others.
  for (let shown = Math.ceil(shownAt(from) / step) * step; shown <= shownAt(to); shown += step)
    ticks.add(instantOfInput(new Date(shown).toISOString().slice(0, 16), chosen))
  return [...ticks].filter((at) => at >= from && at <= to)
}
