import { PlanPatch, PlanResource } from '../../../shared/admin-resources.ts'
import { mergePatched } from '../../../shared/merge-patch.ts'
import { type ListedPlan, Plan, PlanName } from '../../../shared/plans.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

/** What of a plan can be changed. */
function specOf({ managedBy: _by, accounts: _accounts, isForSignUp: _isForNew, ...plan }: ListedPlan): Plan {
  return plan
}

const plans = oneList<ListedPlan>({
  all: ({ call }) => call.plans.list(),
  idOf: ({ name }) => name,
  versionOf: (plan) => [plan.managedBy, specOf(plan)],
  missing: 'There is no plan of this name',
})

/** What accounts may have and use. */
export const adminPlans = resource({
  path: 'plans',
  name: 'Plan',
  one: 'a plan',
  many: 'plans',
  view: PlanResource,
  id: PlanName,
  ...plans.reading,
  creating: {
    body: Plan,
    example: { name: 'small', maxKeys: 3, totalMost: { rate: '1000/minute' } },
    about: 'Accounts get it by a change of theirs (`plan`).',
    async create({ call }, plan) {
      await call.plans.create(plan)
      return { id: plan.name }
    },
  },
  changing: {
    body: PlanPatch,
    example: { maxKeys: 5, keyDays: null },
    about: 'Null takes a field away. Accounts are held to it at once, and nothing of theirs is deleted.',
    async change(operator, name, patch) {
      const plan = specOf(await plans.get(operator, name))
      await operator.call.plans.update(mergePatched(plan, patch))
    },
  },
  removing: {
    about: 'Refused while accounts have it, or new ones get it.',
    remove: ({ call }, name) => call.plans.delete({ name }),
  },
})
