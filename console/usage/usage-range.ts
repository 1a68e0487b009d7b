import { statisticsBounds, usageRetention } from '../../shared/usage.ts'
import { dayMs, hourMs } from '../../shared/durations.ts'

/** Which time is looked at: until now, or whole days of UTC such as `2026-01-31`, both included. */
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

/** The day in UTC, in the form of date inputs. */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10)
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`)

/** Whole hours or, in ranges of days, whole days, so that the first column of a chart is as long as the others. */
export function chartIntervalOf(range: UsageRange, now: number): ChartInterval {
  if (range.kind === 'days') return { from: startOf(range.from), to: startOf(range.to) + dayMs }
  const hours = hoursOfLast[range.length]
  if (hours <= 48) return { from: floorTo(now, hourMs) - (hours - 1) * hourMs }
  return { from: floorTo(now, dayMs) - (hours - 24) * hourMs }
}

/** The days that a range touches, to begin with when somebody wants to choose days. */
export function daysOf(range: UsageRange, now: number): Extract<UsageRange, { kind: 'days' }> {
  const { from, to = now + 1 } = chartIntervalOf(range, now)
  return { kind: 'days', from: utcDay(from), to: utcDay(to - 1) }
}

const lengthOf = ({ from, to }: ChartInterval, now: number): number => (to ?? now) - from

/** By the hour as long as one can tell the columns apart. */
export const usualUnit = (range: UsageRange, now: number): Unit =>
  lengthOf(chartIntervalOf(range, now), now) <= 7 * dayMs ? 'hour' : 'day'

/** What the range can be divided by; hours are not kept, nor can be seen, for ever. */
export function unitsOf(range: UsageRange, now: number): readonly Unit[] {
  const interval = chartIntervalOf(range, now)
  const isShort = lengthOf(interval, now) <= statisticsBounds.hours * hourMs
  const areKept = interval.from >= floorTo(now, dayMs) - (usageRetention.hoursDays - 1) * dayMs
  if (!isShort || !areKept) return ['day']
  const isFine = interval.from > now - usageRetention.fivesDays * dayMs
  return [
    ...(isFine ? (['5m'] as const) : []),
    'hour',
    ...(lengthOf(interval, now) <= dayMs ? [] : (['day'] as const)),
  ]
}

/** What is wrong with chosen days, and what to do; null: nothing. */
export function rangeProblem(range: UsageRange, now: number): string | null {
  if (range.kind === 'last') return null
  const { from, to = now } = chartIntervalOf(range, now)
  if (from >= to) return 'The first day is later than the last one: change one of them.'
  if (from > now) return 'These days are still to come.'
  if (to - from > statisticsBounds.days * dayMs) return `Choose ${statisticsBounds.days} days at most.`
  return null
}

/** A day as it is in the page's address; null: it is none. */
export function dayFrom(text: unknown): string | null {
  if (typeof text !== 'string' || !/^20\d\d-\d\d-\d\d$/.test(text)) return null
  const at = startOf(text)
  return Number.isNaN(at) || utcDay(at) !== text ? null : text
}
