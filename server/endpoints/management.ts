import type {
  EndpointDetails,
  EndpointListItem,
  EndpointPrices,
  EndpointSpec,
  EndpointUpdate,
  KnownMethods,
  QueryKeyChoices,
  UpstreamTest,
} from '../../shared/endpoints.ts'
import { fault } from '../platform/fault.ts'
import { createEndpoint } from './create-endpoint.ts'
import type { EndpointChangeParts, RecordEndpointChange } from './endpoint-changes.ts'
import type { ActiveEndpoint, ActiveEndpoints } from './active-endpoints.ts'
import { type EndpointViews, pricesOf } from './endpoint-views.ts'
import type { FileSections } from './file-sections.ts'
import { removeEndpoint } from './remove-endpoint.ts'
import { type TestUpstreamDeps, testUpstream } from './test-upstream.ts'
import { updateEndpoint } from './update-endpoint.ts'

interface EndpointManagementParts {
  readonly active: ActiveEndpoints
  readonly views: EndpointViews
  readonly sections: Pick<FileSections, 'keyTypes' | 'defaultLimits'>
  readonly changes: EndpointChangeParts
  /** Activates changes that were stored. */
  readonly applyChanges: () => Promise<void>
  readonly means: TestUpstreamDeps
  /** Returns the known methods of a chain's nodes; null when there is no such chain. */
  readonly methodsOf: (chain: string) => KnownMethods | null
}

/** Creates the use cases that people have for endpoints: lists, details, tests and changes. */
export function createEndpointManagement({
  active,
  views,
  sections,
  changes,
  applyChanges,
  means,
  methodsOf,
}: EndpointManagementParts) {
  function existing(name: string): ActiveEndpoint {
    const found = active.find(name)
    if (found === undefined) throw fault('not_found', 'there is no such endpoint')
    return found
  }

  return {
    choices: (): QueryKeyChoices => ({
      endpoints: active.all().map(views.choice),
      keyTypes: sections.keyTypes(),
      defaultLimits: sections.defaultLimits(),
    }),
    list: (): EndpointListItem[] => active.all().map(views.listItem),
    /** Returns one endpoint. Fault: `not_found`, as for all use cases by name. */
    details: (name: string): EndpointDetails => views.details(existing(name)),
    prices: (name: string): EndpointPrices => pricesOf(existing(name)),
    /** Returns the methods that are known for the nodes of a chain. Fault: `not_found`. */
    methods(chain: string): KnownMethods {
      const known = methodsOf(chain)
      if (known === null) throw fault('not_found', 'there is no such chain')
      return known
    },
    /** Returns how many query keys prevent the removal of an endpoint. */
    keyCount(name: string): Promise<number> {
      const { endpoint } = existing(name)
      return changes.database.transaction((sql) => changes.countKeys(sql, endpoint.name))
    },

    /** Sends one harmless call to each upstream. Fault: `not_found`. */
    async test(name: string): Promise<UpstreamTest[]> {
      const { endpoint, upstreams } = existing(name)
      return await Promise.all(
        upstreams.map((resolved) =>
          resolved.kind === 'in'
            ? testUpstream(endpoint, resolved.upstream, means)
            : { id: resolved.id, ok: false as const, latencyMs: null, message: resolved.why },
        ),
      )
    },

    /** Creates an endpoint and activates it. Faults: `invalid_request` naming the field, `conflict`. */
    async create(spec: EndpointSpec, record: RecordEndpointChange): Promise<EndpointDetails> {
      await createEndpoint(changes, spec, record)
      await applyChanges()
      return views.details(existing(spec.name))
    },

    /** Changes an endpoint and activates it. Faults: `not_found`, `invalid_request` naming the field, `conflict`. */
    async update(change: EndpointUpdate, record: RecordEndpointChange): Promise<EndpointDetails> {
      await updateEndpoint(changes, change, record)
      await applyChanges()
      return views.details(existing(change.name))
    },

    /** Removes an endpoint. Faults: `not_found`, `conflict` while query keys use it. */
    async remove(name: string, record: RecordEndpointChange): Promise<void> {
      await removeEndpoint(changes, name, record)
      await applyChanges()
    },
  }
}
