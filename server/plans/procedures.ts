import type { ListedPlan, PlanUse } from '../../shared/plans.ts'
import { operatorProcedure, router, signedInProcedure } from '../trpc/init.ts'
import type { PlanViews } from './plan-views.ts'

/** Plans as operators list them, and as owners of keys see their own. They are changed in the file. */
export function planProcedures(views: PlanViews) {
  return router({
    list: operatorProcedure.query((): Promise<ListedPlan[]> => views.list()),
    own: signedInProcedure.query(({ ctx }): Promise<PlanUse> => views.own(ctx.account.id)),
  })
}
