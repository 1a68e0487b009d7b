import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import * as z from 'zod'

import { testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { connectClient } from '../../scripts/world/mcp-clients.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type ToolServer, startToolServer } from '../../server/connections/test-support/tool-server.ts'
import type { ToolCallPage, ToolCallQuery } from '../../shared/tool-calls.ts'
import type { ToolUsageQuestion, ToolUsageTable } from '../../shared/tool-statistics.ts'
import { agentProgram, letIn } from '../support/agent-program.ts'
import { createCanaries } from '../support/canaries.ts'
import { commandLineOf } from '../support/command-line.ts'
import { consoleClient } from '../support/console-client.ts'
import { dumpOf } from '../support/database-dump.ts'
import { type GatewayKey, makeGatewayKey } from '../support/gateway-keys.ts'

/** Calls of tools are recorded once and counted, whichever door and process they come through. */

const canaries = createCanaries()
const vaultSecret = canaries.plant('secret of the saved connection')

let modern: ToolServer
let vault: ToolServer
const page = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('<h1>no MCP</h1>') })
let database: TestDatabase
let environment: Record<string, string>
const installations: TestInstallation[] = []
const servers: GatehouseProcess[] = []
let key: GatewayKey
let connectionId = ''

beforeAll(async () => {
  modern = await startToolServer()
  vault = await startToolServer({ wants: { header: 'authorization', value: `Bearer ${vaultSecret}` } })
  const chains = ['base']
  const locked = { auth: 'API Key', credentialKey: 'vault' }
  const source = writeRegistry([
    { slug: 'modern', provider: 'Modern', url: modern.url, chains },
    { slug: 'vault', provider: 'Vault', url: vault.url, ...locked, chains },
    { slug: 'page', provider: 'Page', url: `http://127.0.0.1:${page.port}/mcp`, chains },
    { slug: 'gone', provider: 'Gone', url: 'http://127.0.0.1:1/mcp', chains },
  ])
  database = await testDatabase()
  environment = { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64') }
  for (let replica = 0; replica < 2; replica++) {
    const installation = await createTestInstallation({ verifiers: { builtIn: false }, registry: { source } })
    installations.push(installation)
    servers.push(await installation.start(environment))
  }
  for (const { url } of servers) await untilListed(url, 'mcpservers:modern')
  key = await makeGatewayKey(urlOf(0), ['gateway_use', 'statistics_read'])
  const form = { serviceId: 'mcpservers:vault', secret: vaultSecret }
  const { data } = await key.owner.mutate('connections.create', form)
  connectionId = z.object({ id: z.string() }).parse(data).id
}, 90_000)

afterAll(async () => {
  await Promise.all(installations.map((installation) => installation.remove()))
  await database?.drop()
  await Promise.all([modern?.stop(), vault?.stop(), page.stop(true)])
})

const urlOf = (place: number): string => servers[place]?.url ?? ''

async function execute(place: number, serviceId: string, tool: string, args: object = {}): Promise<void> {
  const client = await connectClient('v2 2026 http', urlOf(place), { apiKey: key.value })
  try {
    await client.execute('call_mcp_tool', { tool_name: tool, arguments: args }, serviceId)
  } finally {
    await client.close()
  }
}

const newClient = () => new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })

/** A client that speaks to the tool server of the saved connection directly. */
async function passThrough(place: number): Promise<Client> {
  const client = newClient()
  const headers = { authorization: `Bearer ${key.value}` }
  const address = new URL(`/mcp/c/${connectionId}`, urlOf(place))
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
  return client
}

