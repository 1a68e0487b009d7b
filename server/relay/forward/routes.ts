import type { CacheSettings } from '../../../shared/cache-settings.ts'
import { hourMs } from '../../../shared/durations.ts'
import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { StreamingEgress } from '../../platform/egress.ts'
import { createByteBudget } from '../../platform/http-client/buffered-response.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { takenEncodings } from '../../platform/http-client/decode-body.ts'
import { type ConnectionPool, createConnectionPool } from '../../platform/http-client/connection-pool.ts'
import { type CachedChain, EndpointCache, type SharedSpace } from '../cache/endpoint-cache.ts'
import type { SharedCache } from '../cache/shared-cache.ts'
import { createResultCache } from '../cache/result-cache.ts'
import { nodeChain } from '../cache/node-chain.ts'
import type { UpstreamBudgets } from '../budgets/budgets.ts'
import type { DecisionOf } from '../ports.ts'
import { EndpointTip } from '../tip/endpoint-tip.ts'
import type { ServiceHeads } from '../tip/service-heads.ts'
import type { SharedTips } from '../tip/shared-tips.ts'
import { RestCache } from '../rest/rest-cache.ts'
import { requestHead } from '../upstreams/request-head.ts'
import { UpstreamClient } from '../upstreams/upstream-client.ts'
import { EndpointRoute, type RouteContext } from './endpoint-route.ts'

export interface RoutesOptions extends RouteContext {
  readonly egress: StreamingEgress
  readonly metrics: Metrics
  readonly decisionOf: DecisionOf
  readonly budgets: Pick<UpstreamBudgets, 'of'>
  readonly serviceHeads: ServiceHeads
  /** Null in an installation of one process. */
  readonly sharedTips: SharedTips | null
  readonly cache: RelayCache
}

/** Where results are kept. */
export interface RelayCache {
  /** They may change at any time. */
  settings(): CacheSettings
  /** The store of several processes, which is used where the settings say so; null where there is none. */
  readonly store: SharedCache | null
}

/** The routes of the endpoints that were called lately, with their connections. */
export interface Routes {
  of(endpoint: Endpoint): EndpointRoute
  /** Returns all of them, also of endpoints that were removed since. */
  all(): Iterable<EndpointRoute>
  /** Returns how many upstreams have a circuit breaker that is not closed. */
  openBreakers(): number
  close(): void
}

const bytesOfMb = 1_048_576

/** How often deadlines are checked: one timer serves all calls, in place of several for each. */
const sweepEveryMs = 20
/** How often the heads that verifiers have reported are read. */
const headsEveryMs = 500

