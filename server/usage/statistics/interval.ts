import { statisticsBounds, usageRetention } from '../../../shared/usage.ts'
import { dayMs, hourMs } from '../../../shared/durations.ts'

/** A span in epoch ms; `to` is exclusive. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/**
 * The rows that answer a query: those of whole days, of the hours around them, and the minutes that are not rolled up
 * yet.
 */
export interface Interval extends TimeSpan {
  readonly days: TimeSpan | null
  readonly hours: readonly TimeSpan[]
}

/** A refusal names the field and what is allowed. */
export type IntervalOutcome =
  | { readonly kind: 'interval'; readonly interval: Interval }
  | { readonly kind: 'refused'; readonly field: 'from' | 'to'; readonly message: string }

const floorTo = (at: number, unitMs: number): number => Math.floor(at / unitMs) * unitMs
const ceilTo = (at: number, unitMs: number): number => Math.ceil(at / unitMs) * unitMs

/**
 * Returns the interval between the given ends, or the last 30 days. The ends are widened to whole hours, or to days
 * where hours are no longer stored.
 */
export function intervalOf(
  { from, to }: { from?: number | undefined; to?: number | undefined },
  granularity: 'total' | 'hour' | 'day',
  now: number,
): IntervalOutcome {
  const hoursSince = floorTo(now - usageRetention.hoursDays * dayMs, dayMs) + dayMs
  const widen = (at: number, round: typeof floorTo) => round(at, at < hoursSince ? dayMs : hourMs)
  const end = widen(to ?? Math.max(now, from ?? 0) + 1, ceilTo)
  const start = widen(from ?? end - statisticsBounds.defaultDays * dayMs, floorTo)
  const problem = problemWith({ from: start, to: end }, granularity, hoursSince)
  if (problem !== null) return { kind: 'refused', ...problem }
  return { kind: 'interval', interval: divide({ from: start, to: end }, granularity) }
}

function problemWith(
  { from, to }: TimeSpan,
  granularity: 'total' | 'hour' | 'day',
  hoursSince: number,
): { field: 'from' | 'to'; message: string } | null {
  const { days, hours } = statisticsBounds
  if (from >= to) return { field: 'to', message: 'expected an instant later than from' }
  if (to - from > days * dayMs + hourMs)
    return { field: 'from', message: `expected at most ${days} days before to` }
  if (granularity !== 'hour') return null
  if (to - from > hours * hourMs)
    return { field: 'from', message: `expected at most ${hours / 24} days before to, by the hour` }
  if (from < hoursSince) {
    return {
      field: 'from',
      message: `expected an instant within the last ${usageRetention.hoursDays} days, by the hour`,
    }
  }
  return null
}

function divide({ from, to }: TimeSpan, granularity: 'total' | 'hour' | 'day'): Interval {
  const days = { from: ceilTo(from, dayMs), to: floorTo(to, dayMs) }
  if (granularity === 'hour' || days.from >= days.to) {
    return { from, to, days: null, hours: [{ from, to }] }
  }
  const edges = [
    { from, to: days.from },
    { from: days.to, to },
  ]
  return { from, to, days, hours: edges.filter((edge) => edge.from < edge.to) }
}

/** Returns the part of an interval that lies in a span whose ends are those of its buckets. */
export function intersectionOf({ from, to, days, hours }: Interval, span: TimeSpan): Interval {
  const clip = (part: TimeSpan): TimeSpan => ({
    from: Math.max(part.from, span.from),
    to: Math.min(part.to, span.to),
  })
  const isLeft = (part: TimeSpan): boolean => part.from < part.to
  const daysLeft = days === null ? null : clip(days)
  return {
    ...clip({ from, to }),
    days: daysLeft !== null && isLeft(daysLeft) ? daysLeft : null,
    hours: hours.map(clip).filter(isLeft),
  }
}

/** Returns the end of the hour or day of an instant. */
export const unitEnd = (at: number, unit: 'hour' | 'day'): number => {
  const unitMs = unit === 'hour' ? hourMs : dayMs
  return floorTo(at, unitMs) + unitMs
}

/** Returns the beginnings of all hours or days that an interval touches. */
export function bucketsOf({ from, to }: TimeSpan, granularity: 'hour' | 'day'): number[] {
  const unitMs = granularity === 'hour' ? hourMs : dayMs
  const first = floorTo(from, unitMs)
  return Array.from({ length: Math.ceil((to - first) / unitMs) }, (_, index) => first + index * unitMs)
}
