import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'

import { type ClientTraits, protocolVersions } from '../sessions/client-traits.ts'

/** No request of a client has it, and its answer goes to nobody. */
const introductionId = 'gatehouse:introduction'

/** Says to a new transport what the client said to the one of a process that is gone. */
export async function introduce(
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
