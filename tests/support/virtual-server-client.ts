import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as FirstSse } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

import type { Json } from '../../scripts/world/mcp-clients.ts'

/** A client of a virtual server, whichever SDK it is made of. */
export interface VirtualServerClient {
  listTools(): Promise<Json>
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<Json>
  close(): Promise<void>
}

export const virtualServerClients = ['v2 2026 http', 'v2 2025 http', 'v2 sse', 'v1 http', 'v1 sse'] as const
export type VirtualServerClientKind = (typeof virtualServerClients)[number]

const identity = { name: 'agent', version: '1' }

export async function connectVirtualServer(
  kind: VirtualServerClientKind,
  name: string,
  base: string,
  token: string,
  capabilities: { readonly elicitation?: { readonly url: Record<string, never> } } = {},
): Promise<VirtualServerClient> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const url = new URL(`/mcp/v/${name}${kind.endsWith('sse') ? '/sse' : ''}`, base)
  if (kind === 'v1 http' || kind === 'v1 sse') {
    const first = new FirstClient(identity, { capabilities })
    const Kind = kind === 'v1 http' ? FirstHttp : FirstSse
    await first.connect(new Kind(url, { requestInit }) as Transport)
    return first
  }
  const mode = kind === 'v2 2026 http' ? ({ pin: '2026-07-28' } as const) : 'legacy'
  const client = new Client(identity, { capabilities, versionNegotiation: { mode } })
  const Kind = kind === 'v2 sse' ? SSEClientTransport : StreamableHTTPClientTransport
  await client.connect(new Kind(url, { requestInit }))
  return client
}
