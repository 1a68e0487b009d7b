import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type ClientKind, type TestMcpClient, connectClient } from '../../scripts/world/mcp-clients.ts'
import {
  callToolRaw,
  listToolsRaw,
  openHandle,
  openSession,
  openSessionAt,
  openStream,
} from './gateway/raw-calls.ts'
import { type ReplicatedGateway, startReplicatedGateway, vaultSecret } from './gateway/replicated-gateway.ts'

/** What agents notice of a process that ends or stands still. These processes share PostgreSQL alone. */

let world: ReplicatedGateway

beforeAll(async () => {
  world = await startReplicatedGateway(3, { hasStore: false })
}, 120_000)
afterAll(() => world?.stop(), 60_000)
beforeEach(() => world?.front.use(0))
afterEach(async () => {
  await world.restartStopped()
  await waitUntil('every process is connected', areConnected, 20_000)
}, 60_000)

const urlOf = (replica: number): string => world.processAt(replica).url

const areConnected = async (): Promise<boolean> =>
  (await Promise.all(world.replicas.servers.map((one) => one.metric('gateway_sessions_shared')))).every(
    (isConnected) => isConnected === 1,
  )

const echo = (client: TestMcpClient, message: string) =>
  client.execute('call_mcp_tool', {
    connection_id: 'agent::mcpservers:vault',
    tool_name: 'echo',
    arguments: { message },
  })

async function bind(client: TestMcpClient): Promise<void> {
  await client.call('bind_credentials_bag', { credentials_bag: { Vault: vaultSecret } })
  await client.execute('connect_mcp', {}, 'mcpservers:vault')
  expect((await echo(client, 'hi')).content).toEqual([{ type: 'text', text: 'hi' }])
}

const kinds: readonly ClientKind[] = ['v1 http', 'v2 2025 http', 'v2 2026 http']

