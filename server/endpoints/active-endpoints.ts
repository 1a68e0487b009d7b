import { createHash } from 'node:crypto'

import type { Chain, Family } from '../../shared/chains.ts'
import type { CreditPrices, EndpointSpec } from '../../shared/endpoints.ts'
import type { References } from './check.ts'
import type { Endpoint } from './endpoint.ts'
import { createMethodFilter } from './methods.ts'
import { resolvePrices } from './price.ts'
import type { Prices } from './price.ts'
import { resolveUpstreams } from './resolve.ts'
import type { ResolvedUpstream } from './resolve.ts'

/** Where an endpoint comes from, and what of it is in force. */
export interface ActiveEndpoint {
  readonly endpoint: Endpoint
  readonly spec: EndpointSpec
  readonly managedBy: 'file' | 'operator'
  readonly upstreams: readonly ResolvedUpstream[]
  readonly prices: Prices
}

/** What is said about one endpoint. */
export interface Declaration {
  readonly spec: EndpointSpec
  readonly managedBy: 'file' | 'operator'
  readonly family: Family
}

interface ActiveEndpointsOptions extends References {
  /** Another one whenever a service came, went or changed. */
  readonly servicesVersion: () => number
}

export type ActiveEndpoints = ReturnType<typeof createActiveEndpoints>

const versionChars = 12

/** All endpoints, resolved. Those that stay what they are keep their identity, and callers what they know of them. */
export function createActiveEndpoints({ findChain, findService, servicesVersion }: ActiveEndpointsOptions) {
  let declarations: readonly Declaration[] = []
  let prices: CreditPrices = {}
  let byName = new Map<string, ActiveEndpoint>()
  let resolvedVersion: number | null = null

  function refresh(): void {
    const version = servicesVersion()
    if (version === resolvedVersion) return
    resolvedVersion = version
    byName = new Map(
      declarations.map((declaration) => {
        const { name } = declaration.spec
        return [name, reuseUnchanged(byName.get(name), resolve(declaration))]
      }),
    )
  }

  function resolve({ spec, managedBy, family }: Declaration): ActiveEndpoint {
    const chain = findChain(spec.chain)
    const upstreams = resolveUpstreams(spec.upstreams, chain ?? { key: spec.chain, family }, findService)
    const pricesOf = resolvePrices(spec.credits, prices)
    return {
      endpoint: endpointOf(spec, chain, chain?.family ?? family, upstreams, pricesOf),
      spec,
      managedBy,
      upstreams,
      prices: pricesOf,
    }
  }

  return {
    /** Replaces everything. The first of several of one name wins. */
    set(all: readonly Declaration[], ofInstallation: CreditPrices): void {
      const names = new Set<string>()
      declarations = all
        .filter(({ spec }) => !names.has(spec.name) && names.add(spec.name))
        .toSorted((one, other) => (one.spec.name < other.spec.name ? -1 : 1))
      prices = ofInstallation
      resolvedVersion = null
    },
    find(name: string): ActiveEndpoint | undefined {
      refresh()
      return byName.get(name)
    },
    all(): ActiveEndpoint[] {
      refresh()
      return [...byName.values()]
    },
  }
}

function endpointOf(
  { name, methods }: EndpointSpec,
  chain: Chain | undefined,
  family: Family,
  upstreams: readonly ResolvedUpstream[],
  prices: Prices,
): Endpoint {
  return {
    name,
    chain,
    family,
    upstreams: upstreams.flatMap((resolved) => (resolved.kind === 'in' ? [resolved.upstream] : [])),
    allows: createMethodFilter(methods),
    priceOf: prices.of,
    pricesVersion: createHash('sha256').update(prices.text).digest('hex').slice(0, versionChars),
  }
}

/** What was in force where it is the same as what is to be now. */
function reuseUnchanged(before: ActiveEndpoint | undefined, now: ActiveEndpoint): ActiveEndpoint {
  return before !== undefined && factsOf(before) === factsOf(now) ? before : now
}

const factsOf = ({ spec, managedBy, upstreams, endpoint, prices }: ActiveEndpoint): string =>
  JSON.stringify([
    spec,
    managedBy,
    upstreams,
    endpoint.chain ?? null,
    endpoint.family,
    prices.text,
    [...prices.byMethod],
  ])
