import { isLegacyRequest } from '@modelcontextprotocol/server'

import { type DirectRoute, barePathOf } from '../../platform/http/direct-routes.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import { readJsonValue } from '../../platform/http/request-body.ts'
import type { RequestFacts } from '../../platform/http/request-facts.ts'
import { metadataPath } from '../../platform/http/token-doors.ts'
import type { Log } from '../../platform/log.ts'
import { type Authentication, type GatewayRequest, virtualServerOf } from '../authentication.ts'
import type { ToolsOf } from '../tool-set.ts'
import { type SessionRouter, singleProcessRouter } from '../session-routing/session-router.ts'
import { type GatewaySessions, isElsewhere } from '../sessions/sessions.ts'
import type { GatewaySettings } from '../settings.ts'
import { sessionNamedIn } from '../tools/session-of-call.ts'
import { type ServeAuthenticated, createAuthenticateRequest } from './authenticate.ts'
import { type KeepAlive, awaitedIdIn, mayTakeLong } from './keep-alive.ts'
import { type ModernEra, plainCallIn } from './modern-era.ts'
import type { PassThroughRoute } from './pass-through.ts'
import { invalidRequestCode, onlyMethods, parseErrorCode, rpcRefusal } from './refusals.ts'
import { answerMetadata } from './resource-metadata.ts'
import type { SessionEra } from './session-era.ts'
import type { SseEra } from './sse-era.ts'
import type { StandingStreams } from './standing-streams.ts'
import {
  type FindVirtualServer,
  createVirtualServerRoute,
  ofAccount,
  virtualServerPrefix,
} from './virtual-server-address.ts'

export interface GatewayRoutesOptions {
  readonly authentication: Authentication
  readonly eras: { readonly modern: ModernEra; readonly session: SessionEra; readonly sse: SseEra }
  readonly passThrough: PassThroughRoute
  readonly toolsOf: ToolsOf
  readonly findVirtualServer: FindVirtualServer
  readonly sessions: Pick<GatewaySessions, 'isHere' | 'read'>
  readonly sessionRouter?: SessionRouter
  readonly standingStreams: StandingStreams
  readonly keepAlive: KeepAlive
  readonly address: () => PublicAddress
  readonly settings: Pick<GatewaySettings, 'bodyBytes'>
  readonly log: Log
}

export interface GatewayRoutes {
  /** The HTTP routes of the gateway. */
  readonly routes: readonly DirectRoute[]
  /** Answers a request that another process forwarded because its session is here. */
  answerForwarded(request: Request, facts: RequestFacts): Promise<Response>
}

const passThroughPrefix = '/mcp/c/'

type AnswerHere = () => Response | Promise<Response>

