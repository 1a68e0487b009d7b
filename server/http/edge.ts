import type { Clock } from '../platform/clock.ts'
import type { Fault } from '../platform/fault.ts'
import {
  type Caller,
  type TrustedProxies,
  callerOrigin,
  clientAddress,
  isTrustedPeer,
} from '../platform/http/caller.ts'
import { type DirectRoute, type HotRoute, findDirect, findHot } from '../platform/http/direct-routes.ts'
import { openToPage } from './open-addresses.ts'
import type { OwnHosts } from './own-hosts.ts'
import { type RequestFacts, keepFacts, unmatchedRoute } from '../platform/http/request-facts.ts'
import { livenessPath } from './probes.ts'
import { lengthRefusal, refusal } from '../platform/http/request-limits.ts'
import { type ResponseHeaders, addHeaders } from '../platform/http/response-headers.ts'
import { createTurnLimit } from './turn-limit.ts'
import { afterBody } from '../platform/http/unread-body.ts'
import type { UnnamedProxies } from './unnamed-proxies.ts'
import type { SocketUser } from '../platform/http/web-socket.ts'

/** What a Bun server knows about the connection of a request. */
export interface EdgeConnections {
  requestIP(request: Request): { address: string } | null
  timeout(request: Request, seconds: number): void
  upgrade(request: Request, options: { data: SocketUser }): boolean
}

/** Undefined: the request became a WebSocket. */
export type EdgeAnswer = Response | undefined | Promise<Response | undefined>

interface EdgeOptions {
  /** Answered beside the routes. */
  directRoutes: readonly DirectRoute[]
  /** Answered before the routes. */
  hotRoutes: readonly HotRoute[]
  /** The routes. */
  handle(request: Request): Response | Promise<Response>
  /** Makes the response to something that was thrown, and logs it. */
  answerThrown(request: Request, thrown: unknown): Response
  /** Answers a request that is refused before the routes. */
  answerRefused(request: Request, refused: Fault): Response | Promise<Response>
  /** Called once for each request when its response is made; `seconds` is the time until then. */
  observe(route: string, method: string, status: number, seconds: number): void
  trustedProxies: TrustedProxies
  ownHosts: OwnHosts
  unnamedProxies: Pick<UnnamedProxies, 'note'>
  headers: ResponseHeaders
  /** Whether connections end after their next answer. */
  state: { readonly isDraining: boolean }
  clock: Clock
}

/**
 * What happens to every request before and after the routes, also to those that no route answers: limits, request
 * id, security headers, metrics. It stands around Elysia, as Elysia's hooks miss some responses of its own.
 */
