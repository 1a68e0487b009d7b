import { WebStandardStreamableHTTPServerTransport, type Server } from '@modelcontextprotocol/server'

import { type ClientTraits, protocolVersions } from '../sessions/client-traits.ts'
import type { GatewaySettings } from '../settings.ts'
import { type InFlight, watchInFlight } from './in-flight.ts'

/** The transport of a Streamable HTTP session. */
export interface LiveSession {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly inFlight: InFlight
}

/** Connects a transport to a server. `onClose` is called when it ends, which the client can cause. */
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
  const inFlight = watchInFlight(transport, (id) => transport.closeSSEStream(id))
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

/** The id of the replayed request. No client can use it, and its answer is discarded. */
const introductionId = 'gatehouse:introduction'

/**
 * Replays `initialize` to the transport of a rebuilt session, with what the client told the process that is
 * gone.
 */
export async function replayInitialize(
  transport: Pick<WebStandardStreamableHTTPServerTransport, 'handleRequest'>,
  sessionId: string,
  { protocolVersion, capabilities }: ClientTraits,
): Promise<void> {
  const version = protocolVersion ?? protocolVersions.at(-1) ?? ''
  const post = async (body: object): Promise<void> => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': sessionId,
    }
    const request = new Request('http://localhost/mcp', { method: 'POST', headers })
    const response = await transport.handleRequest(request, { parsedBody: body })
    if (!response.ok) throw new Error(`a session cannot be rebuilt: ${response.status}`)
    // Its end is the answer's: the server knows the client by then.
    await response.text()
  }
  const params = {
    protocolVersion: version,
    capabilities,
    clientInfo: { name: 'client of a rebuilt session', version: '1' },
  }
  await post({ jsonrpc: '2.0', id: introductionId, method: 'initialize', params })
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
}
