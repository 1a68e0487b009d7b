import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Server } from '@modelcontextprotocol/server'

import type { GatewaySettings } from '../settings.ts'
import { type InFlight, watchInFlight } from './in-flight.ts'

/** The transport of a session of Streamable HTTP. */
export interface LiveSession {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly inFlight: InFlight
}

/** `onClose` hears of the transport's end, which its client may bring about. */
export async function connectLive(
  server: Server,
  sessionId: string,
  { keepAliveMs, bodyBytes }: GatewaySettings,
  onClose: () => void,
): Promise<LiveSession> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => sessionId,
    keepAliveMs,
    maxRequestBodySize: bodyBytes,
  })
  const inFlight = watchInFlight(transport)
  await server.connect(transport)
  // The server put its own in place when it connected.
  const disconnect = transport.onclose
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no listeners
  transport.onclose = () => {
    disconnect?.()
    onClose()
  }
  return { transport, inFlight }
}
