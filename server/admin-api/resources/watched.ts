import { AdminListQuery, ServicePatch, ServiceResource } from '../../../shared/admin-resources.ts'
import { ServiceId, ServiceSpec } from '../../../shared/health.ts'
import { sortedPage } from '../pages.ts'
import { resource } from '../resource.ts'

/** What verifiers watch. How a service is now is at `/health/{id}`. */
export const adminServices = resource({
  path: 'services',
  name: 'Service',
  one: 'a watched service',
  many: 'watched services',
  view: ServiceResource,
  id: ServiceId,
  query: AdminListQuery,
  async list({ call }, query) {
    const { items, nextCursor } = sortedPage(await call.services.list(), ({ id }) => id, query)
    return { items: await Promise.all(items.map(({ id }) => call.services.settings({ id }))), nextCursor }
  },
  find: async ({ call, whole }, id) => ({
    item: await call.services.settings({ id }),
    version: whole.service(id),
  }),
  creating: {
    body: ServiceSpec,
    example: {
      name: 'Node A',
      chain: 'ethereum',
      provider: 'acme',
      endpoint: 'https://node-a.example.com/v1/secret',
    },
    create: ({ call }, spec) => call.services.add(spec),
  },
  changing: {
    body: ServicePatch,
    example: { provider: 'acme', policy: { maxRttMs: 2_000 } },
    about:
      'Of `headers` each is changed by itself, and null removes one; `policy`, `capabilities` and `labels` are replaced.',
    change: ({ call }, id, change) => call.services.update({ ...change, id }),
  },
  removing: { remove: ({ call }, id) => call.services.remove({ id }) },
})
