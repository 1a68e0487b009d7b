import type { Connections } from '../../connections/connections.ts'
import { readBytes } from '../../platform/http/request-body.ts'
import { parseJson } from '../../platform/json.ts'
import { opensStandingStream } from '../../platform/standing-stream.ts'
import { fault } from '../../platform/fault.ts'
import {
  downstreamCallWaitSec,
  tooManyDownstreamCalls,
  offeredBy,
  scopeIn,
} from '../operations/downstream-call.ts'
import type { ToolServices } from '../tools/tool.ts'
import type { GatewayCaller, GatewayRequest } from '../authentication.ts'
import type { SessionRouter } from '../session-routing/session-router.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import { type KeepAlive, awaitedIdIn } from './keep-alive.ts'
import { invalidRequestCode, rpcRefusal } from './refusals.ts'
import type { StandingStreams } from './standing-streams.ts'
import { ofAccount } from './virtual-server-address.ts'

/**
 * The route `/mcp/c/<connection_id>`: one tool server, as if the client spoke to it directly. Fault: `unauthorized` for
 * strangers who name a saved connection, whether there is one or not.
 */
export type PassThroughRoute = (incoming: GatewayRequest, connectionId: string) => Promise<Response>

/**
 * Names the gateway session of a session connection; clients of a single tool server have no other way to name
 * it.
 */
const sessionHeader = 'x-gateway-session'

/** A request as it is passed on. */
interface ReadRequest {
  readonly body: Uint8Array<ArrayBuffer> | null
  /** The parsed body; `undefined` where it is no JSON. */
  readonly message: unknown
  /** What ends it before its client does. */
  readonly endings: readonly AbortSignal[]
}

interface PassThroughOptions {
  readonly sessions: Pick<GatewaySessions, 'find'>
  readonly sessionRouter: SessionRouter
  readonly standingStreams: StandingStreams
  readonly keepAlive: KeepAlive
  readonly bodyBytes: number
  readonly countDownstreamCall: ToolServices['countDownstreamCall']
}

export function createPassThroughRoute(
  connections: Pick<Connections, 'passThrough'>,
  { sessions, sessionRouter, standingStreams, keepAlive, bodyBytes, countDownstreamCall }: PassThroughOptions,
): PassThroughRoute {
  /** Returns the session that the request names, or the response of the process that it is in. */
  async function sessionOf(incoming: GatewayRequest, body: Uint8Array | null) {
    const named = incoming.request.headers.get(sessionHeader)
    if (named === null) return null
    const session = sessions.find(incoming.caller, named)
    if (session !== null) return session
    const routed = await sessionRouter.route(incoming, named, body ?? undefined)
    return routed instanceof Response ? routed : sessions.find(incoming.caller, named)
  }

  async function passedOn(
    incoming: GatewayRequest,
    connectionId: string,
    { body, message, endings }: ReadRequest,
  ): Promise<Response> {
    const { request, caller } = incoming
    const { method, headers } = request
    const session = await sessionOf(incoming, body)
    if (session instanceof Response) return session
    const passed = { method, headers, signal: AbortSignal.any([request.signal, ...endings]), body }
    const scope = scopeIn(caller, session)
    const answer = connections.passThrough(scope, connectionId, offeredBy(request, session), passed)
    return keepAlive(incoming, answer, { requestId: () => awaitedIdIn(message), areEventsSilent: true })
  }

  /** Only a body that was read says whether its request listens. */
  async function readAndPassOn(
    incoming: GatewayRequest,
    connectionId: string,
    ending: AbortSignal,
  ): Promise<Response> {
    const { request, facts, caller } = incoming
    const body = request.method === 'POST' ? await readBytes(request, bodyBytes) : null
    // Its calls may take long, and it has streams; the body had no longer than any other.
    facts.allowSeconds(0)
    const message = body === null ? null : parseJson(body)
    const passOn = (...endings: AbortSignal[]) => passedOn(incoming, connectionId, { body, message, endings })
    return opensStandingStream(request.method, message)
      ? standingStreams.serve(caller, (stopping) => passOn(ending, stopping))
      : passOn(ending)
  }

  return async (incoming, place) => {
    const connectionId = decoded(place)
    if (connectionId === null) return rpcRefusal(404, invalidRequestCode, 'There is no such connection')
    // A saved connection is of an account. What is public, or of a session, is reached by strangers too.
    const { caller, isForwarded } = connectionId.startsWith('con_') ? ofAccount(incoming) : incoming
    // Forwarded, it was counted where it came in.
    if (!isForwarded) refuseReach(caller, countDownstreamCall)
    return standingStreams.serveRequest(caller, (ending) => readAndPassOn(incoming, connectionId, ending))
  }
}

/** Counts the call. Fault: `rate_limited`. */
function refuseReach(caller: GatewayCaller, countDownstreamCall: ToolServices['countDownstreamCall']): void {
  const retryAfterSec = downstreamCallWaitSec(caller, countDownstreamCall)
  if (retryAfterSec > 0) throw fault('rate_limited', tooManyDownstreamCalls(retryAfterSec), { retryAfterSec })
}

function decoded(place: string): string | null {
  try {
    return place === '' ? null : decodeURIComponent(place)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
