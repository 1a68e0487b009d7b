import { readerZone, zoneMark } from './reader-zone.ts'

const units: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

const words = new Intl.RelativeTimeFormat('en', { style: 'long' })
const timeZone = readerZone()
const wholeDay = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone })
const wholeInstant = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium', timeZone })

/** `5 seconds ago`, `in 3 days`, `just now`. Both in epoch ms. */
export function relativeTime(at: number, now: number): string {
  const seconds = (at - now) / 1_000
  for (const [unit, length] of units) {
    const count = Math.trunc(seconds / length)
    if (count !== 0) return words.format(count, unit)
  }
  return 'just now'
}

/** `Jan 31, 2026, 1:00:00 PM`, where the reader is; `… PM UTC` where that was chosen. */
export const absoluteTime = (at: number): string => wholeInstant.format(at) + zoneMark

/** `Jan 31, 2026`, where the reader is. */
export const dayText = (at: number): string => wholeDay.format(at)
