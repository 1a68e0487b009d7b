import { parseJSONRPCMessage, type JSONRPCMessage } from '@modelcontextprotocol/server'

import { fault } from '../../platform/fault.ts'
import type { ServerFor } from '../mcp-server.ts'
import { type SessionRouter, singleProcessRouter } from '../session-routing/session-router.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { GatewaySettings } from '../settings.ts'
import type { GatewayRequest } from '../authentication.ts'
import { type InFlight, closeAnswering, watchInFlight } from './in-flight.ts'
import { invalidRequestCode, noSuchStream, rpcRefusal } from './refusals.ts'
import { duplicate } from './session-era.ts'
import { SseTransport } from './sse-transport.ts'
import { messagesPathOf } from './virtual-server-address.ts'

interface OpenStream {
  readonly transport: SseTransport
  readonly inFlight: InFlight
}

export interface SseEra {
  /** Answers `GET /sse`. */
  open(incoming: GatewayRequest): Promise<Response>
  /** Answers `POST /messages?sessionId=…`. */
  receive(incoming: GatewayRequest, sessionId: string, body: unknown): Response | Promise<Response>
  /** Ends all streams and their sessions, and refuses new ones. */
  closeStreams(): void
}

/** Serves HTTP with SSE (protocol 2024-11-05): a session is one stream and ends with it. */
export function createSseEra(
  serverFor: ServerFor,
  sessions: GatewaySessions,
  { keepAliveMs, unreadBytes }: GatewaySettings,
  sessionRouter: SessionRouter = singleProcessRouter,
): SseEra {
  const streams = new Map<string, OpenStream>()
  let isClosing = false

  /**
   * Answers a message whose stream is not here. The stream is in its owner process or has ended; it cannot be
   * rebuilt.
   */
  async function receiveRemotely(
    incoming: GatewayRequest,
    sessionId: string,
    body: unknown,
  ): Promise<Response> {
    incoming.facts.allowSeconds(0)
    const routed = await sessionRouter.route(incoming, sessionId, body)
    return routed instanceof Response ? routed : noSuchStream()
  }

  return {
    async open({ request, caller }) {
      if (isClosing)
        throw fault('unavailable', 'This process is stopping: connect again', { retryAfterSec: 1 })
      const close = (): void => {
        const ended = streams.get(session.id)
        streams.delete(session.id)
        void closeAnswering(server, ended?.inFlight)
      }
      const session = sessions.open(caller, 'sse', { close })
      const server = serverFor({ caller, session })
      const place = { endpoint: messagesPathOf(caller), sessionId: session.id }
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

    receive(incoming, sessionId, body) {
      const { request, caller } = incoming
      const session = sessions.find(caller, sessionId)
      if (session === null) return receiveRemotely(incoming, sessionId, body)
      const stream = streams.get(session.id)
      if (stream === undefined) return noSuchStream()
      const message = parseMessage(body)
      if (message === null) return rpcRefusal(400, invalidRequestCode, 'The body is not one JSON-RPC message')
      const taken = stream.inFlight.take([message])
      if (taken !== null) return duplicate(taken)
      stream.transport.receive(message, request)
      stream.inFlight.cancel([message])
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
