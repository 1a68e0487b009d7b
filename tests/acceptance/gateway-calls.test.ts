import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/client'

import { type EverythingServer, startEverything } from '../../scripts/world/everything.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import {
  type RawToolServer,
  startRawToolServer,
} from '../../server/connections/test-support/raw-tool-server.ts'
import { type ToolServer, startToolServer } from '../../server/connections/test-support/tool-server.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { Json } from '../../scripts/world/mcp-clients.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { covers } from '../support/covers.ts'

/** What passes through `call_mcp_tool` besides its arguments: results, progress, cancellation, questions. */

let modern: ToolServer
let everything: EverythingServer
let hanging: RawToolServer
/** Is called with the id of a call that never ends. */
let hung: (id: unknown) => void
let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  modern = await startToolServer({ era: 'modern' })
  everything = await startEverything('http')
  hanging = startRawToolServer({
    era: 'legacy',
    tools: [{ name: 'hang', inputSchema: { type: 'object' } }],
    call(_name, id) {
      hung(id)
      return new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
    },
  })
  const source = writeRegistry([
    { slug: 'hanging', provider: 'Hanging', url: hanging.url, chains: ['base'] },
    { slug: 'modern', provider: 'Modern', url: modern.url, chains: ['base'] },
    { slug: 'everything', provider: 'Everything', url: everything.url, chains: ['base'] },
  ])
  installation = await createTestInstallation({ registry: { source } })
  server = await installation.start()
  await untilListed(server.url, 'mcpservers:modern')
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await Promise.all([modern?.stop(), everything?.stop(), hanging?.stop()])
})

const ways = ['2026 http', '2025 http', 'sse'] as const

async function connect(
  way: (typeof ways)[number],
  capabilities: ClientCapabilities = { elicitation: { form: {} } },
): Promise<Client> {
  const mode = way === '2026 http' ? ({ pin: '2026-07-28' } as const) : 'legacy'
  const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } })
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    content: { name: 'Ada' },
  }))
  const transport =
    way === 'sse'
      ? new SSEClientTransport(new URL('/sse', server.url))
      : new StreamableHTTPClientTransport(new URL('/mcp', server.url))
  await client.connect(transport)
  return client
}

const call = (tool: string, args: Record<string, unknown> = {}) => ({
  name: 'execute',
  arguments: {
    operation: 'call_mcp_tool',
    service_id: 'mcpservers:modern',
    arguments: { tool_name: tool, arguments: args },
  },
})

const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')

describe.each([...ways])('%s', (way) => {
  test('results come as they are', async () => {
    covers('operation-call-mcp-tool', 'operation-call-mcp-tool-arguments')
    const client = await connect(way)
    const said = await client.callTool(call('echo', { message: 'hi' }))
    expect(said.content).toEqual([{ type: 'text', text: 'hi' }])
    expect(said._meta).toMatchObject({ 'fixture/kept': [1, 2] })
    expect((await client.callTool(call('structured'))).structuredContent).toEqual({ height: 7 })
    expect(await client.callTool(call('fail'))).toMatchObject({
      isError: true,
      content: [{ text: 'it broke' }],
    })
    const unknown = await client.callTool(call('no_such_tool'))
    expect(unknown.isError).toBe(true)
    await client.close()
  })

  test('progress arrives while the tool works', async () => {
    const client = await connect(way)
    const seen: number[] = []
    const options = {
      onprogress: ({ progress }: { progress: number }) => void seen.push(progress),
    }
    const operation = call('trigger-long-running-operation', { duration: 0.3, steps: 3 })
    const { arguments: args } = operation
    await client.callTool(
      { ...operation, arguments: { ...args, service_id: 'mcpservers:everything' } },
      options,
    )
    // Over SSE the SDK's client forgets whom to tell when the last step comes in one piece with the answer.
    expect(seen.slice(0, 2)).toEqual([1, 2])
    await client.close()
  })

  test('a question of the tool reaches the client, and its answer the tool', async () => {
    const client = await connect(way)
    const answered = await client.callTool(call('ask'))
    expect(textOf(answered)).toContain('state-of-the-downstream')
    expect(textOf(answered)).toContain('Ada')
    await client.close()
  })

  test('a call that is cancelled is cancelled at the tool server', async () => {
    const client = await connect(way)
    const [called, aborted] = [modern.called.length, modern.aborted.length]
    const abort = new AbortController()
    const ended = client.callTool(call('hang'), { signal: abort.signal }).catch((error: unknown) => error)
    await waitUntil('the tool is called', () => modern.called.length > called)
    abort.abort()
    expect(await ended).toBeInstanceOf(Error)
    await waitUntil('the tool hears of it', () => modern.aborted.length > aborted, 2_000)
    await client.close()
  })
})

