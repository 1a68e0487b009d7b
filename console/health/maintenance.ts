import { minuteMs } from '../../shared/durations.ts'
import { instantOfInput, timesIn } from '../ui/reader-zone.ts'

/** Until when work is announced: a usual length, an instant, or until somebody ends it. */
export type MaintenanceEnd = '30min' | '1h' | '4h' | '24h' | 'custom' | 'open'

const lengths: Readonly<Record<Exclude<MaintenanceEnd, 'custom' | 'open'>, number>> = {
  '30min': 30 * minuteMs,
  '1h': 60 * minuteMs,
  '4h': 240 * minuteMs,
  '24h': 1_440 * minuteMs,
}

export const maintenanceEnds: readonly { readonly value: MaintenanceEnd; readonly label: string }[] = [
  { value: '30min', label: '30 min' },
  { value: '1h', label: '1 hour' },
  { value: '4h', label: '4 hours' },
  { value: '24h', label: '1 day' },
  { value: 'custom', label: 'Until …' },
  { value: 'open', label: 'Until I end it' },
]

export type ReadEnd =
  | { readonly kind: 'until'; readonly until: number | null }
  | { readonly kind: 'wrong'; readonly error: string }

/** `custom`: what a `datetime-local` input holds, in the time that pages tell. `now` in epoch ms. */
export function readEnd(end: MaintenanceEnd, custom: string, now: number, chosen = timesIn): ReadEnd {
  switch (end) {
    case 'open':
      return { kind: 'until', until: null }
    case 'custom': {
      const until = instantOfInput(custom, chosen)
      if (Number.isNaN(until)) return { kind: 'wrong', error: 'Say until when.' }
      return until > now ? { kind: 'until', until } : { kind: 'wrong', error: 'That has passed already.' }
    }
    default:
      return { kind: 'until', until: now + lengths[end] }
  }
}
