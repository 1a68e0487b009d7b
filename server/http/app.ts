import { type AnyElysia, Elysia } from 'elysia'

import type { Clock } from '../platform/clock.ts'
import type { Fault } from '../platform/fault.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type ByteLimit, createPublicReads } from './byte-limit.ts'
import type { TrustedProxies } from '../platform/http/caller.ts'
import { type EdgeConnections, createEdge, withWholeUrls } from './edge.ts'
import { faultResponse, faultStatus, toFault } from '../platform/http/faults.ts'
import type { DirectRoute, HotRoute } from '../platform/http/direct-routes.ts'
import type { GuestHosts } from '../platform/http/guest-hosts.ts'
import { type ListenOptions, type Listener, listen } from './listen.ts'
import { openApiRoutes } from './openapi-routes.ts'
import type { OwnHosts } from './own-hosts.ts'
import { type Readiness, probes } from './probes.ts'
import { keepProxyConnections } from './proxy-connections.ts'
import { referencePage } from './reference-page.ts'
import { createRequestDurations, knownMethod } from './request-durations.ts'
import { factsOf } from '../platform/http/request-facts.ts'
import { securityHeaders } from '../platform/http/response-headers.ts'
import { checkRoutes } from './route-rules.ts'
import { isOpenAddress, openRefusal, preflightAnswer } from './open-addresses.ts'
import type { UnnamedProxies } from './unnamed-proxies.ts'
import { answerUnknownAddress } from '../platform/http/unknown-address.ts'

interface HttpAppOptions {
  /** One Elysia plugin for each domain. */
  plugins: readonly AnyElysia[]
  /** Look-ups that are answered before the router; each has its ordinary route in a plugin, too. */
  hotRoutes?: readonly HotRoute[]
  /** Addresses that the router does not see. */
  directRoutes?: readonly DirectRoute[]
  /** Counts what anybody may read; shared with the plugins that serve such things. */
  reads?: ByteLimit
  log: Log
  metrics: Metrics
  clock: Clock
  trustedProxies: TrustedProxies
  ownHosts: OwnHosts
  /** Hosts of others, under which a part of this is shown. */
  guests?: GuestHosts
  unnamedProxies: Pick<UnnamedProxies, 'note'>
  readiness(): Readiness | Promise<Readiness>
  /** Null: no `/metrics`. */
  metricsToken: string | null
  /** Whether browsers reach this installation by https; only then is HSTS sent. */
  isTls: boolean
}

export interface HttpApp {
  /** Answers one request without a network, as a listening server would. */
  fetch(request: Request, connections?: EdgeConnections): Promise<Response>
  /** Throws `ListenError`. */
  listen(options: ListenOptions): Listener
  /** `/readyz` answers 503 from now on, and connections end after their next answer. */
  drain(): void
  /** Connections end after their next answer, and `/readyz` goes on as before: another process has taken over. */
  retire(): void
}

/** Everything that Gatehouse serves over HTTP: the plugins, the probes, the API's description and reference page. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const {
    plugins,
    log,
    metrics,
    clock,
    trustedProxies,
    ownHosts,
    unnamedProxies,
    readiness,
    metricsToken,
    isTls,
    reads = createPublicReads(clock.monotonic),
  } = options
  const state = { isDraining: false, isReplaced: false }

  const answerThrown = (request: Request, thrown: unknown): Response => {
    const refused = toFault(thrown)
    logFault(log, request, refused)
    return faultResponse(refused)
  }

  const answerRefused = (request: Request, refused: Fault) => {
    const guest = refused.code === 'forbidden' ? guestAnswer(options.guests, request) : null
    return guest ?? answerThrown(request, refused)
  }

  const atUnknownAddress = (request: Request, path: string): Response => {
    const answer = answerUnknownAddress(request, path, app.routes)
    return answer instanceof Response ? answer : answerThrown(request, answer)
  }
  const answerError = (request: Request, route: string, error: unknown): Response => {
    factsOf(request).route = route
    return answerThrown(request, error)
  }

  // Without `standardHostname: false` every route of a host with fewer than three letters is a 404.
  const app = new Elysia({ strictPath: true, handler: { standardHostname: false } })
    .onTransform({ as: 'global' }, ({ request, route }) => {
      factsOf(request).route = route
    })
    .onError({ as: 'global' }, ({ request, path, route, code, error }) => {
      const preflight = request.method === 'OPTIONS' ? preflightAnswer(path) : null
      if (preflight !== null) return preflight
      const refusal =
        code === 'NOT_FOUND' ? atUnknownAddress(request, path) : answerError(request, route, error)
      return isOpenAddress(path) ? openRefusal(refusal) : refusal
    })
  const mounted = [
    probes({ readiness, isDraining: () => state.isDraining && !state.isReplaced, metrics, metricsToken }),
    ...plugins,
    referencePage(reads),
    openApiRoutes(() => app.routes, reads),
  ]
  // Looked at before mounting: of two routes with one address Elysia silently keeps one.
  checkRoutes(mounted.flatMap((plugin) => plugin.routes))
  for (const plugin of mounted) app.use(plugin)
  app.compile()

  const requestEdge = createEdge({
    directRoutes: options.directRoutes ?? [],
    hotRoutes: options.hotRoutes ?? [],
    handle: app.fetch,
    answerThrown,
    answerRefused,
    observe: createRequestDurations(metrics),
    trustedProxies,
    ownHosts,
    unnamedProxies,
    headers: securityHeaders(isTls),
    state,
    clock,
  })
  const edge = keepProxyConnections(withWholeUrls(requestEdge), trustedProxies)
  const drain = () => {
    state.isDraining = true
  }
  return {
    async fetch(request, connections = noConnections) {
      const answer = await edge(request, connections)
      if (answer === undefined) throw new TypeError('a WebSocket needs a network')
      return answer
    },
    listen: (address) => listen({ ...address, fetch: edge, beginDrain: drain }),
    drain,
    retire: () => void Object.assign(state, { isDraining: true, isReplaced: true }),
  }
}

/** A `Host` that is refused may be one of others, under which a part of this is shown. */
function guestAnswer(guests: GuestHosts | undefined, request: Request): Response | Promise<Response> | null {
  const answer = guests?.answer(request) ?? null
  if (guests !== undefined && answer !== null) factsOf(request).route = guests.template
  return answer
}

const noConnections: EdgeConnections = { requestIP: () => null, timeout: () => {}, upgrade: () => false }

function logFault(log: Log, request: Request, { code, message, detail }: ReturnType<typeof toFault>): void {
  const { requestId, route } = factsOf(request)
  const fields = { requestId, route, method: knownMethod(request.method), code, message, detail }
  if (code === 'internal') log.error('request failed', fields)
  else if (faultStatus[code] >= 500) log.warn('request refused', fields)
  else log.debug('request refused', fields)
}
