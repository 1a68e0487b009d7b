import { matching } from './text.ts'

/** A month of UTC. */
export const Month = matching(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'a month such as 2026-01')

/** Returns the month before that of an instant (epoch ms). */
export function monthBefore(at: number): string {
  const date = new Date(at)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)).toISOString().slice(0, 7)
}

/** Returns the month after one, `2027-01` after `2026-12`. */
export function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}
