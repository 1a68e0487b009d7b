import { AdminListQuery, StatusPagePatch, StatusPageResource } from '../../../shared/admin-resources.ts'
import { mergePatched } from '../../../shared/merge-patch.ts'
import { StatusPageName, StatusPageSpec, type StatusPageView } from '../../../shared/status-pages.ts'
import { fault } from '../../platform/fault.ts'
import type { Operator } from '../operator.ts'
import { sortedPage } from '../pages.ts'
import { resource } from '../resource.ts'

async function viewOf({ call }: Operator, page: string): Promise<StatusPageView> {
  const found = (await call.statusPages.list()).find(({ spec }) => spec.page === page)
  if (found === undefined) throw fault('not_found', 'There is no such status page')
  return found
}

/** The fields of a page stand beside what is known of it. */
const flat = ({ spec, ...known }: StatusPageView) => ({ ...spec, ...known })

/** Public pages about chosen services. */
export const adminStatusPages = resource({
  path: 'status-pages',
  name: 'StatusPage',
  one: 'a status page',
  many: 'status pages',
  view: StatusPageResource,
  id: StatusPageName,
  query: AdminListQuery,
  list: async ({ call }, query) =>
    sortedPage((await call.statusPages.list()).map(flat), ({ page }) => page, query),
  async find(operator, page) {
    const view = await viewOf(operator, page)
    return { item: flat(view), version: [view.managedBy, view.spec] }
  },
  creating: {
    body: StatusPageSpec,
    example: {
      page: 'main',
      title: 'Example status',
      groups: [{ name: 'Nodes', services: [{ id: 'node-a', as: 'Mainnet' }] }],
    },
    async create({ call }, spec) {
      await call.statusPages.save({ spec, isNew: true })
      return { id: spec.page }
    },
  },
  changing: {
    body: StatusPagePatch,
    example: { published: false },
    about: 'Lists are replaced as a whole; null takes a field away, or back to its default.',
    async change(operator, page, patch) {
      const { spec } = await viewOf(operator, page)
      await operator.call.statusPages.save({ spec: mergePatched(spec, patch) })
    },
  },
  removing: { remove: ({ call }, page) => call.statusPages.remove({ page }) },
})
