import type { Connections } from '../../connections/connections.ts'
import { credentialHeaders } from '../credential-headers.ts'
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
): PassThrough {
  return ({ request, facts, principal }, place) => {
    const connectionId = decoded(place)
    if (connectionId === null) return rpcRefusal(404, invalidRequestCode, 'There is no such connection')
    // Its calls may take long, and it has streams.
    facts.allowSeconds(0)
    const named = request.headers.get(sessionHeader)
    const session = named === null ? null : sessions.find(principal, named)
    const scope = {
      accountId: principal.kind === 'account' ? principal.accountId : null,
      sessionId: session?.id ?? '',
    }
    const offered = {
      bag: session?.bag ?? nothing,
      headers: credentialHeaders(request.headers),
      tokens: session?.tokens ?? nothing,
    }
    return connections.passThrough(scope, connectionId, offered, request)
  }
}

function decoded(place: string): string | null {
  try {
    return place === '' ? null : decodeURIComponent(place)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
