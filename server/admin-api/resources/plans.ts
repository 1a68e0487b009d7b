import { AdminListQuery, PlanResource } from '../../../shared/admin-resources.ts'
import { PlanName } from '../../../shared/plans.ts'
import { fault } from '../../platform/fault.ts'
import { sortedPage } from '../pages.ts'
import { resource } from '../resource.ts'

const refused = 'Plans are declared in the file, under plans: change them there'

/** What accounts may have and use. */
export const adminPlans = resource({
  path: 'plans',
  name: 'Plan',
  one: 'a plan',
  many: 'plans',
  view: PlanResource,
  id: PlanName,
  query: AdminListQuery,
  list: async ({ call }, query) => sortedPage(await call.plans.list(), ({ name }) => name, query),
  async find({ call }, name) {
    const item = (await call.plans.list()).find((plan) => plan.name === name)
    if (item === undefined) throw fault('not_found', 'There is no plan of this name')
    const { accounts: _, ...version } = item
    return { item, version }
  },
  creating: { refused },
  changing: { refused },
  removing: { refused },
})
