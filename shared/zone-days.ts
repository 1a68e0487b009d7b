import { dayMs, hourMs } from './durations.ts'

/*
 * Days of a time zone, found with the tables of the runtime. Days of 23 and 25 hours, and days that begin at one o'clock
 * because there is no midnight, are as long as they are.
 */

/** Transitions and days begin at quarters of an hour everywhere. */
const stepMs = hourMs / 4

/** Returns the beginnings of the days of a zone, from the day that holds `from` until `to`. */
export function dayStartsIn(timeZone: string, from: number, to: number): number[] {
  const dayAt = dayReader(timeZone)
  const starts = [dayStart(dayAt, from)]
  for (let at = starts[0] ?? from; ;) {
    // Later than midnight of the next day, wherever this one began, and earlier than its end.
    at = dayStart(dayAt, at + dayMs + 6 * hourMs)
    if (at >= to) return starts
    starts.push(at)
  }
}

/** Returns the day of the calendar of a zone, such as `2026-01-31`, to which an instant belongs. */
export const dayIn = (timeZone: string, at: number): string => dayText(dayReader(timeZone)(at))

/** Returns when a day of the calendar begins in a zone; where the zone has skipped it, the next one. */
export function startOfDay(timeZone: string, day: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`)
  // No zone is further than 14 hours from UTC.
  const starts = dayStartsIn(timeZone, utc - dayMs, utc + 2 * dayMs)
  return starts.find((start) => dayIn(timeZone, start) >= day) ?? utc
}

/** Returns the day so many days after another one, in any calendar. */
export const dayAfter = (day: string, days = 1): string =>
  dayText(Date.parse(`${day}T00:00:00Z`) / dayMs + days)

const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

/** Returns the number of a day since 1970, as calendars of the zone have it at an instant. */
type DayAt = (at: number) => number

function dayReader(timeZone: string): DayAt {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  })
  return (at) => Date.parse(`${format.format(at)}T00:00:00Z`) / dayMs
}

/** Returns when the day of an instant began: at most 26 hours ago. */
function dayStart(dayAt: DayAt, at: number): number {
  const day = dayAt(at)
  let last = Math.floor(at / stepMs)
  let before = last - (26 * hourMs) / stepMs
  while (last - before > 1) {
    const middle = Math.floor((before + last) / 2)
    if (dayAt(middle * stepMs) >= day) last = middle
    else before = middle
  }
  return last * stepMs
}
