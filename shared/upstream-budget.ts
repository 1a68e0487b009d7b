import * as z from 'zod/mini'

import { dayMs } from './durations.ts'

const mostUnits = 1_000_000_000_000
const longestPeriodSec = (31 * dayMs) / 1_000
const Units = z.int().check(z.minimum(1), z.maximum(mostUnits))
const periodText = `"day", "month", or a number of seconds up to ${longestPeriodSec}`

/** Days and months are those of UTC; seconds are counted from the epoch. */
export const BudgetPeriod = z.union(
  [
    z.enum(['day', 'month']),
    z.int().check(z.minimum(1, periodText), z.maximum(longestPeriodSec, periodText)),
  ],
  periodText,
)
export type BudgetPeriod = z.infer<typeof BudgetPeriod>

/** What an upstream may be asked in a period. A call of a batch is a request; credits are those of our prices. */
export const PeriodBudget = z
  .strictObject({ requests: z.optional(Units), credits: z.optional(Units), per: BudgetPeriod })
  .check(
    z.refine(
      ({ requests, credits }) => (requests === undefined) !== (credits === undefined),
      'expected either requests or credits',
    ),
  )
export type PeriodBudget = z.infer<typeof PeriodBudget>

/** `auto`: what it may be asked is learned from its refusals for a limit. */
export const UpstreamBudget = z.union([z.literal('auto'), PeriodBudget], {
  error: (issue) =>
    typeof issue.input === 'string' ? 'expected "auto", or requests or credits per period' : undefined,
})
export type UpstreamBudget = z.infer<typeof UpstreamBudget>

/** How far a budget is used up. */
export interface BudgetUse {
  readonly unit: 'requests' | 'credits'
  readonly used: number
  /** Null while nothing was learned. */
  readonly amount: number | null
  /** When the period ends; ms since the epoch. */
  readonly endsAt: number
}
