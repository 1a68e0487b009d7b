import { dayMs } from '../../shared/durations.ts'

/** How a time axis names its ticks: days where it is long, else times of day. `zone`: that of the reader when absent. */
export function tickWords(from: number, to: number, zone?: string): Intl.DateTimeFormat {
  const options: Intl.DateTimeFormatOptions =
    to - from > 2 * dayMs
      ? { month: 'short', day: 'numeric' }
      : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  return new Intl.DateTimeFormat('en', { ...options, ...(zone !== undefined && { timeZone: zone }) })
}

/** By how much the reader's time is ahead of UTC. */
export const readerOffsetMs = (at: number): number => -new Date(at).getTimezoneOffset() * 60_000
