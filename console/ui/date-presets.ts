import { dayMs } from '../../shared/durations.ts'
import { dayIn } from '../../shared/zone-days.ts'
import { readerZone } from './reader-zone.ts'

/** Days are texts such as `2026-01-31`, the form of date inputs. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * dayMs).toISOString().slice(0, 10)
}

/** The day where the reader is, or of UTC where that was chosen. */
export const localDay = (at: Date): string => dayIn(readerZone(), at.getTime())

/** `7 days`, `1 year`. */
export function presetTitle(days: number): string {
  if (days % 365 === 0) return days === 365 ? '1 year' : `${days / 365} years`
  return days === 1 ? '1 day' : `${days} days`
}
