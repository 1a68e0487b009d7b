import type { Accounts } from '../accounts/accounts.ts'
import { countPlans } from '../accounts/store.ts'
import type { Limits } from '../limits/limits.ts'
import { type PlanViews, createPlanViews } from '../plans/plan-views.ts'
import type { Plans } from '../plans/plans.ts'
import type { QueryKeys } from '../query-keys/query-keys.ts'
import type { CoreServices } from './core-services.ts'

interface PlanParts {
  readonly plans: Plans
  readonly accounts: Pick<Accounts, 'planOf'>
  readonly queryKeys: Pick<QueryKeys, 'count'>
  readonly limits: Pick<Limits, 'peek'>
}

/** Connects plans to the accounts that have them, and to what is used of them. */
export const openPlanViews = (
  { database }: Pick<CoreServices, 'database'>,
  { plans, accounts, queryKeys, limits }: PlanParts,
): PlanViews =>
  createPlanViews({
    plans,
    database,
    planOf: accounts.planOf,
    countPlans: () => countPlans(database),
    countKeys: queryKeys.count,
    peek: limits.peek,
  })
