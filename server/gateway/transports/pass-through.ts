import type { Connections } from '../../connections/connections.ts'
import { readBytes } from '../../platform/http/request-body.ts'
import { keepFacts } from '../../platform/http/request-facts.ts'
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
import type { GatewaySession } from '../sessions/session.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import { invalidRequestCode, rpcRefusal } from './refusals.ts'

/** The route `/mcp/c/<connection_id>`: one tool server, as if the client spoke to it directly. */
export type PassThroughRoute = (
  incoming: GatewayRequest,
  connectionId: string,
) => Promise<Response> | Response

/**
 * Names the gateway session of a session connection; clients of a single tool server have no other way to name
 * it.
 */
const sessionHeader = 'x-gateway-session'

interface PassThroughOptions {
  readonly sessions: Pick<GatewaySessions, 'find'>
  readonly sessionRouter: SessionRouter
  readonly bodyBytes: number
  readonly countDownstreamCall: ToolServices['countDownstreamCall']
}

export function createPassThroughRoute(
  connections: Pick<Connections, 'passThrough'>,
  { sessions, sessionRouter, bodyBytes, countDownstreamCall }: PassThroughOptions,
): PassThroughRoute {
  async function answerRemotely(
    incoming: GatewayRequest,
    connectionId: string,
    named: string,
  ): Promise<Response> {
    const { request, facts, caller } = incoming
    const body = request.method === 'POST' ? await readBytes(request, bodyBytes) : undefined
    const routed = await sessionRouter.route(incoming, named, body)
    if (routed instanceof Response) return routed
    const session = sessions.find(caller, named)
    const { method, headers, signal, url } = request
    const again = new Request(url, { method, headers, signal, ...(body && { body: Buffer.from(body) }) })
    keepFacts(again, facts)
    return answerIn(session, { ...incoming, request: again }, connectionId)
  }

  function answerIn(
    session: GatewaySession | null,
    { request, caller }: GatewayRequest,
    connectionId: string,
  ) {
    const scope = scopeIn(caller, session)
    const offered = offeredBy(request, session)
    return connections.passThrough(scope, connectionId, offered, request)
  }

  return (incoming, place) => {
    const connectionId = decoded(place)
    if (connectionId === null) return rpcRefusal(404, invalidRequestCode, 'There is no such connection')
    // Forwarded, it was counted where it came in.
    if (!incoming.isForwarded) refuseReach(incoming.caller, countDownstreamCall)
    // Its calls may take long, and it has streams.
    incoming.facts.allowSeconds(0)
    const named = incoming.request.headers.get(sessionHeader)
    const session = named === null ? null : sessions.find(incoming.caller, named)
    if (named !== null && session === null) return answerRemotely(incoming, connectionId, named)
    return answerIn(session, incoming, connectionId)
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
