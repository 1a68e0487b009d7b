import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { StreamingEgress } from '../../platform/egress.ts'
import { createByteBudget } from '../../platform/http-client/buffered-response.ts'
import { type ConnectionPool, createConnectionPool } from '../../platform/http-client/connection-pool.ts'
import type { DecisionOf } from '../parties.ts'
import { requestHead } from '../upstreams/request-head.ts'
import { UpstreamClient } from '../upstreams/upstream-client.ts'
import { createAnswerCache } from '../answers/answer-cache.ts'
import { createLastingAnswers } from './lasting-answers.ts'
import { EndpointRoute, type RouteWorld } from './endpoint-route.ts'

export interface RoutesOptions extends RouteWorld {
  readonly egress: StreamingEgress
  readonly decisionOf: DecisionOf
}

/** The endpoints that were asked for lately, with their connections. */
export interface Routes {
  of(endpoint: Endpoint): EndpointRoute
  openBreakers(): number
  close(): void
}

/** Deadlines are looked after this often: one timer for all calls, in place of some for each. */
const sweepEveryMs = 20

export function createRoutes(options: RoutesOptions): Routes {
  const { clock, settings } = options
  const routes = new Map<string, EndpointRoute>()
  /** Of endpoints that were changed or removed: their last calls may still end. */
  const leaving = new Set<EndpointRoute>()
  const cache = createAnswerCache(settings.cacheBytes)
  let opened = 0
  const budget = createByteBudget(settings.allAnswerBytes)

  const poolOf = ({ url, headers }: Endpoint['upstreams'][number]): ConnectionPool => {
    const resolve = () => options.egress.resolve(url)
    return createConnectionPool({ resolve, head: requestHead(url, headers), bounds: settings, budget, clock })
  }

  function open(endpoint: Endpoint): EndpointRoute {
    const lines = endpoint.upstreams.map(
      (upstream, place) =>
        new UpstreamClient({
          upstream,
          place,
          pool: poolOf(upstream),
          decisionOf: options.decisionOf,
          clock,
          maxInFlight: settings.connections,
        }),
    )
    const lasting = createLastingAnswers({
      cache,
      prefix: `${++opened} `,
      finalityDepth: endpoint.chain?.finalityDepth ?? null,
      now: clock.monotonic,
    })
    return new EndpointRoute(endpoint, lines, lasting, options)
  }

  const timer = setInterval(() => {
    const now = clock.monotonic()
    for (const route of routes.values()) route.sweep(now)
    for (const route of leaving) {
      route.sweep(now)
      if (route.isIdle) leaving.delete(route)
      if (route.isIdle) route.close()
    }
  }, sweepEveryMs)
  timer.unref()

  return {
    of(endpoint) {
      const known = routes.get(endpoint.name)
      if (known?.endpoint === endpoint) return known
      if (known !== undefined) leaving.add(known)
      const route = open(endpoint)
      routes.set(endpoint.name, route)
      return route
    },
    openBreakers: () =>
      [...routes.values()].flatMap(({ lines }) => lines).filter(({ breaker }) => breaker !== 'closed').length,
    close() {
      clearInterval(timer)
      for (const route of [...routes.values(), ...leaving]) route.close()
    },
  }
}
