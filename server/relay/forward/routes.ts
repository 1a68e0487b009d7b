import type { Endpoint, Upstream } from '../../endpoints/endpoints.ts'
import type { Clock } from '../../platform/clock.ts'
import type { StreamingEgress } from '../../platform/egress.ts'
import type { DecisionOf } from '../parties.ts'
import type { RelaySettings } from '../settings.ts'
import { UpstreamLine } from '../upstreams/upstream-line.ts'
import { createByteBudget } from '../wire/byte-budget.ts'
import { createConnectionPool } from '../wire/connection-pool.ts'
import { createDial } from '../wire/dial.ts'
import { createEgressSender } from '../wire/egress-sender.ts'
import type { Sender } from '../wire/exchange.ts'
import { requestHead, upstreamHeaders } from '../wire/request-head.ts'
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
  const senderOf = createSenders(options, settings, clock)

  function open(endpoint: Endpoint): EndpointRoute {
    const lines = endpoint.upstreams.map(
      (upstream, place) =>
        new UpstreamLine({
          upstream,
          place,
          sender: senderOf(upstream),
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

function createSenders(
  { egress }: RoutesOptions,
  settings: RelaySettings,
  clock: Clock,
): (upstream: Upstream) => Sender {
  const budget = createByteBudget(settings.allAnswerBytes)
  return ({ url, headers }) => {
    if (url.startsWith('https:')) {
      return createEgressSender({ egress, url, headers: upstreamHeaders(headers), bounds: settings, clock })
    }
    const dial = createDial(() => egress.resolve(url))
    return createConnectionPool({ dial, head: requestHead(url, headers), bounds: settings, budget, clock })
  }
}
