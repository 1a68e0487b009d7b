import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createMCPClient } from '@ai-sdk/mcp'
import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as FirstSse } from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'

/** What tests look into without a schema of its own. */
export type Json = ReturnType<typeof JSON.parse>

/** What a tool answered. */
interface ToolAnswer {
  readonly isError: boolean
  /** Of a tool of the gateway, or what a refusal of a virtual server has in its metadata. */
  readonly value: Readonly<Record<string, Json>>
  readonly content: readonly { readonly type: string; readonly text?: string }[]
}

/** A client that is connected, whichever SDK and transport it uses. */
export interface TestMcpClient {
  readonly name: string
  toolNames(): Promise<string[]>
  call(tool: string, args?: Record<string, unknown>): Promise<ToolAnswer>
  /** `execute` with an operation. */
  execute(operation: string, args?: Record<string, unknown>, serviceId?: string): Promise<ToolAnswer>
  close(): Promise<void>
}

interface SdkClient {
  listTools(): Promise<{ tools: readonly { name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>
  close(): Promise<void>
}

export interface ClientSettings {
  readonly apiKey?: string
  readonly headers?: Readonly<Record<string, string>>
  /** The door, where it is another than `/mcp` or `/sse`. */
  readonly path?: string
}

/** Every way in which agents come today. */
export const clientKinds = [
  'v1 http',
  'v1 sse',
  'v2 2025 http',
  'v2 2026 http',
  'v2 2026 at /sse',
  'v2 sse',
  'ai-sdk http',
  'ai-sdk sse',
  'mcp-remote http',
  'mcp-remote sse',
] as const
export type ClientKind = (typeof clientKinds)[number]

const identity = { name: 'test', version: '1.0.0' }

const legacy = () => new Client(identity, { versionNegotiation: { mode: 'legacy' } })
const modern = () => new Client(identity, { versionNegotiation: { mode: { pin: '2026-07-28' } } })

export async function connectClient(
  kind: ClientKind,
  base: string,
  { apiKey, headers = {}, path = kind.endsWith('sse') ? '/sse' : '/mcp' }: ClientSettings = {},
): Promise<TestMcpClient> {
  const all = { ...headers, ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) }
  const options = { requestInit: { headers: all } }
  const url = new URL(path, base)
  const connected = async <C extends SdkClient>(client: C, connect: (client: C) => Promise<void>) => {
    await connect(client)
    return asTestClient(kind, client)
  }
  switch (kind) {
    case 'v1 http':
      return connected(new FirstClient(identity), (client) =>
        client.connect(new FirstHttp(url, options) as Transport),
      )
    case 'v1 sse':
      return connected(new FirstClient(identity), (client) => client.connect(new FirstSse(url, options)))
    case 'v2 2025 http':
      return connected(legacy(), (client) => client.connect(new StreamableHTTPClientTransport(url, options)))
    case 'v2 2026 http':
      return connected(modern(), (client) => client.connect(new StreamableHTTPClientTransport(url, options)))
    case 'v2 2026 at /sse':
      return connected(modern(), (client) =>
        client.connect(new StreamableHTTPClientTransport(new URL('/sse', base), options)),
      )
    case 'v2 sse':
      return connected(legacy(), (client) => client.connect(new SSEClientTransport(url, options)))
    case 'ai-sdk http':
    case 'ai-sdk sse': {
      const type = kind === 'ai-sdk sse' ? 'sse' : 'http'
      return asTestClient(kind, await createMCPClient({ transport: { type, url: url.href, headers: all } }))
    }
    case 'mcp-remote http':
    case 'mcp-remote sse':
      return connected(new FirstClient(identity), (client) =>
        client.connect(mcpRemote(url, { sent: all, transport: kind === 'mcp-remote sse' ? 'sse' : 'http' })),
      )
  }
}

interface McpRemoteSettings {
  readonly sent?: Readonly<Record<string, string>>
  readonly transport?: 'http' | 'sse'
  /** Where it waits for whoever lets it in. */
  readonly callbackPort?: number
}

/** The bridge by which programs that know only stdio reach an address. It runs where this process runs: on Bun or Node. */
export function mcpRemote(url: URL, { sent = {}, transport = 'http', callbackPort }: McpRemoteSettings = {}) {
  const program = join(process.cwd(), 'node_modules/mcp-remote/dist/proxy.js')
  const headers = Object.entries(sent).flatMap(([name, value]) => ['--header', `${name}:${value}`])
  const port = callbackPort === undefined ? [] : [String(callbackPort)]
  // It keeps what it was granted in the home folder, and opens whatever browser is in the path.
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-mcp-remote-'))
  const bridge = new StdioClientTransport({
    command: process.execPath,
    args: [program, url.href, ...port, '--allow-http', '--transport', `${transport}-only`, ...headers],
    env: { HOME: home, PATH: '' },
    stderr: 'pipe',
  })
  const close = bridge.close.bind(bridge)
  bridge.close = () => close().finally(() => rmSync(home, { recursive: true, force: true }))
  return bridge
}

/** Kinds that speak the stateless protocol, where nothing but an argument of the call names a session. */
const stateless: readonly string[] = ['v2 2026 http', 'v2 2026 at /sse', 'ai-sdk http'] satisfies ClientKind[]

/** Where the transport has no session, the one that the gateway named is sent along, as an agent would. */
export function asTestClient(name: string, client: SdkClient): TestMcpClient {
  let session: string | undefined
  async function call(tool: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const known = session === undefined || 'session' in args ? args : { ...args, session }
    const answer = answerOf(await client.callTool({ name: tool, arguments: known }))
    if (stateless.includes(name) && typeof answer.value.session === 'string') session = answer.value.session
    return answer
  }
  return {
    name,
    toolNames: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call,
    execute: (operation, args = {}, serviceId) =>
      call('execute', {
        operation,
        arguments: args,
        ...(serviceId !== undefined && { service_id: serviceId }),
      }),
    close: () => client.close(),
  }
}

function answerOf(result: object): ToolAnswer {
  const { isError, structuredContent, content, _meta: meta }: Record<string, unknown> = { ...result }
  const refusal = isRecord(meta) ? meta['gatehouse/refusal'] : undefined
  return {
    isError: isError === true,
    value: [structuredContent, refusal].find(isRecord) ?? {},
    content: Array.isArray(content) ? content : [],
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
