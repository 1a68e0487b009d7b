import { StatusPagePatch, StatusPageResource } from '../../../shared/admin-resources.ts'
import { mergePatched } from '../../../shared/merge-patch.ts'
import { StatusPageName, StatusPageSpec, type StatusPageView } from '../../../shared/status-pages.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

const pages = oneList<StatusPageView>({
  all: ({ call }) => call.statusPages.list(),
  idOf: ({ spec }) => spec.page,
  versionOf: ({ managedBy, spec }) => [managedBy, spec],
  // The fields of a page stand beside what is known of it.
  shown: ({ spec, ...known }) => ({ ...spec, ...known }),
  missing: 'There is no such status page',
})

/** Public pages about chosen services. */
export const adminStatusPages = resource({
  path: 'status-pages',
  name: 'StatusPage',
  one: 'a status page',
  many: 'status pages',
  view: StatusPageResource,
  id: StatusPageName,
  ...pages.reading,
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
      const { spec } = await pages.get(operator, page)
      await operator.call.statusPages.save({ spec: mergePatched(spec, patch) })
    },
  },
  removing: { remove: ({ call }, page) => call.statusPages.remove({ page }) },
})
