import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StreamingEgress } from '../../platform/egress.ts'
import { createByteBudget } from '../../platform/http-client/buffered-response.ts'
import { type ConnectionPool, createConnectionPool } from '../../platform/http-client/connection-pool.ts'
import { createMethodFacts, type MethodFacts } from '../methods/method-facts.ts'
import type { DecisionOf, SuspectService } from '../ports.ts'
import type { RelayMetrics } from '../relay-metrics.ts'
import type { RelaySettings } from '../settings.ts'
import { chooseSticky, chooseUpstream } from '../upstreams/choose.ts'
import { requestHead } from '../upstreams/request-head.ts'
import { UpstreamClient } from '../upstreams/upstream-client.ts'
import { type CacheableResults, createCacheableResults, createResultCache } from './cacheable-results.ts'
import {
  type Dispatcher,
  InFlightRequests,
  type RequestPlan,
  type UpstreamFailure,
  type UpstreamOutcome,
  UpstreamRequest,
  type Waiter,
} from './upstream-request.ts'

interface RouteContext {
  readonly clock: Clock
  readonly random: () => number
  readonly relayMetrics: RelayMetrics
  readonly settings: RelaySettings
  readonly suspect: SuspectService
}

export interface RoutesOptions extends RouteContext {
  readonly egress: StreamingEgress
  readonly decisionOf: DecisionOf
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

/** How often deadlines are checked: one timer serves all calls, in place of several for each. */
const sweepEveryMs = 20

export function createRoutes(options: RoutesOptions): Routes {
  const { clock, settings } = options
  const routes = new Map<string, EndpointRoute>()
  /** The routes of endpoints that were changed or removed, until their last calls end. */
  const draining = new Set<EndpointRoute>()
  const cache = createResultCache(settings.cacheBytes)
  let opened = 0
  const budget = createByteBudget(settings.allAnswerBytes)

  const poolOf = ({ url, headers }: Endpoint['upstreams'][number]): ConnectionPool => {
    const resolve = () => options.egress.resolve(url)
    return createConnectionPool({ resolve, head: requestHead(url, headers), bounds: settings, budget, clock })
  }

  function open(endpoint: Endpoint): EndpointRoute {
    const clients = endpoint.upstreams.map(
      (upstream, index) =>
        new UpstreamClient({
          upstream,
          index,
          pool: poolOf(upstream),
          decisionOf: options.decisionOf,
          clock,
          maxInFlight: settings.connections,
        }),
    )
    const results = createCacheableResults({
      cache,
      prefix: `${++opened} `,
      finalityDepth: endpoint.chain?.finalityDepth ?? null,
      now: clock.monotonic,
    })
    return new EndpointRoute(endpoint, clients, results, options)
  }

  const timer = setInterval(() => {
    const now = clock.monotonic()
    for (const route of routes.values()) route.sweep(now)
    for (const route of draining) {
      route.sweep(now)
      if (route.isIdle) draining.delete(route)
      if (route.isIdle) route.close()
    }
  }, sweepEveryMs)
  timer.unref()

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
      for (const route of [...routes.values(), ...draining]) route.close()
    },
  }
}

/**
 * Failures that suggest that a service is out of order. Time-outs are none, since a call may be too costly; nor are rate
 * limits, since another request would make them worse.
 */
const suggestsOutage: ReadonlySet<UpstreamFailure> = new Set([
  'connect',
  'closed',
  'malformed',
  'status',
  'not-json-rpc',
])

/** A read is hedged at the latest after this many times `hedgeAfterMs`: a node that hangs must not raise it further. */
const latestHedge = 10

/** An endpoint with its upstream clients, and all that was learned about its methods and results. */
export class EndpointRoute implements Dispatcher {
  readonly endpoint: Endpoint
  readonly clients: readonly UpstreamClient[]
  readonly factsOf: (method: string) => MethodFacts
  readonly results: CacheableResults
  readonly #ids: readonly string[]
  readonly #context: RouteContext
  readonly #inFlight = new InFlightRequests()

  constructor(
    endpoint: Endpoint,
    clients: readonly UpstreamClient[],
    results: CacheableResults,
    context: RouteContext,
  ) {
    this.endpoint = endpoint
    this.factsOf = createMethodFacts(endpoint)
    this.results = results
    this.clients = clients
    this.#ids = clients.map(({ id }) => id)
    this.#context = context
  }

  /** Gets a request answered. Equal reads at the same time share one upstream request. */
  request(plan: RequestPlan, waiter: Waiter | null): Promise<UpstreamOutcome> {
    const { coalescingKey } = plan
    const inFlight = coalescingKey === null ? null : this.#inFlight.find(coalescingKey)
    if (inFlight !== null) {
      this.#context.relayMetrics.countShared()
      return inFlight.outcomeFor(waiter)
    }
    const request = new UpstreamRequest(plan, this)
    if (coalescingKey !== null) this.#inFlight.add(request, coalescingKey)
    request.start()
    return request.outcomeFor(waiter)
  }

  ended(request: UpstreamRequest): void {
    const { coalescingKey } = request.plan
    if (coalescingKey !== null) this.#inFlight.remove(request, coalescingKey)
  }

  countCached(): void {
    this.#context.relayMetrics.countCached()
  }

  choose(tried: number, { plan }: UpstreamRequest): number {
    if (plan.stickyFor === null)
      return chooseUpstream(this.clients, tried, plan.isRead, this.#context.random())
    return tried === 0 ? chooseSticky(plan.stickyFor, this.#ids, this.clients) : -1
  }

  clientAt(index: number): UpstreamClient | undefined {
    return this.clients[index]
  }

  get attempts(): number {
    return this.#context.settings.attempts
  }

  now(): number {
    return this.#context.clock.monotonic()
  }

  slowMs(client: UpstreamClient): number {
    const { hedgeAfterMs } = this.#context.settings
    if (hedgeAfterMs === null || this.clients.length < 2) return Number.POSITIVE_INFINITY
    return Math.min(Math.max(hedgeAfterMs, client.latency.p95Ms), hedgeAfterMs * latestHedge)
  }

  recordFailure(client: UpstreamClient, failure: UpstreamFailure): void {
    this.#context.relayMetrics.countFailure(failure)
    client.failedAttempts++
    if (client.serviceId !== null && suggestsOutage.has(failure)) this.#context.suspect(client.serviceId)
    if (failure !== 'stopped' && failure !== 'busy') client.circuitBreaker.fail(this.now())
  }

  recordHedgeLoss(client: UpstreamClient, waitedMs: number): void {
    client.latency.record(waitedMs)
  }

  recordSuccess(client: UpstreamClient, tookMs: number): void {
    client.answeredAttempts++
    client.circuitBreaker.succeed()
    client.latency.record(tookMs)
  }

  sweep(now: number): void {
    for (const { pool } of this.clients) pool.sweep(now)
  }

  get isIdle(): boolean {
    return this.clients.every(({ pool }) => pool.inFlight === 0)
  }

  close(): void {
    for (const { pool } of this.clients) pool.close()
  }
}
