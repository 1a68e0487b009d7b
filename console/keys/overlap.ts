import { hourMs } from '../../shared/durations.ts'

/** For how long the old value of a rotated key still works. */
export const overlapMsOf = { none: 0, '1h': hourMs, '24h': 24 * hourMs, '7d': 7 * 24 * hourMs } as const
export type Overlap = keyof typeof overlapMsOf

export const overlapOptions: readonly { readonly value: Overlap; readonly label: string }[] = [
  { value: 'none', label: 'Not at all' },
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '7d', label: '7 days' },
]
