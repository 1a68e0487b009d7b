import type { Connections } from '../../connections/connections.ts'
import { fault } from '../../platform/fault.ts'
import { countedAddress } from '../counted-address.ts'
import { credentialHeaders } from '../credential-headers.ts'
import { reachWaitSec, tooManyReaches } from '../operations/reaching.ts'
import type { Parties } from '../parties.ts'
import type { Principal } from '../principal.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { Entrant } from './entrant.ts'
import { invalidRequestCode, rpcRefusal } from './refusals.ts'

/** `/mcp/c/<connection_id>`: one tool server, as if it were spoken to directly. */
export type PassThrough = (entrant: Entrant, connectionId: string) => Promise<Response> | Response

/** For connections of a session, which a client of a single tool server cannot name otherwise. */
const sessionHeader = 'x-gateway-session'
const nothing: ReadonlyMap<string, string> = new Map()

export function createPassThrough(
  connections: Pick<Connections, 'passThrough'>,
  sessions: Pick<GatewaySessions, 'find'>,
  countReach: Parties['countReach'],
): PassThrough {
  return ({ request, facts, principal }, place) => {
    const connectionId = decoded(place)
    if (connectionId === null) return rpcRefusal(404, invalidRequestCode, 'There is no such connection')
    refuseReach(principal, countReach)
    // Its calls may take long, and it has streams.
    facts.allowSeconds(0)
    const named = request.headers.get(sessionHeader)
    const session = named === null ? null : sessions.find(principal, named)
    const scope = {
      accountId: principal.kind === 'account' ? principal.accountId : null,
      sessionId: session?.id ?? '',
      ...(session === null && { address: countedAddress(principal) }),
    }
    const offered = {
      bag: session?.bag ?? nothing,
      headers: credentialHeaders(request.headers),
      tokens: session?.tokens ?? nothing,
    }
    return connections.passThrough(scope, connectionId, offered, request)
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
