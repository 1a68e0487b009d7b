import { PlanResource } from '../../../shared/admin-resources.ts'
import { type ListedPlan, PlanName } from '../../../shared/plans.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

const refused = 'Plans are declared in the file, under plans: change them there'

const plans = oneList<ListedPlan>({
  all: ({ call }) => call.plans.list(),
  idOf: ({ name }) => name,
  versionOf: ({ accounts: _accounts, ...plan }) => plan,
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
  creating: { refused },
  changing: { refused },
  removing: { refused },
})
