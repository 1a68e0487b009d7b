import { type ListedPlan, Plan, PlanByName, type PlanUse } from '../../shared/plans.ts'
import { authorOf, operatorProcedure, router, signedInProcedure } from '../trpc/init.ts'
import type { PlanChanges } from './plan-changes.ts'
import type { PlanViews } from './plan-views.ts'

/** Plans as operators list and change them, and as owners of keys see their own. Those of the file are changed there. */
export function planProcedures({ list, own, changes }: PlanViews & { readonly changes: PlanChanges }) {
  return router({
    list: operatorProcedure.query((): Promise<ListedPlan[]> => list()),
    create: operatorProcedure.input(Plan).mutation(({ ctx, input }) => changes.create(authorOf(ctx), input)),
    /** Puts a plan in the place of the one of its name. */
    update: operatorProcedure.input(Plan).mutation(({ ctx, input }) => changes.update(authorOf(ctx), input)),
    delete: operatorProcedure
      .input(PlanByName)
      .mutation(({ ctx, input }) => changes.remove(authorOf(ctx), input.name)),
    own: signedInProcedure.query(({ ctx }): Promise<PlanUse> => own(ctx.account.id)),
  })
}