describe('a process ends', () => {
  describe.each(kinds)('%s', (kind) => {
    test.each(['kill -9', 'SIGTERM'])(
      'by %s: its sessions go on at the others, and what they forgot is said',
      async (how) => {
        const client = await connectClient(kind, world.front.url)
        await bind(client)
        world.front.use(1, 2)
        await (how === 'SIGTERM' ? world.processAt(0).stop() : world.processAt(0).kill9())

        expect(await client.toolNames()).toHaveLength(5)
        const refused = await echo(client, 'hi')
        expect(refused.value).toMatchObject({ error: { code: 'auth_required' } })
        expect(refused.value.next_actions[0].tool).toBe('bind_credentials_bag')
        // One of the two has it now: what is bound there holds for requests to either.
        await bind(client)
        for (let count = 0; count < 4; count++) expect((await echo(client, 'hi')).isError).toBe(false)
        await client.close()
      },
      30_000,
    )
  })

  test('after SIGTERM: the streams on which only servers speak end with it, whoever answers them', async () => {
    const at = urlOf(0)
    const toolServer = `${at}/mcp/c/${encodeURIComponent('public::base::mcpservers:plain')}`
    const streams = await Promise.all([
      openSession(at).then((id) => openStream(`${at}/mcp`, id)),
      openSession(urlOf(1)).then((id) => openStream(`${at}/mcp`, id)),
      openSessionAt(toolServer).then((id) => openStream(toolServer, id)),
    ])
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200])

    const startedAt = performance.now()
    expect(await world.processAt(0).stop()).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    await Promise.all(streams.map((stream) => stream.text()))
  }, 30_000)

  test('however many ask at once, at both of the others: one of them rebuilds the session', async () => {
    const before = await rebuilt()
    const id = await openSession(urlOf(0))
    await world.processAt(0).kill9()
    const asked = Array.from({ length: 20 }, (_, index) => listToolsRaw(urlOf(1 + (index % 2)), id))
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 200))
    expect((await rebuilt()) - before).toBe(1)
  }, 30_000)

  test('a stream of HTTP with SSE ends with its process; what is posted to it finds no session', async () => {
    const left = new AbortController()
    const stream = await fetch(`${urlOf(0)}/sse`, { signal: left.signal })
    const { value } = (await stream.body?.getReader().read()) ?? {}
    const endpoint = /data: (\S+)/.exec(new TextDecoder().decode(value))?.[1] ?? ''
    await world.processAt(0).kill9()
    const post = () =>
      fetch(`${urlOf(1)}${endpoint}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      })
    const statuses: number[] = []
    await waitUntil(
      'nobody has the session',
      async () => statuses.push((await post()).status) > 0 && statuses.at(-1) === 404,
    )
    // What was on its way when the process ended may have arrived: its sender is told so, and tries again.
    expect(statuses.slice(0, -1).filter((status) => status !== 503)).toEqual([])
    left.abort()
  }, 30_000)

  test('in the middle of a call at another one: the call ends with an error that says so, and the session goes on', async () => {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', world.front.url)))
    world.front.use(1)
    const called = world.modern.called.length
    const args = { tool_name: 'hang', arguments: {} }
    const hanging = client
      .callTool({
        name: 'execute',
        arguments: { operation: 'call_mcp_tool', service_id: 'mcpservers:modern', arguments: args },
      })
      .catch((error: unknown) => error)
    await waitUntil('the tool is called', () => world.modern.called.length > called)
    await world.processAt(0).kill9()
    expect(String(await hanging)).toContain('may or may not have been carried out')
    expect((await client.listTools()).tools).toHaveLength(5)
    await client.close()
  }, 30_000)

  test('a session that is named in another one goes on there, and what it forgot is said', async () => {
    const handle = await openHandle(urlOf(0), undefined, { Vault: vaultSecret })
    const own = await openSession(urlOf(1))
    await world.processAt(0).kill9()
    const args = { operation: 'connect_mcp', service_id: 'mcpservers:vault', session: handle }
    expect(await (await callToolRaw(urlOf(1), own, 'execute', args)).text()).toContain('auth_required')
    const bag = { credentials_bag: { Vault: vaultSecret }, session: handle }
    await (await callToolRaw(urlOf(1), own, 'bind_credentials_bag', bag)).text()
    expect(await (await callToolRaw(urlOf(1), own, 'execute', args)).text()).toContain('session_bag')
  }, 30_000)

  test('a rebuilt session knows what its client can be asked', async () => {
    const client = new Client(
      { name: 'test', version: '1' },
      { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'legacy' } },
    )
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }))
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', world.front.url)))
    world.front.use(1, 2)
    await world.processAt(0).kill9()
    const asked = await client.callTool({
      name: 'execute',
      arguments: {
        operation: 'call_mcp_tool',
        service_id: 'mcpservers:modern',
        arguments: { tool_name: 'ask', arguments: {} },
      },
    })
    expect(JSON.stringify(asked)).toContain('Ada')
    await client.close()
  }, 30_000)
})

describe('a process stands still', () => {
  test('in the middle of a call at another one: the call ends once it is taken for gone', async () => {
    const handle = await openHandle(urlOf(0))
    const own = await openSession(urlOf(1))
    const called = world.modern.called.length
    const hanging = callToolRaw(urlOf(1), own, 'execute', {
      operation: 'call_mcp_tool',
      service_id: 'mcpservers:modern',
      arguments: { tool_name: 'hang', arguments: {} },
      session: handle,
    })
    await waitUntil('the tool is called', () => world.modern.called.length > called)
    world.processAt(0).program.signal('SIGSTOP')
    try {
      expect(await (await hanging).text()).toContain('may or may not have been carried out')
    } finally {
      world.processAt(0).program.signal('SIGCONT')
    }
  }, 30_000)

  test('for so long that its session is rebuilt: when it wakes, there is one session and not two', async () => {
    const id = await openSession(urlOf(0))
    world.processAt(0).program.signal('SIGSTOP')
    try {
      const first = await listToolsRaw(urlOf(1), id)
      expect(first.status).toBe(503)
      expect(await first.text()).toContain('may or may not have been carried out')
      await waitUntil(
        'another one goes on with it',
        async () => (await listToolsRaw(urlOf(1), id)).ok,
        10_000,
      )
      await (
        await callToolRaw(urlOf(1), id, 'bind_credentials_bag', { credentials_bag: { Vault: vaultSecret } })
      ).text()
    } finally {
      world.processAt(0).program.signal('SIGCONT')
    }
    await waitUntil('it knows what went on', () =>
      world.processAt(0).output().includes('went on in other processes'),
    )
    for (const replica of [0, 1, 2]) {
      const bound = await callToolRaw(urlOf(replica), id, 'bind_credentials_bag', { credentials_bag: {} })
      expect(await bound.text()).toContain('"bound":["vault"]')
    }
  }, 60_000)
})

async function rebuilt(): Promise<number> {
  const counts = world.replicas.servers.map((one) =>
    one.metric('gateway_sessions_elsewhere_total{outcome="rebuilt"}').catch(() => 0),
  )
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
