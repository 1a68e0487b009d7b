import { type DailySpan, type MaintenanceWindow, weekdays } from '../../../shared/alert-times.ts'
import { dayMs, minuteMs } from '../../../shared/durations.ts'

/** A span of time, epoch ms. */
export interface SpanOfTime {
  readonly from: number
  readonly to: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(zone, made)
  return made
}

/** Returns what the clocks of a zone show at an instant, as if it were UTC (epoch ms). */
function wallTime(at: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

/**
 * Returns the instant at which the clocks of a zone show a time. Of two it is the earlier; for one that is skipped, when clocks
 * are put forward, it is as long after midnight as on other days.
 */
function instantOf(wall: number, zone: string): number {
  const guess = wall - (wallTime(wall, zone) - wall)
  const offsets = [guess - dayMs, guess, guess + dayMs].map(
    (at) => wallTime(at, zone) - Math.floor(at / 1000) * 1000,
  )
  const fitting = offsets.map((offset) => wall - offset).filter((at) => wallTime(at, zone) === wall)
  return fitting.length > 0 ? Math.min(...fitting) : wall - (offsets[0] ?? 0)
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns the span that is on at an instant, or else the next one; null where none comes within nine days. */
export function spanAt(daily: DailySpan, now: number): SpanOfTime | null {
  const { from, to, zone, days } = daily
  const today = Math.floor(wallTime(now, zone) / dayMs) * dayMs
  const lasts = minutesOf(to) > minutesOf(from) ? 0 : dayMs
  for (let day = today - dayMs; day <= today + 8 * dayMs; day += dayMs) {
    // Days of the week begin with Monday here, and with Thursday on 1 January 1970.
    const weekday = weekdays[(day / dayMs + 3) % 7]
    if (days !== undefined && (weekday === undefined || !days.includes(weekday))) continue
    const span = {
      from: instantOf(day + minutesOf(from) * minuteMs, zone),
      to: instantOf(day + lasts + minutesOf(to) * minuteMs, zone),
    }
    if (now < span.to && span.from < span.to) return span
  }
  return null
}

/** Returns when the hours that are on end (epoch ms); null where they are not on. */
export function quietUntil(daily: DailySpan | null | undefined, now: number): number | null {
  const span = daily ? spanAt(daily, now) : null
  return span !== null && span.from <= now ? span.to : null
}

/** Returns the span of planned work that is on, or else the next one; null where it is over for good. */
export function maintenanceSpan({ once, every }: MaintenanceWindow, now: number): SpanOfTime | null {
  if (once !== undefined) return now < once.to ? once : null
  return every === undefined ? null : spanAt(every, now)
}

export function isOn(window: MaintenanceWindow, now: number): boolean {
  const span = maintenanceSpan(window, now)
  return span !== null && span.from <= now
}
