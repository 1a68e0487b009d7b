import { AdminListQuery, EndpointPatch, EndpointResource } from '../../../shared/admin-resources.ts'
import { EndpointName, EndpointSpec } from '../../../shared/endpoints.ts'
import { sortedPage } from '../pages.ts'
import { resource } from '../resource.ts'

/** No revision of an endpoint: one of the file has none, and the change of it is refused for that. */
const noRevision = 'file'

/** Named routes to nodes, of the relay. */
export const adminEndpoints = resource({
  path: 'endpoints',
  name: 'Endpoint',
  one: 'an endpoint',
  many: 'endpoints',
  view: EndpointResource,
  id: EndpointName,
  query: AdminListQuery,
  async list({ call }, query) {
    const { items, nextCursor } = sortedPage(await call.endpoints.list(), ({ name }) => name, query)
    return {
      items: await Promise.all(items.map(({ name }) => call.endpoints.details({ name }))),
      nextCursor,
    }
  },
  async find({ call }, name) {
    const item = await call.endpoints.details({ name })
    const { chain, methods, credits, settings, revision, managedBy } = item
    return { item, version: revision ?? { managedBy, chain, methods, credits, settings } }
  },
  creating: {
    body: EndpointSpec,
    example: {
      name: 'mainnet',
      chain: 'ethereum',
      upstreams: [{ service: 'node-a' }, { url: 'https://other.example.com' }],
    },
    async create({ call }, spec) {
      await call.endpoints.create(spec)
      return { id: spec.name }
    },
  },
  changing: {
    body: EndpointPatch,
    example: { upstreams: [{ keep: 'node-a', weight: 2 }, { url: 'https://third.example.com' }] },
    about:
      'Lists are replaced as a whole; `keep` names an upstream whose address and headers stay. `chain` is a key, or a chain as it is shown, of which the key counts.',
    async change({ call }, name, { chain, ...change }) {
      const { revision } = await call.endpoints.details({ name })
      await call.endpoints.update({
        ...change,
        ...(chain !== undefined && { chain: typeof chain === 'string' ? chain : chain.key }),
        name,
        revision: revision ?? noRevision,
      })
    },
  },
  removing: { remove: ({ call }, name) => call.endpoints.remove({ name }) },
})
