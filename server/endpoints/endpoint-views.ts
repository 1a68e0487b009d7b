import type {
  EndpointChoice,
  EndpointDetails,
  EndpointHealth,
  EndpointListItem,
  EndpointPrices,
  UpstreamListItem,
} from '../../shared/endpoints.ts'
import type { Decision } from '../../shared/health.ts'
import type { BudgetUse } from '../../shared/upstream-budget.ts'
import type { ActiveEndpoint } from './active-endpoints.ts'
import type { ResolvedUpstream } from './resolve.ts'

interface EndpointViewSources {
  /** Returns `scheme://host[:port]` of this installation. */
  readonly address: () => string
  readonly decisionOf: (serviceId: string) => Decision
  /** Returns how far the budget of an upstream, known by its identity, is used, or null. */
  readonly budgetUse: (endpoint: string, identity: string) => BudgetUse | null
  /** Returns the revision of an endpoint of the console, or null for any other. */
  readonly revisionOf: (name: string) => string | null
}

export type EndpointViews = ReturnType<typeof createEndpointViews>

/** Creates what people see of endpoints: of an upstream neither path nor query, and no value of a header. */
export function createEndpointViews({ address, decisionOf, revisionOf, budgetUse }: EndpointViewSources) {
  function route({ endpoint, spec }: ActiveEndpoint): Omit<EndpointChoice, 'health'> {
    const url = `${address()}/rpc/${endpoint.name}/{key}`
    return {
      name: endpoint.name,
      chain: { key: spec.chain, name: endpoint.chain?.name ?? spec.chain },
      family: endpoint.family,
      url,
      webSocketUrl: url.replace(/^http/, 'ws'),
    }
  }

  const decisionAbout = ({ spec: { service } }: ResolvedUpstream): Decision | null =>
    service === undefined ? null : decisionOf(service)

  const isDown = (one: ResolvedUpstream): boolean => one.kind === 'out' || decisionAbout(one) === 'DOWN'

  function health(upstreams: readonly ResolvedUpstream[]): EndpointHealth {
    const up = upstreams.filter((one) => !isDown(one))
    const late = up.filter((one) => decisionAbout(one) === 'LATENCY')
    return { upstreams: upstreams.length, down: upstreams.length - up.length, late: late.length }
  }

  function upstreamListItem(endpoint: string, resolved: ResolvedUpstream): UpstreamListItem {
    const { service = null, ws, weight, tier = 0, budget = null, compression = null } = resolved.spec
    const upstream = resolved.kind === 'in' ? resolved.upstream : null
    const id = resolved.kind === 'in' ? resolved.upstream.id : resolved.id
    return {
      id,
      serviceId: service,
      host: upstream === null ? null : new URL(upstream.url).host,
      webSocketHost: ws === undefined ? null : new URL(ws).host,
      headerNames: Object.keys(upstream?.headers ?? {}),
      weight,
      tier,
      budget,
      compression,
      budgetUse: budgetUse(endpoint, upstream?.identity ?? id),
      decision: decisionAbout(resolved),
      outBecause: resolved.kind === 'in' ? null : resolved.why,
    }
  }

  function listItem(active: ActiveEndpoint): EndpointListItem {
    return {
      ...route(active),
      managedBy: active.managedBy,
      upstreams: active.upstreams.map((each) => upstreamListItem(active.spec.name, each)),
      problem: problemOf(active),
    }
  }

  return {
    choice: (active: ActiveEndpoint): EndpointChoice => ({
      ...route(active),
      health: health(active.upstreams),
    }),
    listItem,
    details: (active: ActiveEndpoint): EndpointDetails => ({
      ...listItem(active),
      methods: active.spec.methods,
      credits: active.spec.credits,
      settings: active.spec.settings,
      revision: active.managedBy === 'file' ? null : revisionOf(active.spec.name),
    }),
  }
}

function problemOf({ endpoint, spec, upstreams }: ActiveEndpoint): string | null {
  if (endpoint.upstreams.length === 0) return 'No upstream can be used, so that every call fails'
  if (endpoint.chain === undefined) return `The chain ${spec.chain} is not described any more`
  const outside = upstreams.filter(({ kind }) => kind === 'out').length
  if (outside === 0) return null
  return outside === 1 ? 'One upstream is not used' : `${outside} upstreams are not used`
}

export function pricesOf({ endpoint, prices }: ActiveEndpoint): EndpointPrices {
  const methods = [...prices.byMethod, ...prices.conditionalByName].map(([method, price]) => ({
    method,
    ...price,
  }))
  return {
    name: endpoint.name,
    version: endpoint.pricesVersion,
    methods: methods.sort((one, other) => (one.method < other.method ? -1 : 1)),
    otherMethods: prices.otherMethods,
  }
}
