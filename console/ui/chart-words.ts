import { dayMs } from '../../shared/durations.ts'
import { readerZone } from './reader-zone.ts'

/** How a time axis names its ticks: days where it is long, else times of day. */
export function tickWords(from: number, to: number, zone = readerZone()): Intl.DateTimeFormat {
  const options: Intl.DateTimeFormatOptions =
    to - from > 2 * dayMs
      ? { month: 'short', day: 'numeric' }
      : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  return new Intl.DateTimeFormat('en', { ...options, timeZone: zone })
}
