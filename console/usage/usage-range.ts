import { statisticsBounds, usageRetention } from '../../shared/usage.ts'
import { dayMs, hourMs, minuteMs } from '../../shared/durations.ts'
import { dayAfter, dayIn, startOfDay } from '../../shared/zone-days.ts'
import { readerZone } from '../ui/reader-zone.ts'

/** Which time is looked at: until now, or whole days such as `2026-01-31`, both included, of `zoneOf`. */
export type UsageRange =
  | { readonly kind: 'last'; readonly length: LastLength }
  | { readonly kind: 'days'; readonly from: string; readonly to: string }

export const lastLengths = ['15m', '1h', '24h', '7d', '30d', '90d'] as const
export type LastLength = (typeof lastLengths)[number]

export type Unit = '5m' | 'hour' | 'day'

/** Epoch ms; without `to` it ends now. */
export interface ChartInterval {
  readonly from: number
  readonly to?: number
}

const lengthOfLast: Readonly<Record<LastLength, number>> = {
  '15m': hourMs / 4,
  '1h': hourMs,
  '24h': dayMs,
  '7d': 7 * dayMs,
  '30d': 30 * dayMs,
  '90d': 90 * dayMs,
}

export const usageRangeWords: Readonly<Record<LastLength, string>> = {
  '15m': '15 min',
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
}

export const rangeText = (range: UsageRange): string =>
  range.kind === 'last' ? `in the last ${usageRangeWords[range.length]}` : `from ${range.from} to ${range.to}`

const floorTo = (at: number, unitMs: number): number => Math.floor(at / unitMs) * unitMs

/** Since when hours are kept. */
const hoursSince = (now: number): number => floorTo(now, dayMs) - (usageRetention.hoursDays - 1) * dayMs

/** The first day of a range in a zone; null: it begins with a time of day. */
function firstDay(range: UsageRange, now: number, zone: string): string | null {
  if (range.kind === 'days') return range.from
  const days = lengthOfLast[range.length] / dayMs
  return days > 1 ? dayAfter(dayIn(zone, now), 1 - days) : null
}

/** Whose days are meant: the reader's, as long as the hours are kept that they are added up from; else those of UTC. */
export function zoneOf(range: UsageRange, now: number, reader = readerZone()): string {
  const first = firstDay(range, now, reader)
  return first === null || startOfDay(reader, first) >= hoursSince(now) ? reader : 'UTC'
}

/** Whether a range is shorter than the hours that usage is otherwise added up from. */
export const isOfMinutes = (range: UsageRange): boolean =>
  range.kind === 'last' && lengthOfLast[range.length] <= hourMs

/**
 * Whole hours or, in ranges of days, whole days, or five minutes in ranges of minutes, so that the first column of a
 * chart is as long as the others.
 */
export function chartIntervalOf(range: UsageRange, now: number, reader = readerZone()): ChartInterval {
  const zone = zoneOf(range, now, reader)
  if (range.kind === 'days')
    return { from: startOfDay(zone, range.from), to: startOfDay(zone, dayAfter(range.to)) }
  const first = firstDay(range, now, zone)
  if (first !== null) return { from: startOfDay(zone, first) }
  const unitMs = isOfMinutes(range) ? 5 * minuteMs : hourMs
  return { from: floorTo(now, unitMs) + unitMs - lengthOfLast[range.length] }
}

/**
 * The period of the same length before a range. Of days it ends as early as there is of the range until now, so that a day
 * that has just begun is held against the beginning of another. Null: too little is kept of it to be divided alike.
 */
export function intervalBefore(
  range: UsageRange,
  now: number,
  reader = readerZone(),
): Required<ChartInterval> | null {
  const zone = zoneOf(range, now, reader)
  const { from, to = now } = chartIntervalOf(range, now, reader)
  const first = firstDay(range, now, zone)
  if (first === null) {
    const lengthMs = range.kind === 'last' ? lengthOfLast[range.length] : 0
    return { from: from - lengthMs, to: from }
  }
  const end = Math.min(to, now)
  const last = dayIn(zone, end)
  const days =
    range.kind === 'last'
      ? lengthOfLast[range.length] / dayMs
      : (Date.parse(range.to) - Date.parse(first)) / dayMs + 1
  const dayBefore = (day: string): number => startOfDay(zone, dayAfter(day, -days))
  const before = { from: dayBefore(first), to: dayBefore(last) + end - startOfDay(zone, last) }
  const isKept =
    before.from >= hoursSince(now) || (zone === 'UTC' && !unitsOf(range, now, reader).includes('hour'))
  return isKept && before.from < before.to ? before : null
}

/** The days that a range touches, to begin with when somebody wants to choose days. */
export function daysOf(
  range: UsageRange,
  now: number,
  reader = readerZone(),
): Extract<UsageRange, { kind: 'days' }> {
  const zone = zoneOf(range, now, reader)
  const { from, to = now + 1 } = chartIntervalOf(range, now, reader)
  return { kind: 'days', from: dayIn(zone, from), to: dayIn(zone, to - 1) }
}

/** The days of `zone` from the one that a column begins in to the one that another begins in; epoch ms. */
export const rangeOfColumns = (from: number, to: number, zone: string): UsageRange => ({
  kind: 'days',
  from: dayIn(zone, from),
  to: dayIn(zone, to),
})

const lengthOf = ({ from, to }: ChartInterval, now: number): number => (to ?? now) - from

/** A day has an hour more when clocks are put back. */
const isWithin = (interval: ChartInterval, days: number, now: number): boolean =>
  lengthOf(interval, now) <= days * dayMs + hourMs

/** By the hour as long as one can tell the columns apart. */
export function usualUnit(range: UsageRange, now: number, reader = readerZone()): Unit {
  if (isOfMinutes(range)) return '5m'
  return isWithin(chartIntervalOf(range, now, reader), 7, now) ? 'hour' : 'day'
}

/** What the range can be divided by; hours are not kept, nor can be seen, for ever. */
export function unitsOf(range: UsageRange, now: number, reader = readerZone()): readonly Unit[] {
  const interval = chartIntervalOf(range, now, reader)
  const isShort = lengthOf(interval, now) <= statisticsBounds.hours * hourMs
  if (!isShort || interval.from < hoursSince(now)) return ['day']
  const isFine = interval.from > now - usageRetention.fivesDays * dayMs
  if (isOfMinutes(range)) return ['5m']
  return [
    ...(isFine ? (['5m'] as const) : []),
    'hour',
    ...(isWithin(interval, 1, now) ? [] : (['day'] as const)),
  ]
}

/** What is wrong with chosen days, and what to do; null: nothing. */
export function rangeProblem(range: UsageRange, now: number, reader = readerZone()): string | null {
  if (range.kind === 'last') return null
  const { from, to = now } = chartIntervalOf(range, now, reader)
  if (from >= to) return 'The first day is later than the last one: change one of them.'
  if (from > now) return 'These days are still to come.'
  if (to - from > statisticsBounds.days * dayMs) return `Choose ${statisticsBounds.days} days at most.`
  return null
}

/** A day as it is in the page's address; null: it is none. */
export function dayFrom(text: unknown): string | null {
  if (typeof text !== 'string' || !/^20\d\d-\d\d-\d\d$/.test(text)) return null
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(at) || dayIn('UTC', at) !== text ? null : text
}
