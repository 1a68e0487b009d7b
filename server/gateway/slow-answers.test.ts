import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { whenOver } from '../platform/http/when-over.ts'
import { sharedConnections } from '../connections/test-support/shared-connections.ts'
import { ownRegistry } from './test-support/gateway-dependencies.ts'
import { startGateway } from './test-support/gateway-under-test.ts'
import { postCall, statelessCall, statelessHeaders } from './test-support/stateless-call.ts'

/** What clients and the proxies before them see of a call as long as its tool works. */

const subject = sharedConnections()
const keepAliveMs = 60
let gateway: ReturnType<typeof startGateway>

/** Lets the tool of all servers here answer. */
let release: () => void
let released: Promise<void>
let aborted = 0
/** What the tool servers answer in place of their tool's result, once it is released. */
let inItsPlace: Response | null

async function work(signal: AbortSignal) {
  const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  await Promise.race([released, left])
  if (signal.aborted) aborted += 1
  return { content: [{ type: 'text' as const, text: 'done at last' }] }
}

function startSlowServer(responseMode: 'json' | 'sse') {
  const { fetch: serve } = createMcpHandler(
    () => {
      const server = new McpServer({ name: 'slow', version: '1' })
      server.registerTool('work', { inputSchema: z.object({}) }, (_, { mcpReq }) => work(mcpReq.signal))
      return server
    },
    { legacy: 'reject', responseMode, keepAliveMs: 0 },
  )
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      if (inItsPlace === null || request.headers.get('mcp-method') !== 'tools/call') return serve(request)
      await released
      return inItsPlace
    },
  })
}

beforeAll(async () => {
  for (const mode of ['json', 'sse'] as const) {
    const server = subject.opened(startSlowServer(mode))
    subject.registry.put({ serviceId: `mcpservers:${mode}`, url: `http://127.0.0.1:${server.port}/mcp` })
  }
  const { connections } = subject
  gateway = startGateway({ registry: await ownRegistry(), connections, settings: { keepAliveMs } })
})
afterAll(() => gateway.stop())

beforeEach(() => {
  ;({ promise: released, resolve: release } = Promise.withResolvers<void>())
  aborted = 0
  inItsPlace = null
})

const connectionTo = (mode: string): string => `public::ethereum::mcpservers:${mode}`

/** A call of the slow tool: its address, and the call as clients make it there. */
const ways = [
  {
    way: 'execute, by protocol 2026-07-28',
    path: '/mcp',
    call: {
      name: 'execute',
      arguments: {
        operation: 'call_mcp_tool',
        arguments: { connection_id: connectionTo('json'), tool_name: 'work', arguments: {} },
      },
    },
  },
  {
    way: 'a connection of its own, to a server that answers in JSON',
    path: `/mcp/c/${connectionTo('json')}`,
    call: { name: 'work', arguments: {} },
  },
  {
    way: 'a connection of its own, to a server that answers with events',
    path: `/mcp/c/${connectionTo('sse')}`,
    call: { name: 'work', arguments: {} },
  },
]

const post = ({ path, call }: (typeof ways)[number], more: RequestInit = {}, accept = 'text/event-stream') =>
  postCall(
    `${gateway.url}${path}`,
    statelessCall(call.name, call.arguments),
    { ...statelessHeaders(call.name), accept: `application/json, ${accept}` },
    more,
  )

const underWay = (): number => subject.connections.counts().underWay
const decoder = new TextDecoder()

/** The messages of an event stream, as a reader takes them that knows comments. */
const messagesIn = (events: string): unknown[] =>
  events.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []))

