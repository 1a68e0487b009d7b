import type { Chain } from '../../../shared/chains.ts'
import { ServiceId } from '../../../shared/health.ts'
import type { Assignments, Target } from '../../../shared/verifier-protocol.ts'

/** The services that one round probes together, and how often. */
export interface RoundPlan {
  /** Identifies the plan, also across assignments. */
  key: string
  chainKey: string | null
  /** The chain; null where the services have none, or where the server did not describe it. */
  chain: Chain | null
  targets: Target[]
  intervalMs: number
}

/** A service with the plan that it is probed by. */
export interface PlannedTarget {
  readonly plan: RoundPlan
  readonly target: Target
}

/** Identifies the plan of a chain. */
export const chainPlanKey = (chainKey: string): string => `chain ${chainKey}`

/**
 * All services of a chain make one plan, so that their heads can be compared; it runs as often as the most demanding
 * of them asks. Services without a chain are compared with nothing: those of equal interval share a plan.
 */
export function planRounds(assignments: Assignments): RoundPlan[] {
  const chains = new Map(assignments.chains.map((chain) => [chain.key, chain]))
  const plans = new Map<string, RoundPlan>()
  for (const target of assignments.targets) {
    if (!ServiceId.safeParse(target.serviceId).success) continue // a batch that names it would be refused whole
    const { intervalMs } = target.policy
    const key = target.chain === null ? `every ${intervalMs}` : chainPlanKey(target.chain)
    const plan = plans.get(key)
    if (plan) {
      plan.targets.push(target)
      plan.intervalMs = Math.min(plan.intervalMs, intervalMs)
    } else {
      const chain = target.chain === null ? null : (chains.get(target.chain) ?? null)
      plans.set(key, { key, chainKey: target.chain, chain, targets: [target], intervalMs })
    }
  }
  return [...plans.values()]
}

/** Returns the services of plans by their ids. */
export const targetsById = (plans: readonly RoundPlan[]): Map<string, PlannedTarget> =>
  new Map(plans.flatMap((plan) => plan.targets.map((target) => [target.serviceId, { plan, target }])))
