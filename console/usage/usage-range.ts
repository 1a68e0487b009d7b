import { statisticsBounds, usageRetention } from '../../shared/usage.ts'
import { dayMs, hourMs } from '../../shared/durations.ts'
import { dayAfter, dayIn, startOfDay } from '../../shared/zone-days.ts'
import { readerZone } from '../ui/reader-zone.ts'

/** Which time is looked at: until now, or whole days such as `2026-01-31`, both included, of `zoneOf`. */
export type UsageRange =
  | { readonly kind: 'last'; readonly length: LastLength }
  | { readonly kind: 'days'; readonly from: string; readonly to: string }

export const lastLengths = ['24h', '48h', '7d', '30d'] as const
export type LastLength = (typeof lastLengths)[number]

export type Unit = '5m' | 'hour' | 'day'

/** Epoch ms; without `to` it ends now. */
export interface ChartInterval {
  readonly from: number
  readonly to?: number
}

const hoursOfLast: Readonly<Record<LastLength, number>> = {
  '24h': 24,
  '48h': 48,
  '7d': 7 * 24,
  '30d': 30 * 24,
}

export const usageRangeWords: Readonly<Record<LastLength, string>> = {
  '24h': '24 hours',
  '48h': '48 hours',
  '7d': '7 days',
  '30d': '30 days',
}

export const rangeText = (range: UsageRange): string =>
  range.kind === 'last' ? `in the last ${usageRangeWords[range.length]}` : `from ${range.from} to ${range.to}`

const floorTo = (at: number, unitMs: number): number => Math.floor(at / unitMs) * unitMs

/** Since when hours are kept. */
const hoursSince = (now: number): number => floorTo(now, dayMs) - (usageRetention.hoursDays - 1) * dayMs

/** Whose days are meant: the reader's, as long as the hours are kept that they are added up from; else those of UTC. */
export function zoneOf(range: UsageRange, now: number, reader = readerZone()): string {
  return range.kind === 'last' || startOfDay(reader, range.from) >= hoursSince(now) ? reader : 'UTC'
}

/** Whole hours or, in ranges of days, whole days, so that the first column of a chart is as long as the others. */
export function chartIntervalOf(range: UsageRange, now: number, reader = readerZone()): ChartInterval {
  const zone = zoneOf(range, now, reader)
  if (range.kind === 'days')
    return { from: startOfDay(zone, range.from), to: startOfDay(zone, dayAfter(range.to)) }
  const hours = hoursOfLast[range.length]
  if (hours <= 48) return { from: floorTo(now, hourMs) - (hours - 1) * hourMs }
  return { from: startOfDay(zone, dayAfter(dayIn(zone, now), 1 - hours / 24)) }
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
export const usualUnit = (range: UsageRange, now: number, reader = readerZone()): Unit =>
  isWithin(chartIntervalOf(range, now, reader), 7, now) ? 'hour' : 'day'

/** What the range can be divided by; hours are not kept, nor can be seen, for ever. */
export function unitsOf(range: UsageRange, now: number, reader = readerZone()): readonly Unit[] {
  const interval = chartIntervalOf(range, now, reader)
  const isShort = lengthOf(interval, now) <= statisticsBounds.hours * hourMs
  if (!isShort || interval.from < hoursSince(now)) return ['day']
  const isFine = interval.from > now - usageRetention.fivesDays * dayMs
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
