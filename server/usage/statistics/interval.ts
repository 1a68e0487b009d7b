import { statisticsBounds, usageRetention } from '../../../shared/usage.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/durations.ts'
import { latestInstant } from '../../../shared/instants.ts'
import { dayStartsIn } from '../../../shared/zone-days.ts'

/** A span in epoch ms; `to` is exclusive. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** What rows are for: five minutes, an hour or a day. */
export type BucketUnit = '5m' | 'hour' | 'day'

/**
 * The rows that answer a query: those of whole days, of the hours around them, and the minutes that are not rolled up
 * yet. By five minutes, rows of five minutes are in place of both.
 */
export interface Interval extends TimeSpan {
  readonly days: TimeSpan | null
  readonly hours: readonly TimeSpan[]
  readonly fives: TimeSpan | null
  /** The beginnings of the days of a time zone; null: days are those of UTC. */
  readonly dayStarts: readonly number[] | null
}

/** A refusal names the field and what is allowed. */
export type IntervalOutcome =
  | { readonly kind: 'interval'; readonly interval: Interval }
  | { readonly kind: 'refused'; readonly field: 'from' | 'to'; readonly message: string }

const fiveMs = 5 * minuteMs
const fivesMs = usageRetention.fivesDays * dayMs

const floorTo = (at: number, unitMs: number): number => Math.floor(at / unitMs) * unitMs
const ceilTo = (at: number, unitMs: number): number => Math.ceil(at / unitMs) * unitMs

/** The ends that were asked for, and the time zone whose days are meant. */
export interface AskedInterval {
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly timeZone?: string | undefined
}

/**
 * Returns the interval between the given ends, or the last 30 days. The ends are widened to whole hours, or to days
 * where hours are no longer stored; by five minutes to those.
 */
export function intervalOf(
  { from, to, timeZone = 'UTC' }: AskedInterval,
  granularity: 'total' | BucketUnit,
  now: number,
): IntervalOutcome {
  const latest = to ?? Math.max(now, from ?? 0) + 1
  if (granularity === '5m') return intervalOfFives({ from, to: latest }, now)
  const hoursSince = floorTo(now - usageRetention.hoursDays * dayMs, dayMs) + dayMs
  const isUtc = timeZone === 'UTC'
  const widen = (at: number, round: typeof floorTo) => round(at, isUtc && at < hoursSince ? dayMs : hourMs)
  const hours = { to: widen(latest, endAt), from: 0 }
  hours.from = widen(from ?? hours.to - statisticsBounds.defaultDays * dayMs, floorTo)
  const problem =
    problemWith(hours, granularity, hoursSince) ?? (isUtc ? null : zoneProblem(hours, hoursSince))
  if (problem !== null) return { kind: 'refused', ...problem }
  if (isUtc) return { kind: 'interval', interval: divide(hours, granularity) }
  const dayStarts = dayStartsIn(timeZone, hours.from, hours.to + 2 * dayMs)
  const span = withinDays(hours, { from: from ?? hours.from, to: latest }, dayStarts)
  const interval = { ...span, days: null, hours: [span], fives: null, dayStarts }
  return { kind: 'interval', interval }
}

/** Returns the end of the unit that an instant is in; no instant lies after the year 9999, to which it is not widened. */
const endAt = (at: number, unit: number): number => Math.min(ceilTo(at, unit), floorTo(latestInstant, unit))

/** Days of a time zone are added up from hours. */
const zoneProblem = ({ from }: TimeSpan, hoursSince: number) =>
  from >= hoursSince
    ? null
    : {
        field: 'from' as const,
        message: `expected an instant within the last ${usageRetention.hoursDays} days, in a time zone`,
      }

/** Ends at which a day of the zone begins are not widened to a whole hour. */
function withinDays(hours: TimeSpan, asked: TimeSpan, dayStarts: readonly number[]): TimeSpan {
  const begun = dayStarts.findLast((start) => start <= asked.from) ?? hours.from
  const ended = dayStarts.find((start) => start >= asked.to) ?? hours.to
  return { from: Math.max(hours.from, begun), to: Math.min(hours.to, ended) }
}

function intervalOfFives(asked: { from: number | undefined; to: number }, now: number): IntervalOutcome {
  const to = endAt(asked.to, fiveMs)
  const from = floorTo(asked.from ?? to - fivesMs, fiveMs)
  if (from >= to) return { kind: 'refused', field: 'to', message: 'expected an instant later than from' }
  const oldest = floorTo(now, fiveMs) + fiveMs - fivesMs
  if (from < oldest) {
    const message = `expected an instant within the last ${usageRetention.fivesDays * 24} hours, by five minutes`
    return { kind: 'refused', field: 'from', message }
  }
  if (to - from > fivesMs + dayMs)
    return { kind: 'refused', field: 'to', message: 'expected an instant that is not so far to come' }
  const interval = { from, to, days: null, hours: [], fives: { from, to }, dayStarts: null }
  return { kind: 'interval', interval }
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
    return { from, to, days: null, hours: [{ from, to }], fives: null, dayStarts: null }
  }
  const edges = [
    { from, to: days.from },
    { from: days.to, to },
  ]
  const hours = edges.filter((edge) => edge.from < edge.to)
  return { from, to, days, hours, fives: null, dayStarts: null }
}

/** Returns the part of an interval that lies in a span whose ends are those of its buckets. */
export function intersectionOf(interval: Interval, span: TimeSpan): Interval {
  const { from, to, days, hours, fives, dayStarts } = interval
  const clip = (part: TimeSpan): TimeSpan => ({
    from: Math.max(part.from, span.from),
    to: Math.min(part.to, span.to),
  })
  const isLeft = (part: TimeSpan): boolean => part.from < part.to
  const clipped = (part: TimeSpan | null): TimeSpan | null =>
    (part === null ? null : [clip(part)].find(isLeft)) ?? null
  return {
    ...clip({ from, to }),
    days: clipped(days),
    hours: hours.map(clip).filter(isLeft),
    fives: clipped(fives),
    dayStarts,
  }
}

const unitLengths: Readonly<Record<BucketUnit, number>> = { '5m': fiveMs, hour: hourMs, day: dayMs }

/** Returns the end of the unit of an instant. */
export function unitEnd(at: number, unit: BucketUnit, { dayStarts }: Pick<Interval, 'dayStarts'>): number {
  const unitMs = unitLengths[unit]
  if (unit !== 'day' || dayStarts === null) return floorTo(at, unitMs) + unitMs
  return dayStarts.find((start) => start > at) ?? at + 2 * dayMs
}

/** Returns the beginnings of all units that an interval touches. */
export function bucketsOf(
  { from, to, dayStarts = null }: TimeSpan & Partial<Pick<Interval, 'dayStarts'>>,
  granularity: BucketUnit,
): number[] {
  if (granularity === 'day' && dayStarts !== null)
    return dayStarts.filter((start, place) => start < to && (dayStarts[place + 1] ?? to) > from)
  const unitMs = unitLengths[granularity]
  const first = floorTo(from, unitMs)
  return Array.from({ length: Math.ceil((to - first) / unitMs) }, (_, index) => first + index * unitMs)
}
