import { dayMs, hourMs } from '../../../shared/durations.ts'

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
