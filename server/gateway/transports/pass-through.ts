import type { Connections } from '../../connections/connections.ts'
import { readBytes } from '../../http/body-bytes.ts'
import { keepFacts } from '../../http/request-facts.ts'
import { fault } from '../../platform/fault.ts'
import { reachWaitSec, tooManyReaches } from '../operations/reaching.ts'
import { offeredBy, scopeIn } from '../operations/scope-of.ts'
import type { Parties } from '../parties.ts'
import type { Principal } from '../principal.ts'
import type { Elsewhere } from '../replicas/elsewhere.ts'
import type { GatewaySession } from '../sessions/session.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { Entrant } from './entrant.ts'
import { invalidRequestCode, rpcRefusal } from './refusals.ts'

/** `/mcp/c/<connection_id>`: one tool server, as if it were spoken to directly. */
export type PassThrough = (entrant: Entrant, connectionId: string) => Promise<Response> | Response

/** For connections of a session, which a client of a single tool server cannot name otherwise. */
const sessionHeader = 'x-gateway-session'

interface PassThroughOptions {
  readonly sessions: Pick<GatewaySessions, 'find'>
  readonly elsewhere: Elsewhere
  readonly bodyBytes: number
  readonly countReach: Parties['countReach']
}

export function createPassThrough(
  connections: Pick<Connections, 'passThrough'>,
  { sessions, elsewhere, bodyBytes, countReach }: PassThroughOptions,
): PassThrough {
  async function answerElsewhere(entrant: Entrant, connectionId: string, named: string): Promise<Response> {
    const { request, facts, principal } = entrant
    const body = request.method === 'POST' ? await readBytes(request, bodyBytes) : undefined
    const reached = await elsewhere.reach(entrant, named, body)
    if (reached instanceof Response) return reached
    const session = sessions.find(principal, named)
    const { method, headers, signal, url } = request
    const again = new Request(url, { method, headers, signal, ...(body && { body: Buffer.from(body) }) })
    keepFacts(again, facts)
    return answerIn(session, { ...entrant, request: again }, connectionId)
  }

  function answerIn(session: GatewaySession | null, { request, principal }: Entrant, connectionId: string) {
    const scope = scopeIn(principal, session)
    const offered = offeredBy(request, session)
    return connections.passThrough(scope, connectionId, offered, request)
  }

  return (entrant, place) => {
    const connectionId = decoded(place)
    if (connectionId === null) return rpcRefusal(404, invalidRequestCode, 'There is no such connection')
    // Forwarded, it was counted where it came in.
    if (!entrant.isForwarded) refuseReach(entrant.principal, countReach)
    // Its calls may take long, and it has streams.
    entrant.facts.allowSeconds(0)
    const named = entrant.request.headers.get(sessionHeader)
    const session = named === null ? null : sessions.find(entrant.principal, named)
    if (named !== null && session === null) return answerElsewhere(entrant, connectionId, named)
    return answerIn(session, entrant, connectionId)
  }
}

/** Fault: `rate_limited`. */
function refuseReach(principal: Principal, countReach: Parties['countReach']): void {
  const retryAfterSec = reachWaitSec(principal, countReach)
  if (retryAfterSec > 0) throw fault('rate_limited', tooManyReaches(retryAfterSec), { retryAfterSec })
}

function decoded(place: string): string | null {
  try {
    return place === '' ? null : decodeURIComponent(place)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
