import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { type TestMcpClient, connectClient } from '../../scripts/world/mcp-clients.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { needs } from '../support/needs.ts'
import { type ReplicatedGateway, startReplicatedGateway, vaultSecret } from './gateway/replicated-gateway.ts'

/** Policies of tool calls, and virtual servers, at two processes behind one address, as foreign clients meet them. */

const hasRedis = needs('redis-server')
let world: ReplicatedGateway
let agent: TestMcpClient
let direct: Client
let connectionId: string

beforeAll(async () => {
  if (!hasRedis) return
  world = await startReplicatedGateway(2, { hasStore: true })
  agent = await connectClient('v2 2026 http', world.front.url, { apiKey: world.key.value })
  const made = await agent.execute(
    'create_connection',
    { credentials: { kind: 'static_secret', secret: vaultSecret }, label: 'Vault' },
    'mcpservers:vault',
  )
  connectionId = String(made.value.connection_id)
  direct = new Client({ name: 'direct', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  const at = new URL(`/mcp/c/${connectionId}`, world.front.url)
  const headers = { authorization: `Bearer ${world.key.value}` }
  await direct.connect(new StreamableHTTPClientTransport(at, { requestInit: { headers } }))
}, 120_000)
afterAll(async () => {
  await agent?.close()
  await direct?.close()
  await world?.stop()
}, 60_000)
beforeEach(async () => {
  if (!hasRedis) return
  world.front.use(0, 1)
  await Promise.all([{ level: 'account' } as const, ofKey(), ofConnection()].map(remove))
})

const ofKey = (): Subject => ({ level: 'key', id: world.key.id })
const ofConnection = (): Subject => ({ level: 'connection', id: connectionId })

type Subject = { level: 'account' } | { level: 'key' | 'connection'; id: string }

/** The owner is signed in at the first process. */
async function save(subject: Subject, policy: object): Promise<void> {
  const { data, error } = await world.key.owner.mutate('toolPolicies.save', { subject, policy })
  expect(error).toBeUndefined()
  expect(data).toEqual({ propagated: true })
}

const saveWrong = (policy: object) =>
  world.key.owner.mutate('toolPolicies.save', { subject: { level: 'account' }, policy })

const remove = (subject: Subject) => world.key.owner.mutate('toolPolicies.remove', { subject })

const call = (tool: string, args: object = {}) =>
  agent.execute('call_mcp_tool', { connection_id: connectionId, tool_name: tool, arguments: args })

const echoes = (): number => world.vault.called.filter((name) => name === 'echo').length

describe.skipIf(!hasRedis)('policies of tool calls', () => {
  test('the eleventh call of a tool limited to ten an hour is refused with the true wait, at either process and door', async () => {
    await save(ofConnection(), {
      limits: [{ tools: ['echo'], calls: 10, period: 'hour' }],
    })
    const startedAt = performance.now()
    const before = echoes()
    for (let made = 0; made < 5; made += 1) {
      expect((await call('echo', { message: 'hi' })).isError).toBe(false)
      const result = await direct.callTool({ name: 'echo', arguments: { message: 'hi' } })
      expect(result.isError).not.toBe(true)
    }
    expect(echoes()).toBe(before + 10)

    for (const replica of [0, 1]) {
      world.front.use(replica)
      const byExecute = await call('echo', { message: 'hi' })
      const byItself = await direct.callTool({ name: 'echo', arguments: { message: 'hi' } })
      const passedSec = Math.ceil((performance.now() - startedAt) / 1_000)
      for (const refused of [
        byExecute.value,
        byItself._meta?.['gatehouse/refusal'] as typeof byExecute.value,
      ]) {
        expect(refused.error.code).toBe('rate_limited')
        expect(refused.error.message).toStartWith(
          'By the policy of this connection there are at most 10 calls of echo in any hour: try again in ',
        )
        // Processes that share a store count an hour and up to two sixtieths of it more.
        expect(refused.retry_after_seconds).toBeLessThanOrEqual(3_720)
        expect(refused.retry_after_seconds).toBeGreaterThanOrEqual(3_600 - passedSec)
      }
      expect([byExecute.isError, byItself.isError]).toEqual([true, true])
      expect(byExecute.value.next_actions.length).toBePositive()
    }
    expect(echoes()).toBe(before + 10)
    expect((await call('structured')).isError).toBe(false)
  })

  test('the wait that a refusal tells is the one after which the call is made', async () => {
    await save(
      { level: 'key', id: world.key.id },
      {
        limits: [{ tools: ['structured'], calls: 1, period: 'second' }],
      },
    )
    // A unit that reaches a busy process too late for its call is held by it for up to a second, and can be so twice.
    const heldMs = 3_000
    const isMade = async () => !(await call('structured')).isError
    await waitUntil('a call is made', isMade, heldMs)
    const refused = await call('structured')
    const toldMs = refused.value.retry_after_seconds * 1_000
    const startedAt = performance.now()
    await waitUntil('the call is made again', isMade, toldMs + heldMs)
    expect(performance.now() - startedAt).toBeGreaterThan(toldMs - 1_100)
  })

  test('of thirty calls at once over two processes exactly as many are made as the limit says', async () => {
    await save(ofKey(), { limits: [{ tools: ['echo'], calls: 7, period: 'hour' }] })
    const before = echoes()
    const all = await Promise.all(Array.from({ length: 30 }, () => call('echo', { message: 'hi' })))
    expect(all.filter(({ isError }) => !isError)).toHaveLength(7)
    expect(echoes()).toBe(before + 7)
  })

  test('a call that its credits refuse takes nothing of the limit of calls', async () => {
    const limits = [{ tools: ['hel*', 'structured'], calls: 2, period: 'hour' }]
    const credits = { units: 3, period: 'hour' }
    await save(ofKey(), { limits, prices: [{ tools: ['*'], credits: 3 }], credits })
    expect((await call('structured')).isError).toBe(false)
    expect((await call('structured')).value.error.message).toContain('at most 3 credits in any hour')
    await save(ofKey(), { limits })
    const isMade = async () => !(await call('structured')).isError
    await waitUntil('what was given back has reached the store', isMade)
    expect(await isMade()).toBe(false)
  })

  test('a denied tool is refused with the reason at both processes at once, and its list says so', async () => {
    await save({ level: 'account' }, { deny: ['mcpservers:vault/ech*'] })
    const before = echoes()
    for (const replica of [1, 0]) {
      world.front.use(replica)
      const refused = await call('echo', { message: 'hi' })
      const message =
        'This tool is denied by the policy of the account (denied tools: mcpservers:vault/ech*). The owner of the account can change it in the console: Gateway, Policies.'
      expect(refused.value.error).toEqual({ code: 'not_allowed', message })
      expect((await call('ECHO', { message: 'hi' })).value.error.code).toBe('not_allowed')
      const listed = await agent.execute('list_mcp_tools', { connection_id: connectionId })
      expect(listed.value.flags).toContainEqual({
        tool_name: 'echo',
        changed: false,
        warnings: [],
        denied: message,
      })
      expect(JSON.stringify(listed.value.next_actions)).not.toContain('"tool_name":"echo"')
      const direct2 = await direct.callTool({ name: 'echo', arguments: { message: 'hi' } })
      expect(direct2._meta?.['gatehouse/refusal']).toEqual({ error: { code: 'not_allowed', message } })
    }
    expect(echoes()).toBe(before)
    await remove({ level: 'account' })
    world.front.use(1)
    expect((await call('echo', { message: 'hi' })).isError).toBe(false)
  })

  test('arguments have to fit, and tools that do not say that they only read are refused where only those are allowed', async () => {
    await save(
      { level: 'account' },
      {
        readOnly: true,
        arguments: [{ tools: ['echo'], schema: { properties: { message: { pattern: '^hi' } } } }],
      },
    )
    expect((await call('echo', { message: 'hi there' })).isError).toBe(false)
    const wrong = await call('echo', { message: 'no' })
    expect(wrong.value.error.message).toStartWith(
      'The arguments do not fit the policy of the account (arguments[0]): /message must match pattern "^hi".',
    )
    expect((await call('structured')).value.error.message).toContain('its annotations lack readOnlyHint')
    const passed = await direct.callTool({ name: 'structured', arguments: {} })
    expect(passed.isError).toBe(true)
  })

  test('another account’s policies are its own, and nobody sets one for a key or connection of somebody else', async () => {
    const other = await connectClient('v2 2026 http', world.front.url)
    await save({ level: 'account' }, { deny: ['echo'] })
    const echo = { tool_name: 'echo', arguments: { message: 'hi' } }
    expect((await other.execute('call_mcp_tool', echo, 'mcpservers:modern')).isError).toBe(false)
    await other.close()
    await remove({ level: 'account' })
    for (const subject of [
      { level: 'key', id: 'key_foreign' },
      { level: 'connection', id: 'con_foreign' },
    ]) {
      const refused = await world.key.owner.mutate('toolPolicies.save', {
        subject,
        policy: { deny: ['echo'] },
      })
      expect(refused.status).toBe(404)
    }
  })

  test('what is no policy is refused with the field that is wrong', async () => {
    const schema = { properties: { message: { pattern: '(?=a)' } } }
    const broken = await saveWrong({ arguments: [{ tools: ['echo'], schema }] })
    expect(broken.status).toBe(422)
    expect(JSON.stringify(broken.error)).toContain(
      'policy.arguments[0].schema: has a pattern that is not taken',
    )
    expect(JSON.stringify((await saveWrong({ deny: ['a b'] })).error)).toContain('deny')
  })
})

/** The change is known to both processes when the call returns. */
async function saveServer(spec: object, isNew = true): Promise<void> {
  const { data, error } = await world.key.owner.mutate('virtualServers.save', { spec, isNew })
  expect(error).toBeUndefined()
  expect(data).toMatchObject({ propagated: true })
}

const asOwner = (name: string) => ({ apiKey: world.key.value, path: `/mcp/v/${name}` })

const echoOf = (client: TestMcpClient, prefix: string) => client.call(`${prefix}echo`, { message: 'hi' })

/** None where there is no such virtual server. */
const namesAt = async (replica: number, server: string): Promise<string[]> => {
  const url = world.processAt(replica).url
  const client = await connectClient('v2 2025 http', url, asOwner(server)).catch(() => null)
  const names = (await client?.toolNames().catch(() => null)) ?? []
  await client?.close()
  return names
}

const namesAtBoth = (server: string) => Promise.all([0, 1].map((replica) => namesAt(replica, server)))

/** Which tools of the virtual server are marked as denied, and what a call of one is answered. */
const marksAt = async (replica: number) => {
  const client = new Client({ name: 'marks', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${world.key.value}` } }
  const url = new URL('/mcp/v/marks', world.processAt(replica).url)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))
  const { tools: listed } = await client.listTools()
  const refused = await client.callTool({ name: 'vault_echo', arguments: { message: 'hi' } })
  await client.close()
  return { marks: new Map(listed.map(({ name, _meta }) => [name, _meta?.['gatehouse/denied']])), refused }
}

describe.skipIf(!hasRedis)('virtual servers', () => {
  const tools = { name: 'tools', members: [{ service: 'mcpservers:plain', prefix: 'a_' }] }

  test('one that is made, changed and removed at one process is so at the other, and clients go on over both', async () => {
    await saveServer(tools)
    for (const names of await namesAtBoth('tools')) expect(names).toContain('a_echo')
    const clients = await Promise.all(
      (['v1 http', 'v2 2025 http', 'v2 2026 http'] as const).map((kind) =>
        connectClient(kind, world.front.url, asOwner('tools')),
      ),
    )
    for (const client of clients)
      for (let count = 0; count < 4; count += 1)
        expect((await echoOf(client, 'a_')).content).toEqual([{ type: 'text', text: 'hi' }])
    expect(new Set(world.front.went)).toEqual(new Set([0, 1]))

    await saveServer({ ...tools, members: [{ service: 'mcpservers:plain', prefix: 'b_' }] }, false)
    for (const names of await namesAtBoth('tools')) {
      expect(names).toContain('b_echo')
      expect(names).not.toContain('a_echo')
    }
    for (const client of clients) {
      expect((await echoOf(client, 'b_')).content).toEqual([{ type: 'text', text: 'hi' }])
      expect(await echoOf(client, 'a_').catch(String)).toContain('Unknown tool')
    }

    const gone = await world.key.owner.mutate('virtualServers.delete', { name: 'tools' })
    expect(gone.data).toEqual({ propagated: true })
    expect(await namesAtBoth('tools')).toEqual([[], []])
    for (const client of clients) {
      expect(await echoOf(client, 'b_').catch(() => 'gone')).toBe('gone')
      await client.close().catch(() => undefined)
    }
  })

  test('a denied tool is marked in its list at both processes, and its refusal says why', async () => {
    const spec = { name: 'marks', members: [{ connection: connectionId, prefix: 'vault_' }] }
    await saveServer(spec)
    for (const names of await namesAtBoth('marks')) expect(names).toContain('vault_echo')
    expect((await marksAt(1)).marks.get('vault_echo')).toBeUndefined()
    await save(ofKey(), { deny: ['mcpservers:vault/echo'] })
    const before = echoes()
    for (const replica of [0, 1]) {
      const { marks, refused } = await marksAt(replica)
      expect(marks.get('vault_echo')).toStartWith('This tool is denied by the policy of this API key')
      expect(marks.get('vault_structured')).toBeUndefined()
      expect(refused._meta?.['gatehouse/refusal']).toEqual({
        error: { code: 'not_allowed', message: marks.get('vault_echo') },
        console_url: expect.stringMatching(/^http:.*\/gateway\?tab=policies$/),
      })
    }
    expect(echoes()).toBe(before)
  })
})