export function createEdge(
  options: EdgeOptions,
): (request: Request, connections: EdgeConnections) => EdgeAnswer {
  const {
    directRoutes,
    hotRoutes,
    handle,
    answerThrown,
    answerRefused,
    observe,
    trustedProxies,
    ownHosts,
    unnamedProxies,
    headers,
    state,
    clock,
  } = options
  const turns = createTurnLimit(clock.monotonic)

  function complete(answer: Response, requestId: string, route: string, method: string, startedAt: number) {
    const response = withRequestId(answer, requestId)
    addHeaders(response.headers, headers)
    if (state.isDraining) response.headers.set('connection', 'close')
    observe(route, method, response.status, (clock.monotonic() - startedAt) / 1000)
    return response
  }

  /** Null also when the look-up fails: the ordinary route then fails the same way, and that is answered and logged. */
  function answerHot(request: Request, connections: EdgeConnections, startedAt: number): Response | null {
    const hot = findHot(hotRoutes, request)
    if (hot === null) return null
    try {
      const answer = hot.route.answer(hot.segment, request)
      const requestId = requestIdFor(request, connections, trustedProxies)
      return complete(answer, requestId, hot.route.template, 'GET', startedAt)
    } catch {
      return null
    }
  }

  /** Without a promise of its own: such addresses are asked by the ten thousand in a second. */
  function answerDirect(
    route: DirectRoute,
    request: Request,
    facts: ConnectionFacts,
    startedAt: number,
  ): EdgeAnswer {
    const { method } = request
    const finish = (answer: Response | null): EdgeAnswer => {
      const status = answer === null ? switchingProtocols : answer.status
      observe(route.template, method, status, (clock.monotonic() - startedAt) / 1000)
      if (answer === null) return undefined
      for (const [name, value] of headers.transport) answer.headers.set(name, value)
      if (state.isDraining) answer.headers.set('connection', 'close')
      return afterBody(request, answer)
    }
    const finishThrown = (thrown: unknown): Response | Promise<Response> => {
      keepFacts(request, facts)
      const refused = answerThrown(request, thrown)
      return afterBody(request, complete(refused, facts.requestId, route.template, method, startedAt))
    }
    try {
      const answer = route.answer(request, facts)
      return answer instanceof Promise ? answer.then(finish, finishThrown) : finish(answer)
    } catch (thrown) {
      return finishThrown(thrown)
    }
  }

  function answerRouted(
    request: Request,
    connections: EdgeConnections,
    refused: Fault | null,
    startedAt: number,
  ): Response | Promise<Response> {
    const facts = new ConnectionFacts(request, connections, trustedProxies, unnamedProxies)
    keepFacts(request, facts)
    const finish = (answer: Response) => {
      const response = complete(answer, facts.requestId, facts.route, request.method, startedAt)
      if (facts.openTo !== null) openToPage(response.headers, facts.openTo)
      return afterBody(request, response)
    }
    const finishThrown = (thrown: unknown) => finish(answerThrown(request, thrown))
    try {
      const answer = refused === null ? handle(request) : answerRefused(request, refused)
      // An answer that is there already is not made to wait for a turn of the event loop.
      return answer instanceof Promise ? answer.then(finish).catch(finishThrown) : finish(answer)
    } catch (thrown) {
      return finishThrown(thrown)
    }
  }

  function begin(request: Request, connections: EdgeConnections, startedAt: number): EdgeAnswer {
    const refused = refusalOf(request, ownHosts)
    const direct = refused === null ? findDirect(directRoutes, request.url) : null
    if (direct !== null) {
      const facts = new ConnectionFacts(request, connections, trustedProxies, unnamedProxies)
      facts.route = direct.template
      return answerDirect(direct, request, facts, startedAt)
    }
    const hotAnswer = refused === null ? answerHot(request, connections, startedAt) : null
    if (hotAnswer !== null) return hotAnswer
    // Direct routes refuse a long body in their own form.
    const refusedHere = refused ?? lengthRefusal(request.headers.get('content-length'))
    return answerRouted(request, connections, refusedHere, startedAt)
  }

  const isQuick = (request: Request): boolean =>
    findHot(hotRoutes, request) !== null || pathOf(request.url) === livenessPath

  return (request, connections) => {
    const startedAt = clock.monotonic()
    if (turns.hasRoom(startedAt) || (turns.hasQuickRoom() && isQuick(request))) {
      return begin(request, connections, startedAt)
    }
    return turns.later(() =>
      connections.requestIP(request) === null ? gone() : begin(request, connections, startedAt),
    )
  }
}

type Answer = ReturnType<typeof createEdge>

/**
 * Gives requests of HTTP/1.0 without `Host` a whole URL, as health checks of HAProxy and Nagios send them: theirs is a path
 * alone, in which no router finds its way. The server knows the connection by the request as it came.
 */
export const withWholeUrls =
  (answer: Answer): Answer =>
  (request, connections) => {
    if (!request.url.startsWith('/')) return answer(request, connections)
    return answer(new Request(`http://localhost${request.url}`, request), {
      requestIP: () => connections.requestIP(request),
      timeout: (_, seconds) => connections.timeout(request, seconds),
      upgrade: (_, options) => connections.upgrade(request, options),
    })
  }