describe.each(ways)('$way', (way) => {
  test('a client hears comments until the answer comes as an event', async () => {
    const response = await post(way)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body!.getReader()
    const comments = ': keep-alive\n\n: keep-alive\n\n'
    let heard = ''
    while (heard.length < comments.length) heard += decoder.decode((await reader.read()).value)
    expect(heard).toStartWith(comments)
    release()
    for (let read = await reader.read(); !read.done; read = await reader.read())
      heard += decoder.decode(read.value)
    expect(messagesIn(heard)).toMatchObject([
      { jsonrpc: '2.0', id: 'a"1', result: { content: [{ type: 'text', text: 'done at last' }] } },
    ])
    expect(underWay()).toBe(0)
  })

  test('a client of the SDK reads the answer', async () => {
    const answers: (string | null)[] = []
    const transport = new StreamableHTTPClientTransport(new URL(way.path, gateway.url), {
      async fetch(url, init) {
        const response = await fetch(url, init)
        answers.push(response.headers.get('content-type'))
        return response
      },
    })
    const client = new Client(
      { name: 't', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    )
    await client.connect(transport)
    answers.length = 0
    const result = client.callTool(way.call)
    await waitUntil('the answer has begun', () => answers.includes('text/event-stream'))
    release()
    expect((await result).content).toEqual([{ type: 'text', text: 'done at last' }])
    await client.close()
  })

  test('a client that leaves is waited for by nobody', async () => {
    const leaving = new AbortController()
    const response = await post(way, { signal: leaving.signal })
    await response.body!.getReader().read()
    leaving.abort()
    await waitUntil('the tool has heard of it', () => aborted === 1)
    await waitUntil('nothing is under way', () => underWay() === 0)
  })

  test('an answer that comes at once is as it was', async () => {
    release()
    const response = await post(way)
    const text = await response.text()
    expect(text).not.toContain('keep-alive')
    expect(text).toContain('done at last')
  })
})

test('a client that takes JSON only is answered in JSON', async () => {
  const [way] = ways
  let isAnswered = false
  const answer = post(way!, {}, '*/*').finally(() => {
    isAnswered = true
  })
  await waitUntil('it is under way', () => underWay() === 1)
  // Who asks later and takes events has begun to hear them.
  const events = await post(way!)
  expect(isAnswered).toBe(false)
  release()
  const response = await answer
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toMatchObject({ id: 'a"1', result: {} })
  await events.text()
})

test.each<[what: string, answer: () => Response, expected: object]>([
  [
    'a refusal in JSON',
    () =>
      Response.json({ jsonrpc: '2.0', id: null, error: { code: -32_050, message: 'no' } }, { status: 400 }),
    { error: { code: -32_050, message: 'no' } },
  ],
  [
    'a page of a proxy',
    () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
    { error: { code: -32_000, message: 'HTTP 502' } },
  ],
  [
    'JSON of several lines',
    () =>
      new Response(JSON.stringify({ jsonrpc: '2.0', id: 'a"1', result: { content: [] } }, null, 2), {
        headers: { 'content-type': 'application/json' },
      }),
    { result: { content: [] } },
  ],
])('%s that comes late is an event with the id of the call', async (_, answer, expected) => {
  inItsPlace = answer()
  const response = await post(ways[1]!)
  release()
  const data = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
  const message = JSON.parse(data.map((line) => line.slice(6)).join('\n'))
  expect(message).toEqual({ jsonrpc: '2.0', id: 'a"1', ...expected })
  expect(underWay()).toBe(0)
})

/** Opens a session of 2025, or a stream of 2024, and returns what sends a message to it and what is heard of it. */
const olderWays: Record<string, (key: Record<string, string>) => Promise<OlderClient>> = {
  async 'a session of 2025'(key) {
    const begun = await send('/mcp', initialize, key)
    await begun.text()
    const headers = { ...key, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
    return { call: async (message) => (await send('/mcp', message, headers)).text() }
  },
  async 'a stream of 2024'(key) {
    const stream = await fetch(`${gateway.url}/sse`, { headers: key })
    const reader = stream.body!.getReader()
    const endpoint = /data: (\S+)/.exec(decoder.decode((await reader.read()).value))?.[1] ?? ''
    await send(endpoint, initialize, key)
    return {
      async call(message) {
        await send(endpoint, message, key)
        let heard = ''
        for (let read = await reader.read(); !read.done; read = await reader.read())
          heard += decoder.decode(read.value)
        return heard
      },
    }
  },
}

interface OlderClient {
  /** Resolves to all that is heard after the call, until the stream ends. */
  call(message: object): Promise<string>
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}

/** A call of the slow tool, as a client of a session makes it. */
const slowCall = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: ways[0]!.call })

const send = (path: string, body: object, headers: Record<string, string>) =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  })

test.each(Object.entries(olderWays))(
  '%s that ends with its key answers what is under way, so that nobody waits in vain',
  async (name, begin) => {
    const owner = `owner-${name.replaceAll(' ', '-')}`
    const client = await begin({ authorization: `Bearer ${owner}` })
    const answer = client.call(slowCall(5))
    await waitUntil('the call is under way', () => underWay() === 1)
    gateway.disableKey(owner)
    expect(messagesIn(await answer)).toContainEqual({
      jsonrpc: '2.0',
      id: 5,
      error: { code: -32_001, message: expect.stringContaining('The session ended') },
    })
    await waitUntil('the tool server was told', () => aborted === 1)
  },
)

/** Calls the slow tool by protocol 2025 until the signal aborts, with clients that say then that the call is cancelled. */
const cancelling: Record<string, (fetch: Fetch, signal: AbortSignal) => Promise<unknown>> = {
  async 'SDK 1'(fetch, signal) {
    const client = new FirstClient({ name: 't', version: '1' })
    await client.connect(new FirstHttp(new URL('/mcp', gateway.url), { fetch }) as Transport)
    return client.callTool(ways[0]!.call, undefined, { signal })
  },
  async 'SDK 2'(fetch, signal) {
    const client = new Client({ name: 't', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', gateway.url), { fetch }))
    return client.callTool(ways[0]!.call, { signal })
  },
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

test.each(Object.entries(cancelling))('a call that %s cancels holds no answer open', async (_, call) => {
  let open = 0
  const cancel = new AbortController()
  const called = call(async (url, init) => {
    const response = await fetch(url, init)
    if (init?.method !== 'POST' || response.body === null) return response
    open += 1
    return new Response(
      whenOver(response.body, () => void (open -= 1)),
      response,
    )
  }, cancel.signal)
  called.catch(() => undefined) // looked at below
  await waitUntil('the call is under way', () => underWay() === 1 && open === 1)
  cancel.abort()
  await expect(called).rejects.toThrow()
  await waitUntil('its answer has ended', () => open === 0)
  await waitUntil('the tool has heard of it', () => aborted === 1)
})

test('a batch of 2025 is answered until each request that was not cancelled has its answer', async () => {
  const begun = await send(
    '/mcp',
    { ...initialize, params: { ...initialize.params, protocolVersion: '2025-03-26' } },
    {},
  )
  await begun.text()
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  const cancelOf = (requestId: number) =>
    send('/mcp', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, session)
  const answered = await send('/mcp', [slowCall(1), slowCall(2)], session)
  const left = await send('/mcp', [slowCall(3), slowCall(4)], session)
  await waitUntil('all are under way', () => underWay() === 4)
  for (const id of [1, 3, 4]) expect((await cancelOf(id)).status).toBe(202)
  expect(messagesIn(await left.text())).toEqual([])
  release()
  expect(messagesIn(await answered.text())).toMatchObject([{ id: 2, result: {} }])
})