export function createGatewayRoutes(options: GatewayRoutesOptions): GatewayRoutes {
  const { eras, passThrough, toolsOf, sessions, sessionRouter = singleProcessRouter, address } = options
  const { settings, standingStreams, keepAlive } = options
  const { authenticate, authenticateForwarded } = createAuthenticateRequest(options)

  async function handleMcp(incoming: GatewayRequest): Promise<Response> {
    const { request, facts } = incoming
    switch (request.method) {
      case 'POST': {
        const body = await readJsonValue(request, settings.bodyBytes)
        if (body === undefined) return rpcRefusal(400, parseErrorCode, 'The body is not valid JSON')
        if (mayTakeLong(body) || virtualServerOf(incoming.caller) !== undefined) facts.allowSeconds(0)
        const plain = plainCallIn(request.headers, body, toolsOf(incoming.caller).find)
        if (plain !== null)
          return handleModern(incoming, body, () => eras.modern.answerPlain(incoming, plain, body))
        const isLegacy = await isLegacyRequest(request, body)
        if (isLegacy) return eras.session.answer(incoming, body)
        return handleModern(incoming, body, () => eras.modern.answer(incoming, body))
      }
      case 'GET':
        facts.allowSeconds(0)
        return standingStreams.serve(incoming.caller, () => eras.session.answer(incoming, undefined))
      case 'DELETE':
        return eras.session.answer(incoming, undefined)
      default:
        return onlyMethods('GET, POST, DELETE')
    }
  }

  /** Answers a stateless call here, or in the process that owns the session which the call names. */
  function handleModern(incoming: GatewayRequest, body: unknown, answerHere: AnswerHere) {
    const handle = sessionNamedIn(body)
    const isRemote = handle !== null && isElsewhere(sessions, incoming.caller, handle)
    const answer = isRemote ? handleRemotely(incoming, handle, body, answerHere) : answerHere()
    return keepAlive(incoming, answer, { requestId: () => awaitedIdIn(body) })
  }

  async function handleRemotely(
    incoming: GatewayRequest,
    handle: string,
    body: unknown,
    answerHere: AnswerHere,
  ): Promise<Response> {
    incoming.facts.allowSeconds(0)
    const routed = await sessionRouter.route(incoming, handle, body)
    // Where there is no such session, the tool says so.
    return routed instanceof Response ? routed : answerHere()
  }

  function handleSse(incoming: GatewayRequest): Response | Promise<Response> {
    switch (incoming.request.method) {
      case 'GET':
        incoming.facts.allowSeconds(0)
        return eras.sse.open(incoming)
      case 'POST': // by clients of a later era that were given this address
        return handleMcp(incoming)
      default:
        return onlyMethods('GET, POST')
    }
  }

  async function handleMessages(incoming: GatewayRequest): Promise<Response> {
    if (incoming.request.method !== 'POST') return onlyMethods('POST')
    const sessionId = new URL(incoming.request.url).searchParams.get('sessionId') ?? ''
    const body = await readJsonValue(incoming.request, settings.bodyBytes)
    return eras.sse.receive(incoming, sessionId, body)
  }

  const handlers: Readonly<Record<string, ServeAuthenticated>> = {
    '/mcp': handleMcp,
    '/mcp/account': (incoming) => handleMcp(ofAccount(incoming)),
    '/sse': handleSse,
    '/messages': handleMessages,
  }

  /** The same transports at the address of a virtual server. */
  const handleVirtual = createVirtualServerRoute(options.findVirtualServer, {
    streamable: handleMcp,
    sse: handleSse,
    messages: handleMessages,
  })

  function handlerOf(path: string): ServeAuthenticated | undefined {
    if (path.startsWith(virtualServerPrefix)) return handleVirtual
    if (!path.startsWith(passThroughPrefix)) return handlers[path]
    const connection = path.slice(passThroughPrefix.length)
    return (incoming) => passThrough(incoming, connection)
  }

  const routeFor = (prefix: string, template = prefix): DirectRoute => ({
    prefix,
    template,
    async answer(request, facts) {
      const handler = handlerOf(barePathOf(request.url))
      const response = handler === undefined ? nothingHere() : await authenticate(request, facts, handler)
      return completed(response, facts)
    },
  })

  const metadata: DirectRoute = {
    prefix: metadataPath,
    template: metadataPath,
    answer: (request, facts) => completed(answerMetadata(request, address()) ?? nothingHere(), facts),
  }
  return {
    routes: [
      routeFor(passThroughPrefix, `${passThroughPrefix}:connection`),
      routeFor(virtualServerPrefix, `${virtualServerPrefix}:name`),
      ...['/mcp', '/sse', '/messages'].map((path) => routeFor(path)),
      metadata,
    ],
    answerForwarded(request, facts) {
      const handler = handlerOf(barePathOf(request.url))
      return handler === undefined
        ? Promise.resolve(nothingHere())
        : authenticateForwarded(request, facts, handler)
    },
  }
}

const nothingHere = (): Response =>
  rpcRefusal(
    404,
    invalidRequestCode,
    'There is nothing at this address: the gateway is at /mcp, at /mcp/account for who has an account, and at /sse',
  )

/** Adds the common headers, which direct routes must set themselves. */
function completed(response: Response, { requestId }: RequestFacts): Response {
  const { headers } = response
  headers.set('x-request-id', requestId)
  headers.set('x-content-type-options', 'nosniff')
  return response
}
