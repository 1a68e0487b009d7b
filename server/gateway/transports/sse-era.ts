import { parseJSONRPCMessage } from '@modelcontextprotocol/server'
import type { JSONRPCMessage } from '@modelcontextprotocol/server'

import { fault } from '../../platform/fault.ts'
import type { ServerFor } from '../mcp-server.ts'
import { type Elsewhere, nowhere } from '../replicas/elsewhere.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { GatewaySettings } from '../settings.ts'
import type { Entrant } from './entrant.ts'
import { type InFlight, watchInFlight } from './in-flight.ts'
import { invalidRequestCode, noSuchSession, rpcRefusal } from './refusals.ts'
import { duplicate } from './session-era.ts'
import { SseTransport } from './sse-transport.ts'

interface OpenStream {
  readonly transport: SseTransport
  readonly inFlight: InFlight
}

export interface SseEra {
  /** `GET /sse`. */
  open(entrant: Entrant): Promise<Response>
  /** `POST /messages?sessionId=…`. */
  receive(entrant: Entrant, sessionId: string, body: unknown): Response | Promise<Response>
  /** Ends all streams, and their sessions; no more are opened. */
  closeStreams(): void
}

/** HTTP with SSE (2024-11-05): a session is one stream, and ends with it. */
export function createSseEra(
  serverFor: ServerFor,
  sessions: GatewaySessions,
  { keepAliveMs, unreadBytes }: GatewaySettings,
  elsewhere: Elsewhere = nowhere,
): SseEra {
  const streams = new Map<string, OpenStream>()
  let isClosing = false

  /** Such a session is its stream: it is in the process that has it, or nowhere. */
  async function receiveElsewhere(entrant: Entrant, sessionId: string, body: unknown): Promise<Response> {
    entrant.facts.allowSeconds(0)
    const reached = await elsewhere.reach(entrant, sessionId, body)
    return reached instanceof Response ? reached : noSuchSession()
  }

  return {
    async open({ request, principal }) {
      if (isClosing)
        throw fault('unavailable', 'This process is stopping: connect again', { retryAfterSec: 1 })
      const close = (): void => {
        streams.delete(session.id)
        void server.close()
      }
      const session = sessions.open(principal, 'sse', { close })
      const server = serverFor({ principal, session })
      const place = { endpoint: '/messages', sessionId: session.id }
      const transport = new SseTransport({ ...place, keepAliveMs, unreadBytes }, request.signal)
      streams.set(session.id, { transport, inFlight: watchInFlight(transport) })
      sessions.hold(session.id)
      await server.connect(transport)
      const disconnect = transport.onclose
      // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no listeners
      transport.onclose = () => {
        disconnect?.()
        sessions.end(session.id)
      }
      // It may have gone while it was waited for.
      if (request.signal.aborted) await transport.close()
      return transport.response
    },

    receive(entrant, sessionId, body) {
      const { request, principal } = entrant
      const session = sessions.find(principal, sessionId)
      if (session === null) return receiveElsewhere(entrant, sessionId, body)
      const stream = streams.get(session.id)
      if (stream === undefined) return noSuchSession()
      const message = parseMessage(body)
      if (message === null) return rpcRefusal(400, invalidRequestCode, 'The body is not one JSON-RPC message')
      const taken = stream.inFlight.take([message])
      if (taken !== null) return duplicate(taken)
      stream.transport.receive(message, request)
      return new Response('Accepted', { status: 202 })
    },

    closeStreams() {
      isClosing = true
      for (const id of streams.keys()) sessions.end(id)
    },
  }
}

function parseMessage(body: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(body)
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
}
