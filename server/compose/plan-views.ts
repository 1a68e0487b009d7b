import type { Accounts } from '../accounts/accounts.ts'
import { countAccountsWithPlan, countPlans } from '../accounts/store.ts'
import type { Audit } from '../audit/audit.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import { keyIdsOfPlan } from '../keys/key-store.ts'
import type { Limits } from '../limits/limits.ts'
import { createPlanChanges } from '../plans/plan-changes.ts'
import { createPlanViews } from '../plans/plan-views.ts'
import { type Plans, createPlans } from '../plans/plans.ts'
import { createStoredPlans } from '../plans/stored-plans.ts'
import type { QueryKeys } from '../query-keys/query-keys.ts'
import type { ActiveFile } from './active-file.ts'
import type { CoreServices } from './core-services.ts'

/** Opens the plans of the file and of operators. Query keys are read with them, so it comes before those are opened. */
export function openPlans(
  { database }: Pick<CoreServices, 'database'>,
  { activeFile, replicas }: { readonly activeFile: Pick<ActiveFile, 'file'>; readonly replicas: KeyReplicas },
): Plans {
  return createPlans({ declared: activeFile, stored: createStoredPlans({ database, replicas }).all })
}

interface PlanParts {
  readonly plans: Plans
  readonly replicas: KeyReplicas
  readonly accounts: Pick<Accounts, 'planOf'>
  readonly queryKeys: Pick<QueryKeys, 'count'>
  readonly limits: Pick<Limits, 'peek'>
  readonly audit: Pick<Audit, 'record'>
}

/** Connects plans to the accounts that have them, and to what is used of them. */
export const openPlanViews = (
  { database, clock }: Pick<CoreServices, 'database' | 'clock'>,
  { plans, replicas, accounts, queryKeys, limits, audit }: PlanParts,
) => ({
  ...createPlanViews({
    plans,
    database,
    planOf: accounts.planOf,
    countPlans: () => countPlans(database),
    countKeys: queryKeys.count,
    peek: limits.peek,
  }),
  changes: createPlanChanges({
    plans,
    replicas,
    users: { countAccounts: countAccountsWithPlan, keyIds: keyIdsOfPlan },
    record: audit.record,
    now: clock.now,
  }),
})
