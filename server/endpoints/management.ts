import type {
  EndpointDetails,
  EndpointListItem,
  EndpointPrices,
  EndpointSpec,
  EndpointUpdate,
  QueryKeyChoices,
  UpstreamTest,
} from '../../shared/endpoints.ts'
import { fault } from '../platform/fault.ts'
import type { ConsoleEndpoints, RecordEndpointChange } from './console-endpoints.ts'
import type { ActiveEndpoint, ActiveEndpoints } from './active-endpoints.ts'
import { pricesOf } from './endpoint-views.ts'
import type { EndpointViews } from './endpoint-views.ts'
import type { FileSections } from './file-sections.ts'
import { testUpstream } from './test-upstream.ts'
import type { TestUpstreamDeps } from './test-upstream.ts'

interface EndpointManagementDeps {
  readonly active: ActiveEndpoints
  readonly views: EndpointViews
  readonly sections: Pick<FileSections, 'keyTypes' | 'defaultLimits'>
  readonly changes: ConsoleEndpoints
  /** Puts in force what was changed. */
  readonly applyChanges: () => Promise<void>
  readonly means: TestUpstreamDeps
}

/** What people see of endpoints, and what operators do to them. */
export function createEndpointManagement({
  active,
  views,
  sections,
  changes,
  applyChanges,
  means,
}: EndpointManagementDeps) {
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
    /** Fault: `not_found`, as for everything by name. */
    details: (name: string): EndpointDetails => views.details(existing(name)),
    prices: (name: string): EndpointPrices => pricesOf(existing(name)),
    /** How many query keys would stand in the way of its removal. */
    keyCount: (name: string): Promise<number> => changes.keyCount(existing(name).endpoint.name),

    /** One harmless call to each upstream. */
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

    /** Faults: `invalid_request` naming the field, `conflict`. */
    async create(spec: EndpointSpec, record: RecordEndpointChange): Promise<EndpointDetails> {
      await changes.create(spec, record)
      await applyChanges()
      return views.details(existing(spec.name))
    },

    /** Faults: `not_found`, `invalid_request` naming the field, `conflict`. */
    async update(change: EndpointUpdate, record: RecordEndpointChange): Promise<EndpointDetails> {
      await changes.update(change, record)
      await applyChanges()
      return views.details(existing(change.name))
    },

    /** Faults: `not_found`, `conflict` while query keys use it. */
    async remove(name: string, record: RecordEndpointChange): Promise<void> {
      await changes.remove(name, record)
      await applyChanges()
    },
  }
}
