import { type DailySpan, weekdays } from '../../shared/alert-times.ts'

type Weekday = (typeof weekdays)[number]

/** A span that comes again, as it is chosen. */
export interface DailySpanDraft {
  readonly from: string
  readonly to: string
  readonly zone: string
  readonly days: readonly Weekday[]
}

export const dailySpanDraftOf = (span: DailySpan | null, usual: Omit<DailySpan, 'days'>): DailySpanDraft => ({
  ...usual,
  ...span,
  days: span?.days ?? weekdays,
})

export const dailySpanOf = ({ days, ...span }: DailySpanDraft): DailySpan => ({
  ...span,
  ...(days.length < weekdays.length && { days: [...days] }),
})

export const weekdayTitles: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}

const all = new Intl.ListFormat('en', { type: 'conjunction' })

/** `every day 22:00 to 07:00, Europe/Berlin`. */
export function dailySpanText({ from, to, zone, days = [...weekdays] }: DailySpan): string {
  const onDays =
    days.length === weekdays.length
      ? 'day'
      : all.format(weekdays.filter((day) => days.includes(day)).map((day) => weekdayTitles[day]))
  return `every ${onDays} ${from} to ${to}, ${zone}`
}

/** The zones that the browser knows, and the one that is set. */
export const zoneOptions = (set: string): readonly { readonly value: string; readonly label: string }[] =>
  [...new Set([set, 'UTC', ...Intl.supportedValuesOf('timeZone')])].map((value) => ({ value, label: value }))
