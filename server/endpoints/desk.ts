import type {
  EndpointDetails,
  EndpointLine,
  EndpointPrices,
  EndpointSpec,
  EndpointUpdate,
  QueryKeyChoices,
  UpstreamTest,
} from '../../shared/endpoints.ts'
import { fault } from '../platform/fault.ts'
import type { ConsoleEndpoints, RecordEndpointChange } from './console-endpoints.ts'
import type { EndpointInForce, InForce } from './in-force.ts'
import { pricesOf } from './lines.ts'
import type { Lines } from './lines.ts'
import type { Sections } from './sections.ts'
import { testUpstream } from './test-upstream.ts'
import type { TestMeans } from './test-upstream.ts'

interface DeskParts {
  readonly inForce: InForce
  readonly lines: Lines
  readonly sections: Pick<Sections, 'keyTypes' | 'defaultLimits'>
  readonly changes: ConsoleEndpoints
  /** Puts in force what was changed. */
  readonly applyChanges: () => Promise<void>
  readonly means: TestMeans
}

/** What people see of endpoints, and what operators do to them. */
export function createDesk({ inForce, lines, sections, changes, applyChanges, means }: DeskParts) {
  function existing(name: string): EndpointInForce {
    const found = inForce.find(name)
    if (found === undefined) throw fault('not_found', 'there is no such endpoint')
    return found
  }

  return {
    choices: (): QueryKeyChoices => ({
      endpoints: inForce.all().map(lines.choice),
      keyTypes: sections.keyTypes(),
      defaultLimits: sections.defaultLimits(),
    }),
    list: (): EndpointLine[] => inForce.all().map(lines.line),
    /** Fault: `not_found`, as for everything by name. */
    details: (name: string): EndpointDetails => lines.details(existing(name)),
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
      return lines.details(existing(spec.name))
    },

    /** Faults: `not_found`, `invalid_request` naming the field, `conflict`. */
    async update(change: EndpointUpdate, record: RecordEndpointChange): Promise<EndpointDetails> {
      await changes.update(change, record)
      await applyChanges()
      return lines.details(existing(change.name))
    },

    /** Faults: `not_found`, `conflict` while query keys use it. */
    async remove(name: string, record: RecordEndpointChange): Promise<void> {
      await changes.remove(name, record)
      await applyChanges()
    },
  }
}
