import { WebStandardStreamableHTTPServerTransport, isInitializeRequest } from '@modelcontextprotocol/server'

import type { ServerFor } from '../mcp-server.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { GatewaySettings } from '../settings.ts'
import { messagesOf } from './body.ts'
import type { Entrant } from './entrant.ts'
import { type InFlight, watchInFlight } from './in-flight.ts'
import { invalidRequestCode, noSuchSession, rpcRefusal } from './refusals.ts'

interface LiveSession {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly inFlight: InFlight
}

export interface SessionEra {
  answer(entrant: Entrant, body: unknown): Promise<Response>
}

const sessionHeader = 'mcp-session-id'

/** Streamable HTTP up to 2025-11-25: a session begins with `initialize`, and has a server of its own. */
export function createSessionEra(
  serverFor: ServerFor,
  sessions: GatewaySessions,
  { keepAliveMs, bodyBytes }: GatewaySettings,
): SessionEra {
  const live = new Map<string, LiveSession>()

  async function open({ request, principal }: Entrant, body: unknown): Promise<Response> {
    const session = sessions.open(principal, 'streamable', () => {
      live.delete(session.id)
      void server.close()
    })
    const server = serverFor({ principal, session })
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => session.id,
      keepAliveMs,
      maxRequestBodySize: bodyBytes,
    })
    live.set(session.id, { transport, inFlight: watchInFlight(transport) })
    try {
      await server.connect(transport)
      // The server put its own in place when it connected.
      const disconnect = transport.onclose
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no listeners
      transport.onclose = () => {
        disconnect?.()
        sessions.end(session.id)
      }
      const response = await transport.handleRequest(request, { parsedBody: body })
      if (!response.ok) sessions.end(session.id)
      return response
    } catch (error) {
      sessions.end(session.id)
      throw error
    }
  }

  function answerIn(
    id: string,
    { request, principal }: Entrant,
    body: unknown,
  ): Promise<Response> | Response {
    const session = sessions.find(principal, id)
    const one = session === null ? undefined : live.get(session.id)
    if (one === undefined) return noSuchSession()
    if (request.method === 'POST') {
      const taken = one.inFlight.take(messagesOf(body))
      if (taken !== null) return duplicate(taken)
    }
    // The SDK keeps no more than one such stream for each session.
    if (request.method === 'GET') request.signal.addEventListener('abort', sessions.hold(id), { once: true })
    return one.transport.handleRequest(request, { parsedBody: body })
  }

  return {
    async answer(entrant, body) {
      const id = entrant.request.headers.get(sessionHeader)
      if (id !== null) return answerIn(id, entrant, body)
      if (entrant.request.method === 'POST' && messagesOf(body).some(isInitializeRequest))
        return open(entrant, body)
      if (entrant.request.method !== 'POST') {
        return rpcRefusal(405, invalidRequestCode, 'Only POST, unless a session is named in Mcp-Session-Id', {
          headers: { allow: 'POST' },
        })
      }
      return rpcRefusal(400, invalidRequestCode, 'Mcp-Session-Id is missing: start a session with initialize')
    },
  }
}

export const duplicate = (id: string | number): Response =>
  rpcRefusal(
    400,
    invalidRequestCode,
    `The request id ${JSON.stringify(id).slice(0, 80)} is in use by a request that is not answered yet`,
  )