test.each(ways)('%s: a tool server of 2025 is told that a call is cancelled', async (way) => {
  const begun = Promise.withResolvers<unknown>()
  hung = begun.resolve
  const client = await connect(way)
  const abort = new AbortController()
  const { arguments: args } = call('hang')
  const asked = { name: 'execute', arguments: { ...args, service_id: 'mcpservers:hanging' } }
  const ended = client.callTool(asked, { signal: abort.signal }).catch((error: unknown) => error)
  const requestId = await begun.promise
  abort.abort()
  await ended
  const isCancelled = ({ message }: Json) =>
    message?.method === 'notifications/cancelled' && message.params.requestId === requestId
  await waitUntil('the tool server hears of it', () => hanging.requests.some(isCancelled))
  await client.close()
})

// A server of 2025 asks over the stream of a session; from 2026-07-28 on clients have none.
describe.each([...ways].filter((way) => way !== '2026 http'))('%s', (way) => {
  test('questions of a tool server of 2025 reach the client', async () => {
    const client = await connect(way, { elicitation: { form: {} }, sampling: {}, roots: {} })
    client.setRequestHandler('sampling/createMessage', () => ({
      role: 'assistant',
      model: 'a model of the client',
      content: { type: 'text', text: 'A summary.' },
    }))
    client.setRequestHandler('roots/list', () => ({
      roots: [{ uri: 'file:///work', name: 'Work' }],
    }))
    const ask = async (tool: string, args: Record<string, unknown> = {}) => {
      const { arguments: given } = call(tool, args)
      const asked = {
        name: 'execute',
        arguments: { ...given, service_id: 'mcpservers:everything' },
      }
      return textOf(await client.callTool(asked))
    }
    expect(await ask('trigger-elicitation-request')).toContain('Ada')
    expect(await ask('trigger-sampling-request', { prompt: 'Summarize', maxTokens: 10 })).toContain(
      'A summary.',
    )
    expect(await ask('get-roots-list')).toContain('file:///work')
    // Who cannot be asked has a connection of its own, on which the server knows that.
    const mute = new Client({ name: 'mute', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
    await mute.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url)))
    const { arguments: given } = call('trigger-elicitation-request')
    const refused = await mute.callTool({
      name: 'execute',
      arguments: { ...given, service_id: 'mcpservers:everything' },
    })
    expect(refused.isError).toBe(true)
    await Promise.all([mute.close(), client.close()])
  })
})

const post = async (tool: string, more: object) => {
  const version = '2026-07-28'
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'tools/call',
      'mcp-name': 'execute',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        ...call(tool),
        ...more,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': version,
          'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
        },
      },
    }),
  })
  return (await response.json()) as { result?: Json; error?: { code: number } }
}

test('a state that was altered, or that belongs to another call, is refused', async () => {
  const asked = await post('ask', {})
  expect(asked.result.resultType).toBe('input_required')
  const state: string = asked.result.requestState
  expect(state).not.toContain('state-of-the-downstream')
  const inputResponses = { name: { action: 'accept', content: { name: 'Eve' } } }
  expect((await post('ask', { inputResponses, requestState: `${state}x` })).error?.code).toBe(-32_602)
  const other = await post('echo', { inputResponses, requestState: state })
  expect(other.result.structuredContent.error.code).toBe('invalid_arguments')
  expect((await post('ask', { inputResponses, requestState: state })).result.content[0].text).toContain('Eve')
})

test('calls without a session leave none behind, whatever the tool server keeps', async () => {
  const client = await connect('2026 http')
  const before = await server.metric('gateway_sessions')
  for (const slug of ['modern', 'everything', 'modern', 'everything']) {
    const said = await client.callTool({
      name: 'execute',
      arguments: {
        operation: 'call_mcp_tool',
        arguments: {
          connection_id: `public::base::mcpservers:${slug}`,
          tool_name: 'echo',
          arguments: { message: 'hi' },
        },
      },
    })
    expect(textOf(said)).toContain('hi')
  }
  expect(await server.metric('gateway_sessions')).toBe(before)
  await client.close()
})
