import { createHash } from 'node:crypto'

import { bodyBoundsOf } from '../../shared/call-settings.ts'
import type { Chain, Family } from '../../shared/chains.ts'
import type { CreditPrices, EndpointSpec } from '../../shared/endpoints.ts'
import type { References } from './check.ts'
import type { Endpoint, EndpointMethods } from './endpoint.ts'
import { hasPaths } from '../../shared/path-pattern.ts'
import { type Prices, resolvePrices } from './price.ts'
import { type ResolvedUpstream, resolveUpstreams } from './resolve.ts'

/** An endpoint with its declaration, its resolved upstreams and its prices. */
export interface ActiveEndpoint {
  readonly endpoint: Endpoint
  readonly spec: EndpointSpec
  readonly managedBy: 'file' | 'operator'
  readonly upstreams: readonly ResolvedUpstream[]
  readonly prices: Prices
}

/** The declaration of an endpoint, in the file or by an operator. */
export interface Declaration {
  readonly spec: EndpointSpec
  readonly managedBy: 'file' | 'operator'
  readonly family: Family
}

interface ActiveEndpointsOptions extends References {
  /** Returns a number that changes whenever a service is added, removed or changed. */
  readonly servicesVersion: () => number
  readonly methods: Pick<EndpointMethods, 'builtInPricesOf'>
}

export type ActiveEndpoints = ReturnType<typeof createActiveEndpoints>

const versionChars = 12

/**
 * Resolves all declarations. An endpoint that did not change stays the same object, so that callers keep the state that
 * they have for it.
 */
export function createActiveEndpoints({
  findChain,
  findService,
  servicesVersion,
  methods,
}: ActiveEndpointsOptions) {
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
    const upstreams = resolveUpstreams(
      spec.upstreams,
      chain ?? { key: spec.chain, family },
      findService,
      hasPaths(spec.methods),
    )
    const familyNow = chain?.family ?? family
    const pricesOf = resolvePrices(spec.credits, prices, methods.builtInPricesOf(familyNow))
    return {
      endpoint: endpointOf(spec, chain, familyNow, upstreams, pricesOf),
      spec,
      managedBy,
      upstreams,
      prices: pricesOf,
    }
  }

  function find(name: string): ActiveEndpoint | undefined {
    refresh()
    return byName.get(name)
  }

  return {
    /** Replaces all declarations. Of several with one name, the first is used. */
    set(all: readonly Declaration[], ofInstallation: CreditPrices): void {
      const names = new Set<string>()
      declarations = all
        .filter(({ spec }) => !names.has(spec.name) && names.add(spec.name))
        .toSorted((one, other) => (one.spec.name < other.spec.name ? -1 : 1))
      prices = ofInstallation
      resolvedVersion = null
    },
    find,
    /** Returns the endpoint itself, for callers of its upstreams. */
    findEndpoint: (name: string): Endpoint | undefined => find(name)?.endpoint,
    all(): ActiveEndpoint[] {
      refresh()
      return [...byName.values()]
    },
  }
}

function endpointOf(
  { name, methods, settings }: EndpointSpec,
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
    methods,
    settings,
    bodyBounds: bodyBoundsOf(settings),
    isRest: hasPaths(methods),
    priceOf: prices.of,
    conditionalPrices: prices.conditional,
    pricesVersion: createHash('sha256').update(prices.text).digest('hex').slice(0, versionChars),
  }
}

/** Returns the previous object when nothing about the endpoint has changed. */
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
