import type { ListedPlan, PlanUse } from '../../shared/plans.ts'
import type { Database } from '../platform/database.ts'
import type { Limits } from '../limits/limits.ts'
import { limitsOf } from './held-limits.ts'
import type { PlanNameOf, Plans } from './plans.ts'

interface PlanViewParts {
  readonly plans: Plans
  readonly database: Database
  readonly planOf: PlanNameOf
  /** How many accounts have each plan. */
  readonly countPlans: () => Promise<ReadonlyMap<string, number>>
  readonly countKeys: (accountId: string) => Promise<number>
  readonly peek: Limits['peek']
}

export type PlanViews = ReturnType<typeof createPlanViews>

/** What people see of plans. */
export function createPlanViews({ plans, database, planOf, countPlans, countKeys, peek }: PlanViewParts) {
  return {
    async list(): Promise<ListedPlan[]> {
      const counts = await countPlans()
      const ofNew = plans.nameAtSignUp()
      const declared = new Set(plans.declared())
      return plans.all().map((plan) => ({
        ...plan,
        managedBy: declared.has(plan) ? 'file' : 'operator',
        accounts: counts.get(plan.name) ?? 0,
        isForSignUp: plan.name === ofNew,
      }))
    },

    /** The plan of an account, and how much of it is used now. */
    async own(accountId: string): Promise<PlanUse> {
      const plan = plans.find(await database.run((sql) => planOf(sql, accountId)))
      const { rate, credits } = limitsOf(plan?.totalMost)
      const [queryKeys, use] = await Promise.all([countKeys(accountId), peek(accountId, rate, credits)])
      return { plan, queryKeys, rateUsed: use?.rateUsed ?? null, creditsUsed: use?.creditsUsed ?? null }
    },
  }
}
