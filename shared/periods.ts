import * as z from 'zod/mini'
import { dayMs } from './durations.ts'

/** What a limit counts over. A month is 30 days, and every period rolls: none of them begins at a fixed hour. */
export const periods = ['second', 'minute', 'hour', 'day', 'week', 'month'] as const
export const Period = z
  .enum(periods)
  .check(z.meta({ description: 'Length of the rolling interval; a month is 30 days', examples: ['minute'] }))
export type Period = z.infer<typeof Period>

export const periodMs: Readonly<Record<Period, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
}