function refusalOf({ headers, url }: Request, ownHosts: OwnHosts): Fault | null {
  const host = headers.get('host')
  const refused = refusal({ host, url })
  if (refused !== null) return refused
  const foreign = ownHosts.refusal(host)
  return foreign !== null && pathOf(url) === livenessPath ? null : foreign
}

const pathOf = (url: string): string => url.slice(url.indexOf('/', 'https://'.length)).split('?', 1)[0] ?? ''

const switchingProtocols = 101

/** For a connection that was closed while its request waited: nobody reads it. */
const gone = (): Response => new Response(null, { status: 503 })

/** Responses of fetch and Response.redirect have headers that cannot be set: those are copied. */
function withRequestId(answer: Response, requestId: string): Response {
  try {
    answer.headers.set('x-request-id', requestId)
    return answer
  } catch {
    const copy = new Response(answer.body, answer)
    copy.headers.set('x-request-id', requestId)
    return copy
  }
}

/** Ids that are safe in logs and headers. */
const plausibleRequestId = /^[A-Za-z0-9._:-]{8,128}$/

/** Returns the ids of trace and span of a `traceparent` (W3C Trace Context), with which `traces/` joins the trace. */
const idOfTrace = (traceparent: string | null): string | null =>
  /^00-([0-9a-f]{32}-[0-9a-f]{16})-[0-9a-f]{2}$/.exec(traceparent ?? '')?.[1] ?? null

/** Only a trusted proxy may choose the id: anybody else could make two requests look like one. */
function requestIdFor(
  request: Request,
  connections: EdgeConnections,
  trustedProxies: TrustedProxies,
): string {
  if (trustedProxies.length === 0) return crypto.randomUUID()
  const given = request.headers.get('x-request-id') ?? idOfTrace(request.headers.get('traceparent'))
  if (given === null || !plausibleRequestId.test(given)) return crypto.randomUUID()
  const peer = connections.requestIP(request)?.address ?? null
  return isTrustedPeer(peer, trustedProxies) ? given : crypto.randomUUID()
}

class ConnectionFacts implements RequestFacts {
  readonly requestId: string
  route: string = unmatchedRoute
  openTo: string | null = null
  readonly #request: Request
  readonly #connections: EdgeConnections
  readonly #trustedProxies: TrustedProxies
  readonly #unnamedProxies: Pick<UnnamedProxies, 'note'>
  #caller: Caller | undefined

  constructor(
    request: Request,
    connections: EdgeConnections,
    trustedProxies: TrustedProxies,
    unnamedProxies: Pick<UnnamedProxies, 'note'>,
  ) {
    this.#request = request
    this.#connections = connections
    this.#trustedProxies = trustedProxies
    this.#unnamedProxies = unnamedProxies
    this.requestId = requestIdFor(request, connections, trustedProxies)
  }

  #peer(): string | null {
    return this.#connections.requestIP(this.#request)?.address ?? null
  }

  caller(): Caller {
    this.#caller ??= this.#findCaller()
    return this.#caller
  }

  #findCaller(): Caller {
    const { headers } = this.#request
    const peer = this.#peer()
    const forwardedFor = headers.get('x-forwarded-for')
    const isForwarded = forwardedFor !== null || headers.get('forwarded') !== null
    if (isForwarded && peer !== null && !isTrustedPeer(peer, this.#trustedProxies)) {
      this.#unnamedProxies.note(peer)
    }
    return {
      address: clientAddress(peer, forwardedFor, this.#trustedProxies),
      origin: callerOrigin(headers.get('origin'), headers.get('referer')),
    }
  }

  allowSeconds(seconds: number): void {
    this.#connections.timeout(this.#request, seconds)
  }

  upgrade(user: SocketUser): boolean {
    return this.#connections.upgrade(this.#request, { data: user })
  }
}
