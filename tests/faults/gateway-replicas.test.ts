import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { Client, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { CallToolResult } from '@modelcontextprotocol/client'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { makeGatewayKey } from '../support/gateway-keys.ts'
import { type ClientKind, connectClient } from '../../scripts/world/mcp-clients.ts'
import { needs } from '../support/needs.ts'
import { listenToAll } from './gateway/store-listener.ts'
import { callModern, callToolRaw, listToolsRaw, openHandle, openSession } from './gateway/raw-calls.ts'
import { type ReplicatedGateway, startReplicatedGateway, vaultSecret } from './gateway/replicated-gateway.ts'
import { covers } from '../support/covers.ts'
import { connectVirtualServer } from '../support/virtual-server-client.ts'

/** Sessions of agents at two processes behind one address, whose requests go to either in turns. */

const hasRedis = needs('redis-server')
let world: ReplicatedGateway

beforeAll(async () => {
  if (hasRedis) world = await startReplicatedGateway(2, { hasStore: true })
}, 120_000)
afterAll(() => world?.stop(), 60_000)
beforeEach(() => world?.front.use(0, 1))

const kinds: readonly ClientKind[] = [
  'v1 http',
  'v1 sse',
  'v2 2025 http',
  'v2 2026 http',
  'v2 sse',
  'ai-sdk http',
  'ai-sdk sse',
]

const urlOf = (replica: number): string => world.replicas.servers[replica]?.url ?? ''

describe.skipIf(!hasRedis)('requests go to either process in turns', () => {
  describe.each(kinds)('%s', (kind) => {
    test.each(['without a key', 'with a key'])('initialize, list, bind, private calls %s', async (who) => {
      world.front.went.splice(0)
      const client = await connectClient(
        kind,
        world.front.url,
        who === 'with a key' ? { apiKey: world.key.value } : {},
      )
      try {
        expect(await client.toolNames()).toHaveLength(5)
        const bound = await client.call('bind_credentials_bag', { credentials_bag: { Vault: vaultSecret } })
        expect(bound.value).toMatchObject({ bound: ['vault'] })
        const connected = await client.execute('connect_mcp', {}, 'mcpservers:vault')
        expect(connected.value).toMatchObject({ auth_source: 'session_bag', status: 'connected' })
        const { connection_id } = connected.value
        for (let count = 0; count < 6; count++) {
          const echo = { connection_id, tool_name: 'echo', arguments: { message: `hi ${count}` } }
          const said = await client.execute('call_mcp_tool', echo)
          expect(said.content).toEqual([{ type: 'text', text: `hi ${count}` }])
        }
      } finally {
        await client.close()
      }
      expect(new Set(world.front.went)).toEqual(new Set([0, 1]))
    })
  })

  test.each(['v2 2026 http', 'ai-sdk http'] as const)(
    '%s: a call that leaves the session out is told that what was bound is not used for it',
    async (kind) => {
      const client = await connectClient(kind, world.front.url, { apiKey: world.key.value })
      await client.call('bind_credentials_bag', { credentials_bag: { Vault: vaultSecret } })
      for (const operation of ['connect_mcp', 'call_mcp_tool']) {
        const args = { operation, service_id: 'mcpservers:vault', session: undefined }
        const refused = await client.call('execute', { ...args, arguments: { tool_name: 'echo' } })
        expect(refused.value.error).toMatchObject({
          code: 'auth_required',
          message: expect.stringContaining('This call named no session'),
        })
      }
      await client.close()
    },
  )

  describe.each(['2025 http', 'sse'] as const)('%s', (way) => {
    /** It opens its session at the first process, and then speaks to the other. */
    async function connect(): Promise<Client> {
      const client = new Client(
        { name: 'test', version: '1' },
        { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'legacy' } },
      )
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }))
      world.front.use(0)
      const at = (path: string) => new URL(path, world.front.url)
      await client.connect(
        way === 'sse' ? new SSEClientTransport(at('/sse')) : new StreamableHTTPClientTransport(at('/mcp')),
      )
      world.front.use(1)
      return client
    }

    test('a question of a tool reaches the client over the other process, and its answer the tool', async () => {
      const client = await connect()
      expect(textOf(await client.callTool(toolCall('ask')))).toContain('Ada')
      await client.close()
    })

    test('a call that names a session of the other process is made there, and its tool may ask back', async () => {
      const handle = await openHandle(urlOf(1), undefined, { Vault: vaultSecret })
      const client = await connect()
      const call = async (operation: string, more: object) => {
        const args = { operation, session: handle, ...more }
        return (await client.callTool({ name: 'execute', arguments: args })) as CallToolResult
      }
      const connected = await call('connect_mcp', { service_id: 'mcpservers:vault' })
      expect(connected.structuredContent).toMatchObject({ auth_source: 'session_bag', status: 'connected' })
      const { connection_id } = connected.structuredContent as { connection_id: string }
      const echo = { connection_id, tool_name: 'echo', arguments: { message: 'hi' } }
      expect((await call('call_mcp_tool', { arguments: echo })).content).toEqual([
        { type: 'text', text: 'hi' },
      ])
      const asked = await call('call_mcp_tool', toolCall('ask').arguments)
      expect(textOf(asked)).toContain('Ada')

      const bound = await client.callTool({ name: 'bind_credentials_bag', arguments: { session: handle } })
      expect(bound.structuredContent).toMatchObject({ session: handle, bound: ['vault'] })
      const invented = { operation: 'list_mcps', session: `${handle.slice(0, -4)}AAAA` }
      const unknown = await client.callTool({ name: 'execute', arguments: invented })
      expect(unknown.structuredContent).toMatchObject({ error: { code: 'unknown_session' } })
      await client.close()
    })

    test('a call in a session of the other process is cancelled there', async () => {
      const handle = await openHandle(urlOf(1))
      const client = await connect()
      const [called, aborted] = [world.modern.called.length, world.modern.aborted.length]
      const abort = new AbortController()
      const args = { ...toolCall('hang').arguments, session: handle }
      const ended = client
        .callTool({ name: 'execute', arguments: args }, { signal: abort.signal })
        .catch((error: unknown) => error)
      await waitUntil('the tool is called', () => world.modern.called.length > called)
      abort.abort()
      expect(await ended).toBeInstanceOf(Error)
      await waitUntil('the tool hears of it', () => world.modern.aborted.length > aborted, 2_000)
      await client.close()
    })

    test('a call that is cancelled at the other process is cancelled at the tool server', async () => {
      const client = await connect()
      const [called, aborted] = [world.modern.called.length, world.modern.aborted.length]
      const abort = new AbortController()
      const ended = client
        .callTool(toolCall('hang'), { signal: abort.signal })
        .catch((error: unknown) => error)
      await waitUntil('the tool is called', () => world.modern.called.length > called)
      abort.abort()
      expect(await ended).toBeInstanceOf(Error)
      await waitUntil('the tool hears of it', () => world.modern.aborted.length > aborted, 2_000)
      await client.close()
    })
  })

  describe.each(['v2 2026 http', 'v2 2025 http', 'v1 sse'] as const)('%s at a virtual server', (kind) => {
    test.each(virtualServers)(
      '$name: a call that names a session of the other process is made there',
      async (one) => {
        const { name, spec, callOf } = one
        if (spec !== null) {
          const saved = await world.key.owner.mutate('virtualServers.save', { spec: { name, ...spec } })
          expect(saved.error).toBeUndefined()
        }
        const opener = await connectVirtualServer('v2 2026 http', name, urlOf(0), world.key.value)
        const bag = { credentials_bag: { Vault: vaultSecret } }
        const { session } = (await opener.callTool(callOf('bind_credentials_bag', bag))).structuredContent
        const client = await connectVirtualServer(kind, name, urlOf(1), world.key.value)
        const connect = { operation: 'connect_mcp', service_id: 'mcpservers:vault', session }
        const { structuredContent: connected } = await client.callTool(callOf('execute', connect))
        expect(connected).toMatchObject({ auth_source: 'session_bag', status: 'connected' })
        // What can be done next is named as the clients of this virtual server have it.
        const { tool, arguments: given } = connected.next_actions[0]
        expect(callOf('execute', {})).toMatchObject({
          name: tool,
          arguments: given.name ? { name: given.name } : {},
        })
        const echo = {
          connection_id: connected.connection_id,
          tool_name: 'echo',
          arguments: { message: 'hi' },
        }
        const call = callOf('execute', { operation: 'call_mcp_tool', arguments: { ...echo, session } })
        expect((await client.callTool(call)).content).toEqual([{ type: 'text', text: 'hi' }])
        await Promise.all([opener.close(), client.close()])
      },
    )
  })

  test('closing the stream of a call of 2026 cancels it, also when its session is in the other process', async () => {
    const session = await openHandle(urlOf(0))
    const [called, aborted] = [world.modern.called.length, world.modern.aborted.length]
    const abort = new AbortController()
    const args = { ...toolCall('hang').arguments, session }
    const ended = callModern(urlOf(1), { tool: 'execute', args, signal: abort.signal })
      .then((response) => response.text())
      .catch((error: unknown) => error)
    await waitUntil('the tool is called', () => world.modern.called.length > called)
    abort.abort()
    await ended
    await waitUntil('the tool hears of it', () => world.modern.aborted.length > aborted, 2_000)
  })

  test('the standing stream of a session opens over the other process, takes the place of an older one, and leaves nothing behind', async () => {
    const id = await openSession(urlOf(0))
    const left = new AbortController()
    const headers = { accept: 'text/event-stream', 'mcp-session-id': id }
    const open = (signal: AbortSignal | null = null) => fetch(`${urlOf(1)}/mcp`, { headers, signal })
    const older = await open()
    const stream = await open(left.signal)
    expect([older.status, stream.status]).toEqual([200, 200])
    await older.text()
    const reader = stream.body?.getReader()
    // What the server sends by itself arrives: the first keep-alive.
    const { value } = (await reader?.read()) ?? {}
    expect(new TextDecoder().decode(value)).toContain(':')
    left.abort()
    await reader?.read().catch(() => undefined)
    await waitUntil('nothing is under way', () => isIdle())
  }, 30_000)

  test('a session of another principal is at the other process as if it did not exist', async () => {
    covers('threat-38', 'threat-40')
    const stranger = await makeGatewayKey(urlOf(0))
    const id = await openSession(urlOf(0), world.key.value)
    const invented = `gws_${'A'.repeat(id.length - 4)}`
    for (const replica of [0, 1]) {
      const answers: { status: number; text: string }[] = []
      for (const [name, apiKey] of [
        [id, stranger.value],
        [id, undefined],
        [invented, world.key.value],
      ] as const) {
        const response = await listToolsRaw(urlOf(replica), name, apiKey)
        answers.push({ status: response.status, text: await response.text() })
      }
      const [first] = answers
      expect(first?.status).toBe(404)
      for (const answer of answers) expect(answer).toEqual(first as typeof answer)
    }
    expect((await listToolsRaw(urlOf(1), id, world.key.value)).status).toBe(200)

    const session = await openHandle(urlOf(0), world.key.value)
    const call = { tool: 'execute', args: { operation: 'list_mcps', session } }
    expect(await (await callModern(urlOf(1), call)).text()).toContain('unknown_session')
    const own = await callModern(urlOf(1), { ...call, apiKey: world.key.value })
    expect(await own.text()).not.toContain('unknown_session')
    // The same from a session of 2025, which is where the named one is not.
    for (const [apiKey, isOwn] of [
      [world.key.value, true],
      [stranger.value, false],
      [undefined, false],
    ] as const) {
      const from = await openSession(urlOf(1), apiKey)
      const named = await callToolRaw(urlOf(1), from, 'execute', call.args, apiKey)
      expect((await named.text()).includes('unknown_session')).toBe(!isOwn)
    }
  })

  test('a tool server that is passed through to keeps its session, whichever process is asked', async () => {
    const connection = encodeURIComponent('public::base::mcpservers:plain')
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
    world.front.went.splice(0)
    await client.connect(new StreamableHTTPClientTransport(new URL(`/mcp/c/${connection}`, world.front.url)))
    for (let count = 0; count < 4; count++) {
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo')
      const said = await client.callTool({ name: 'echo', arguments: { message: 'hi' } })
      expect(said.content).toEqual([{ type: 'text', text: 'hi' }])
    }
    await client.close()
    expect(world.plain.openSessions()).toBe(1)
    expect(new Set(world.front.went)).toEqual(new Set([0, 1]))
  })

  test('a connection of a session is passed through by the process that has the session', async () => {
    const session = await openHandle(urlOf(0), undefined, { Vault: vaultSecret })
    const args = { operation: 'connect_mcp', service_id: 'mcpservers:vault', session }
    await (await callModern(urlOf(0), { tool: 'execute', args })).text()
    const url = new URL(`/mcp/c/${encodeURIComponent('agent::mcpservers:vault')}`, world.front.url)
    const requestInit = { headers: { 'x-gateway-session': session } }
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
    for (let count = 0; count < 4; count++) {
      const said = await client.callTool({ name: 'echo', arguments: { message: 'hi' } })
      expect(said.content).toEqual([{ type: 'text', text: 'hi' }])
    }
    await client.close()
  })

  test('a session that its client ends at the other process has ended everywhere', async () => {
    const id = await openSession(urlOf(0))
    const ended = await fetch(`${urlOf(1)}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': id } })
    expect(ended.status).toBe(200)
    for (const replica of [0, 1]) expect((await listToolsRaw(urlOf(replica), id)).status).toBe(404)
  })

  test('an id that was altered anywhere opens nothing', async () => {
    const id = await openSession(urlOf(0))
    for (let place = 4; place < id.length; place += 3) {
      const altered = id.slice(0, place) + (id[place] === 'A' ? 'B' : 'A') + id.slice(place + 1)
      expect((await listToolsRaw(urlOf(1), altered)).status).toBe(404)
    }
    expect((await listToolsRaw(urlOf(1), id)).status).toBe(200)
  })

  test('nothing of a call comes into the shared store', async () => {
    const heard = await listenToAll(world.store?.url ?? '')
    const client = await connectClient('v2 2025 http', world.front.url, { apiKey: world.key.value })
    await client.call('bind_credentials_bag', { credentials_bag: { Vault: vaultSecret } })
    await client.execute('connect_mcp', {}, 'mcpservers:vault')
    await client.close()
    const all = (await heard.stop()).join('\n')
    for (const clear of [vaultSecret, world.key.value, 'gws_', 'mcpservers', 'bind_credentials_bag'])
      expect(all).not.toContain(clear)
  })
})

/** The gateway's own tools as one virtual server or another shows them; `spec`: of those that are not built in. */
const virtualServers = [
  {
    name: 'gateway',
    spec: null,
    callOf: (tool: string, args: Record<string, unknown>) => ({ name: tool, arguments: args }),
  },
  {
    name: 'prefixed',
    spec: { mode: 'all', members: [{ gateway: true, prefix: 'g_' }] },
    callOf: (tool: string, args: Record<string, unknown>) => ({ name: `g_${tool}`, arguments: args }),
  },
  {
    name: 'searched',
    spec: { mode: 'searchable', members: [{ gateway: true, prefix: 'g_' }] },
    callOf: (tool: string, args: Record<string, unknown>) => ({
      name: 'call_tool',
      arguments: { name: `g_${tool}`, arguments: args },
    }),
  },
]

const toolCall = (tool: string) => ({
  name: 'execute',
  arguments: {
    operation: 'call_mcp_tool',
    service_id: 'mcpservers:modern',
    arguments: { tool_name: tool, arguments: {} },
  },
})

const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('')

const isIdle = async (): Promise<boolean> => {
  const counts = world.replicas.servers.flatMap((server) => [
    server.metric('gateway_asked'),
    server.metric('gateway_answering'),
  ])
  return (await Promise.all(counts)).every((count) => count === 0)
}
