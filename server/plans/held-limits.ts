import type { Limit, LimitName } from '../../shared/limits.ts'
import { periodMs } from '../../shared/periods.ts'
import { type Plan, limitIn } from '../../shared/plans.ts'
import type { FurtherLimits } from '../limits/limits.ts'

/** Both limits of a key, or of a plan. */
export type LimitPair = Readonly<Record<LimitName, Limit | null>>

export const limitsOf = (most: Plan['keyMost']): LimitPair => ({
  rate: most?.rate === undefined ? null : limitIn(most.rate),
  credits: most?.credits === undefined ? null : limitIn(most.credits),
})

/** Returns the most that a limit lets through in any interval of a period. */
export const mostWithin = ({ units, period }: Limit, interval: Limit['period']): number =>
  units * Math.max(1, Math.ceil(periodMs[interval] / periodMs[period]))

/** Whether a limit never lets more through than another one. */
export const isWithin = (limit: Limit | null, most: Limit): boolean =>
  limit !== null && mostWithin(limit, most.period) <= most.units

const none: readonly FurtherLimits[] = []

/** The limits of a key's plan: those that its own limits do not keep by themselves, and those of all keys of its account. */
export function furtherLimitsOf(
  plan: Plan | null,
  { id, accountId, rate, credits }: LimitPair & { readonly id: string; readonly accountId: string },
): readonly FurtherLimits[] {
  if (plan === null) return none
  const most = limitsOf(plan.keyMost)
  const own: FurtherLimits = {
    id: `${id}/plan`,
    scope: 'plan',
    rate: most.rate === null || isWithin(rate, most.rate) ? null : most.rate,
    credits: most.credits === null || isWithin(credits, most.credits) ? null : most.credits,
  }
  const ofAccount: FurtherLimits = { id: accountId, scope: 'account', ...limitsOf(plan.totalMost) }
  const held = [own, ofAccount].filter((limits) => limits.rate !== null || limits.credits !== null)
  return held.length === 0 ? none : held
}