export function createRoutes(options: RoutesOptions): Routes {
  const { clock, settings } = options
  const routes = new Map<string, EndpointRoute>()
  /** The routes of endpoints that were changed or removed, until their last calls end. */
  const draining = new Set<EndpointRoute>()
  const cache = createResultCache(() => options.cache.settings().memoryMb * bytesOfMb)
  options.metrics.observedGauge('relay_cache_bytes', 'Memory of the results that are kept', () => cache.bytes)
  let opened = 0
  const budget = createByteBudget(settings.allAnswerBytes)

  const poolOf = ({ url, headers }: Endpoint['upstreams'][number]): ConnectionPool => {
    const resolve = () => options.egress.resolve(url)
    const plain = requestHead(url, headers)
    const compressed = requestHead(url, headers, takenEncodings)
    const head = (takesCompressed: boolean): string => (takesCompressed ? compressed : plain)
    return createConnectionPool({ resolve, head, bounds: settings, budget, clock })
  }

  /** Names no address of a node, which may hold a secret: only where they are. */
  function sharedSpaceOf({ name, chain, upstreams }: Endpoint, store: SharedCache): SharedSpace {
    const origins = upstreams.map(({ id, url }) => [id, new URL(url).origin])
    const facts = JSON.stringify([name, chain?.key, chain?.genesisHash, origins])
    const space = new Bun.CryptoHasher('sha256').update(facts).digest('base64url')
    return {
      isOpen: () => options.cache.settings().store === 'redis',
      find: (keys) => store.find(space, keys),
      keep: (key, kept) => store.keep(space, key, kept, options.cache.settings().storeHours * hourMs),
      forget: () => store.forget(space),
    }
  }

  /** Goes on with the newest block of the same chain where an endpoint was changed. */
  function openTip(endpoint: Endpoint, upstreams: readonly UpstreamClient[]): EndpointTip | null {
    const { name, chain, family } = endpoint
    if (chain === undefined || family !== 'evm' || endpoint.isRest || upstreams.length < 2) return null
    const before = routes.get(name)
    return new EndpointTip({
      name: `${name}:${chain.key}`,
      upstreams,
      blockMs: chain.blockMs,
      now: clock.monotonic,
      serviceHeads: options.serviceHeads,
      chainHead: () => options.serviceHeads.ofChain(chain.key),
      nodeBounds: options.monitored.boundsOf,
      shared: options.sharedTips,
      before: before?.endpoint.chain?.key === chain.key ? (before.tip?.tips ?? null) : null,
    })
  }

  function open(endpoint: Endpoint): EndpointRoute {
    const clients = endpoint.upstreams.map(
      (upstream, index) =>
        new UpstreamClient({
          upstream,
          index,
          budget: options.budgets.of(endpoint.name, upstream),
          pool: poolOf(upstream),
          decisionOf: options.decisionOf,
          clock,
          maxInFlight: settings.connections,
        }),
    )
    const tip = openTip(endpoint, clients)
    tip?.takeServiceHeads() // so that the first call knows them
    const prefix = `${++opened} `
    const kept = endpoint.settings.cache ?? 'all'
    const restResults = endpoint.isRest ? new RestCache(cache, prefix, kept, clock.monotonic) : null
    const results = new EndpointCache({
      cache,
      prefix,
      kept,
      finalityDepth: endpoint.chain?.finalityDepth ?? null,
      chain: tip === null ? nodeChain(endpoint, options.serviceHeads) : chainOfTip(tip),
      now: clock.monotonic,
      shared: options.cache.store === null ? null : sharedSpaceOf(endpoint, options.cache.store),
    })
    return new EndpointRoute(endpoint, clients, { results, restResults }, tip, options)
  }

  const timer = setInterval(() => {
    const now = clock.monotonic()
    for (const { clients } of [...routes.values(), ...draining])
      for (const { pool } of clients) pool.sweep(now)
    for (const route of draining) {
      if (route.clients.some(({ pool }) => pool.inFlight > 0)) continue
      draining.delete(route)
      route.close()
    }
  }, sweepEveryMs)
  timer.unref()
  const headsTimer = setInterval(() => {
    for (const { tip } of routes.values()) tip?.takeServiceHeads()
  }, headsEveryMs)
  headsTimer.unref()

  return {
    of(endpoint) {
      const known = routes.get(endpoint.name)
      if (known?.endpoint === endpoint) return known
      if (known !== undefined) draining.add(known)
      const route = open(endpoint)
      routes.set(endpoint.name, route)
      return route
    },
    all: () => routes.values(),
    openBreakers: () =>
      [...routes.values()].flatMap(({ clients }) => clients).filter(({ breaker }) => breaker !== 'closed')
        .length,
    close() {
      clearInterval(timer)
      clearInterval(headsTimer)
      options.sharedTips?.close()
      options.cache.store?.close()
      for (const route of [...routes.values(), ...draining]) route.close()
    },
  }
}

/** The tip learns from all that passes, before the cache does. */
const chainOfTip = (tip: EndpointTip): CachedChain => ({
  lowestHead: () => tip.lowestHead(),
  view: () => tip.view(),
  told: () => undefined,
})