const own = () => consoleClient(key.owner)
const list = (input: ToolCallQuery = {}): Promise<ToolCallPage> => own().toolCalls.list.query(input)
const table = (input: ToolUsageQuestion): Promise<ToolUsageTable> => own().toolCalls.statistics.query(input)
const statistics = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${urlOf(0)}/account/statistics/${query}`, {
    headers: { authorization: `Bearer ${key.value}`, ...headers },
  })

test('a call of each outcome is recorded once and counted, over both doors and both processes', async () => {
  for (const place of [0, 1]) {
    await execute(place, 'mcpservers:modern', 'echo', { message: 'hi' })
    await execute(place, 'mcpservers:modern', 'fail')
    await execute(place, 'mcpservers:modern', 'ask')
    await execute(place, 'mcpservers:page', 'echo')
    await execute(place, 'mcpservers:gone', 'echo')
    const client = await passThrough(place)
    await client.callTool({ name: 'echo', arguments: { message: 'directly' } })
    await client.callTool({ name: 'fail', arguments: {} })
    const abort = new AbortController()
    const called = vault.called.length
    const hanging = client.callTool({ name: 'hang', arguments: {} }, { signal: abort.signal })
    await waitUntil('the tool hangs', () => vault.called.length > called)
    abort.abort()
    await hanging.catch(() => undefined)
    await client.close()
  }

  await waitUntil('both processes have written', async () => (await list()).calls.length >= 16)
  const { calls } = await list()
  const seen = calls.map(({ server, tool, door, outcome }) => `${door} ${server} ${tool} ${outcome}`)
  const once = [
    'execute mcpservers:modern echo ok',
    'execute mcpservers:modern fail tool_error',
    'execute mcpservers:modern ask refused',
    'execute mcpservers:page echo unreachable',
    'execute mcpservers:gone echo unreachable',
    'pass_through mcpservers:vault echo ok',
    'pass_through mcpservers:vault fail tool_error',
    'pass_through mcpservers:vault hang cancelled',
  ]
  expect(seen.toSorted()).toEqual([...once, ...once].toSorted())
  expect(new Set(calls.map(({ id }) => id)).size).toBe(16)
  for (const call of calls) {
    expect(call).toMatchObject({ keyId: key.id, keyName: 'agent', weight: 1, hasContent: false })
    expect(call.ms).toBeWithin(0, 60_000)
  }
  const said = calls.find(({ door, tool }) => door === 'pass_through' && tool === 'echo')
  expect(said?.bytesSent).toBeGreaterThan(50)
  expect(said?.bytesReceived).toBeGreaterThan(50)
})

test('statistics say the same by tool, tool server and key, over REST, as CSV and in the console', async () => {
  await waitUntil(
    'the other process has written its counts',
    async () => (await table({ by: 'server' })).totals.calls === 16,
  )
  const byServer = await table({ by: 'server' })
  expect(byServer.rows.map(({ server, calls }) => `${server} ${calls}`).toSorted()).toEqual([
    'mcpservers:gone 2',
    'mcpservers:modern 6',
    'mcpservers:page 2',
    'mcpservers:vault 6',
  ])
  expect(byServer.totals).toMatchObject({
    calls: 16,
    answered: 4,
    toolErrors: 6,
    failed: 6,
    denied: 0,
    underWay: 0,
  })
  expect(byServer.totals.p95Ms).toBeGreaterThan(0)

  const answer = await (await statistics('tools')).json()
  expect(answer.totals).toEqual(byServer.totals)
  expect(answer.items).toHaveLength(8)
  expect(answer.items[0]).toMatchObject({ server: 'mcpservers:gone', tool: 'echo', calls: 2, failed: 2 })
  const ofKey = await (await statistics('tools?by=key')).json()
  expect(ofKey.items).toMatchObject([{ keyId: key.id, name: 'agent', calls: 16 }])
  const first = await (await statistics('tools?limit=3&tool=echo')).json()
  expect(first.items).toHaveLength(3)
  const second = await (await statistics(`tools?limit=3&tool=echo&cursor=${first.nextCursor}`)).json()
  expect(second.items).toMatchObject([{ server: 'mcpservers:vault' }])
  expect(second.nextCursor).toBeNull()
  const csv = await (await statistics('tools?by=server', { accept: 'text/csv' })).text()
  expect(csv.split('\n')[0]).toStartWith('server,tool,keyId,name,bucket,calls,answered')
  expect((await statistics('tools?by=shoe')).status).toBe(422)

  await waitUntil('what became of calls is written', async () => {
    const { items } = await (await statistics('tool-outcomes')).json()
    return items.reduce((sum: number, { calls }: { calls: number }) => sum + calls, 0) === 16
  })
  const outcomes = await (await statistics('tool-outcomes?server=mcpservers:vault')).json()
  expect(
    outcomes.items.map(({ tool, outcome, calls }: Record<string, unknown>) => `${tool} ${outcome} ${calls}`),
  ).toEqual(['echo ok 2', 'fail tool_error 2', 'hang cancelled 2'])
  const counted = await servers[0]?.metric('tool_calls_total{outcome="ok",door="execute"}')
  expect(counted).toBe(1)
})

test('an account sees its own calls, an operator all, and nobody else anything', async () => {
  const seen = consoleClient(await signInAt(urlOf(1))).toolCalls
  const ownId = key.owner.accountId
  expect((await seen.list.query({})).calls).toEqual([])
  expect((await seen.statistics.query({ by: 'tool' })).rows).toEqual([])
  for (const scope of [{ all: true }, { account: ownId }]) {
    await expect(seen.list.query(scope)).rejects.toThrow('Only operators')
    await expect(seen.statistics.query({ by: 'key', ...scope })).rejects.toThrow('Only operators')
  }
  const [call] = (await list()).calls
  const named = { id: call?.id ?? '', at: call?.at ?? 0 }
  await expect(seen.content.query(named)).rejects.toThrow('There is no such call')
  const anonymous = await connectClient('v2 2026 http', urlOf(0))
  await anonymous.execute(
    'call_mcp_tool',
    { tool_name: 'echo', arguments: { message: 'hi' } },
    'mcpservers:modern',
  )
  await anonymous.close()
  const all = (await servers[0]?.operator.toolCalls.list.query({ all: true })) ?? { calls: [] }
  expect(all.calls[0]).toMatchObject({ accountId: 'anonymous', keyId: 'none', tool: 'echo', outcome: 'ok' })
  const { run, refusalOf } = commandLineOf(installations[1]?.dataDir ?? '')
  const failed = await run(['tool-calls', '--outcome', 'failed', '--server', 'mcpservers:gone'])
  expect(failed.stdout.match(/unreachable/g)).toHaveLength(2)
  expect((await run(['tool-calls', '--tool', 'none'])).stdout).toBe('No call matches.\n')
  expect(await refusalOf('tool-calls', '--outcome', 'odd')).toContain('--outcome: expected one of')
  const accounts = await servers[0]?.operator.toolCalls.statistics.query({ all: true, by: 'account' })
  expect(accounts?.rows.map(({ accountId, calls }) => [accountId, calls])).toEqual([
    [ownId, 16],
    ['anonymous', 1],
  ])
})

test('arguments and results are kept where the owner wants it, without secrets, and for a day', async () => {
  const until = Date.now() + 3_600_000
  const { data } = await key.owner.mutate('connections.keepContent', { id: connectionId, hours: 1 })
  expect(z.object({ contentKeptUntil: z.number() }).parse(data).contentKeptUntil).toBeWithin(
    until - 60_000,
    until + 60_000,
  )
  const password = canaries.plant('password in an argument')
  const nested = canaries.plant('token in JSON in an argument')
  const bearer = canaries.plant('bearer in an argument')
  const message = `${vaultSecret} ${JSON.stringify({ access_token: nested })} Bearer ${bearer} and plain words`
  await waitUntil('the other process has heard of it', async () => {
    const client = await passThrough(1)
    await client.callTool({ name: 'echo', arguments: { message, password } })
    await client.close()
    const { calls } = await list({ server: 'mcpservers:vault', limit: 1 })
    return calls[0]?.hasContent === true
  })
  const [call] = (await list({ tool: 'echo', server: 'mcpservers:vault', limit: 1 })).calls
  const named = { id: call?.id ?? '', at: call?.at ?? 0 }
  const content = await own().toolCalls.content.query(named)
  for (const text of [content.arguments, content.result]) expect(text).toContain('and plain words')
  expect(content.arguments).toContain('"password":"[redacted]"')
  expect((content.endsAt ?? 0) - named.at).toBe(24 * 3_600_000)
  expect(canaries.findIn(JSON.stringify(content))).toEqual([])

  await key.owner.mutate('connections.keepContent', { id: connectionId, hours: 0 })
  const entries = await servers[0]?.operator.audit.list.query({})
  expect(JSON.stringify(entries)).toContain('contentKeptUntil')
  const places = [
    JSON.stringify(await list()),
    JSON.stringify(await table({ by: 'tool' })),
    await (await statistics('tools')).text(),
    await (await fetch(`${urlOf(1)}/metrics`)).text(),
    ...servers.map((server) => server.output()),
    (await dumpOf(database.url)).content,
  ]
  for (const place of places) expect(canaries.findIn(place)).toEqual([])

  const sql = `UPDATE tool_calls SET content_ends_at = now() WHERE id = '${call?.id}'`
  await database.database.run((run) => run.unsafe(sql))
  expect(await own().toolCalls.content.query(named)).toMatchObject({
    arguments: null,
    result: null,
  })
})

/** As the second process tells it, which made the calls before: what it has counted is in its answer at once. */
async function totalsOfVault() {
  const question = { account: key.owner.accountId, by: 'server', server: 'mcpservers:vault' } as const
  const answer = await servers[1]?.operator.toolCalls.statistics.query(question)
  if (answer === undefined) throw new Error('there is no second process')
  return answer.totals
}

test('a kill loses no count: a call that was under way is one that failed', async () => {
  const before = await totalsOfVault()
  const client = await passThrough(1)
  const called = vault.called.length
  const hanging = client.callTool({ name: 'hang', arguments: {} }).catch(() => undefined)
  await waitUntil('the tool hangs', () => vault.called.length > called)
  await client.callTool({ name: 'echo', arguments: { message: 'the last words' } })
  await servers[1]?.kill9()
  await hanging
  const again = await installations[1]?.start(environment)
  if (again !== undefined) servers[1] = again
  const { calls, answered, failed } = before
  await waitUntil('its counts are taken over', async () => (await totalsOfVault()).failed === failed + 1)
  expect(await totalsOfVault()).toMatchObject({ calls: calls + 2, answered: answered + 1, underWay: 0 })
}, 60_000)

test('calls of an agent that was revoked are still told by its name', async () => {
  const program = agentProgram('Passing agent')
  const transport = () =>
    new StreamableHTTPClientTransport(new URL('/mcp/account', urlOf(0)), { authProvider: program })
  const refused = transport()
  await expect(newClient().connect(refused)).rejects.toThrow('Unauthorized')
  const back = await letIn(key.owner, program.sentTo ?? new URL(urlOf(0)))
  await refused.finishAuth(back.searchParams)
  const agent = newClient()
  await agent.connect(transport())
  const call = { tool_name: 'echo', arguments: { message: 'hi' } }
  const operation = { operation: 'call_mcp_tool', service_id: 'mcpservers:modern', arguments: call }
  await agent.callTool({ name: 'execute', arguments: operation })
  await agent.close()
  await key.owner.mutate('agents.revokeAll')

  await waitUntil(
    'the call is written',
    async () => (await list()).calls[0]?.keyName === 'Passing agent',
    10_000,
  )
  const { rows } = await table({ by: 'key' })
  expect(rows).toContainEqual(expect.objectContaining({ name: 'Passing agent', calls: 1 }))
})
