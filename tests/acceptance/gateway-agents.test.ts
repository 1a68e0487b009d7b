import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type ToolServer, startToolServer } from '../../server/connections/test-support/tool-server.ts'
import { whenOver } from '../../server/platform/http/when-over.ts'
import type { AgentGrantView } from '../../shared/agents.ts'
import { toolNames } from '../../shared/gateway.ts'
import { commandLineOf } from '../support/command-line.ts'
import { type AgentProgram, agentProgram, letIn } from '../support/agent-program.ts'

/** Programs that know only OAuth, at a running server. */

let toolServer: ToolServer
let installation: TestInstallation
let server: GatehouseProcess
let owner: SignedInClient

beforeAll(async () => {
  toolServer = await startToolServer({ era: 'legacy' })
  const tools = { slug: 'tools', provider: 'Tools', url: toolServer.url, chains: ['base'] }
  installation = await createTestInstallation({ registry: { source: writeRegistry([tools]) } })
  server = await installation.start()
  await untilListed(server.url, 'mcpservers:tools')
  owner = await signInAt(server.url)
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await toolServer?.stop()
})

const identity = { name: 'agent', version: '1.0.0' }
const accountUrl = (): URL => new URL('/mcp/account', server.url)

interface ConnectedAgent {
  listTools(): Promise<{ tools: readonly { name: string }[] }>
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

const generations: readonly {
  readonly name: string
  readonly connect: (program: AgentProgram) => Promise<ConnectedAgent>
}[] = [
  {
    name: 'SDK 2, protocol 2026',
    connect: (program) => connectSecond(program, 'auto'),
  },
  {
    name: 'SDK 2, protocol 2025',
    connect: (program) => connectSecond(program, 'legacy'),
  },
  {
    name: 'SDK 1',
    async connect(program) {
      const transport = () => new FirstHttp(accountUrl(), { authProvider: program })
      const refused = transport()
      const error = await new FirstClient(identity)
        .connect(refused as Transport)
        .catch((thrown: unknown) => thrown)
      expect(String(error)).toContain('Unauthorized')
      const back = await letIn(owner, program.sentTo ?? accountUrl())
      await refused.finishAuth(back.searchParams.get('code') ?? '')
      const client = new FirstClient(identity)
      await client.connect(transport() as Transport)
      return client
    },
  },
]

async function connectSecond(program: AgentProgram, mode: 'auto' | 'legacy'): Promise<ConnectedAgent> {
  const create = () => new Client(identity, { versionNegotiation: { mode } })
  const transport = () => new StreamableHTTPClientTransport(accountUrl(), { authProvider: program })
  const refused = transport()
  const error = await create()
    .connect(refused)
    .catch((thrown: unknown) => thrown)
  expect(String(error)).toContain('Unauthorized')
  const back = await letIn(owner, program.sentTo ?? accountUrl())
  expect([back.searchParams.get('state'), back.searchParams.get('iss')]).toEqual(['xyz', server.url])
  await refused.finishAuth(back.searchParams)
  const client = create()
  await client.connect(transport())
  seen.push(
    program.kept?.access_token ?? '',
    program.kept?.refresh_token ?? '',
    back.searchParams.get('code') ?? '',
  )
  return client
}

const statusWith = async (token: string | undefined, path = '/mcp/account'): Promise<number> => {
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: identity },
    }),
  })
  await answer.body?.cancel()
  return answer.status
}

/** Tokens that programs had, which nothing may show. */
const seen: string[] = []

const grants = async () => (await owner.query('agents.list')).data as AgentGrantView[]

describe.each(generations)('a program with $name', ({ connect }) => {
  test('is let in, uses the gateway as its owner, refreshes, and is out once it is revoked', async () => {
    const program = agentProgram()
    const client = await connect(program)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([...toolNames])
    const first = program.kept

    // The client refreshes by itself once its token is refused.
    program.kept = {
      ...program.kept,
      access_token: `${first?.access_token}x`,
      token_type: 'Bearer',
    }
    await client.callTool({ name: 'discover_categories', arguments: {} })
    expect(program.kept?.access_token).toStartWith('gat_')
    expect(program.kept?.refresh_token).not.toBe(first?.refresh_token)
    const token = program.kept?.access_token
    expect([await statusWith(token), await statusWith(token, '/mcp')]).toEqual([200, 200])

    const [grant] = await grants()
    expect(grant).toMatchObject({ clientName: 'A program', verifiedHost: null, redirectHost: '127.0.0.1' })
    expect((await owner.mutate('agents.revoke', { id: grant?.id })).data).toEqual({ propagated: true })
    expect([await statusWith(token), await statusWith(token, '/mcp')]).toEqual([401, 401])
    await client.close()
  })
})

test('sessions of a revoked agent end within a second, their streams with them', async () => {
  const program = agentProgram()
  const client = await connectSecond(program, 'legacy')
  const sessions = async () =>
    ((await owner.query('gateway.sessions')).data as { sessions: { keyId: string }[] }).sessions
  const [grant] = await grants()
  const isThere = async () => (await sessions()).some(({ keyId }) => keyId === grant?.id)
  await waitUntil('the session is there', isThere)
  let isListening = false
  const listening = new Client(identity, { versionNegotiation: { mode: 'legacy' } })
  const url = new URL('/mcp/c/public::base::mcpservers:tools', server.url)
  await listening.connect(
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers: { authorization: `Bearer ${program.kept?.access_token}` } },
      async fetch(at, init) {
        const answer = await fetch(at, init)
        if (init?.method !== 'GET' || answer.body === null) return answer
        isListening = answer.ok
        return new Response(
          whenOver(answer.body, () => void (isListening = false)),
          answer,
        )
      },
    }),
  )
  await waitUntil('it listens to a tool server', () => isListening)
  expect((await owner.mutate('agents.revokeAll')).data).toMatchObject({ propagated: true })
  await waitUntil('all has ended', async () => !isListening && !(await isThere()), 1_000)
  expect(await grants()).toEqual([])
  for (const each of [client, listening]) await each.close().catch(() => undefined)
})

test('strangers are challenged at the address for accounts, and let in at /mcp as before', async () => {
  const answer = await fetch(accountUrl(), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const metadata = `${server.url}/.well-known/oauth-protected-resource/mcp/account`
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([
    401,
    `Bearer resource_metadata="${metadata}", scope="gateway_use"`,
  ])
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource: accountUrl().href,
    authorization_servers: [server.url],
    scopes_supported: ['gateway_use'],
  })
  expect(await statusWith(undefined, '/mcp')).toBe(200)
})

test('each name of a loopback installation answers as itself', async () => {
  const named = server.url.replace('127.0.0.1', 'localhost')
  const read = async (path: string) => (await fetch(`${named}${path}`)).json()
  expect(await read('/.well-known/oauth-authorization-server')).toMatchObject({
    issuer: named,
    token_endpoint: `${named}/oauth/token`,
  })
  expect(await read('/.well-known/oauth-protected-resource/mcp')).toMatchObject({
    resource: `${named}/mcp`,
    authorization_servers: [named],
  })
})

test('nobody but the owner, on a page of ours, decides', async () => {
  const other = await signInAt(server.url)
  const program = agentProgram()
  const client = await connectSecond(program, 'auto')
  const [grant] = await grants()
  expect((await other.mutate('agents.revoke', { id: grant?.id })).status).toBe(404)
  expect((await other.query('agents.list')).data).toEqual([])
  expect((await other.query('operatorAgents.list')).status).toBe(403)
  const asks = (headers: Record<string, string>) =>
    fetch(`${server.url}/trpc/agents.ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query: 'client_id=x' }),
    })
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  expect((await asks({ cookie, origin: 'https://evil.example' })).status).toBe(403)
  expect((await asks({ cookie })).status).toBe(403)
  expect((await asks({ origin: server.url })).status).toBe(401)
  await client.close()
})

/** A token for something else, of a program that was let in before. */
async function tokenFor(program: AgentProgram, resource: string, scope: string): Promise<string> {
  const link = new URL(program.sentTo ?? '')
  link.searchParams.set('resource', `${server.url}${resource}`)
  link.searchParams.set('scope', scope)
  const code = (await letIn(owner, link)).searchParams.get('code') ?? ''
  const answer = await fetch(`${server.url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: link.searchParams.get('client_id') ?? '',
      code,
      code_verifier: await program.codeVerifier(),
      redirect_uri: link.searchParams.get('redirect_uri') ?? '',
    }),
  })
  return ((await answer.json()) as { access_token: string }).access_token
}

test('a token for the account API reads statistics, and opens no gateway; one for the gateway the other way round', async () => {
  const program = agentProgram('Statistics')
  const client = await connectSecond(program, 'auto')
  const gatewayToken = program.kept?.access_token ?? ''
  const statistics = async (token: string) =>
    (
      await fetch(`${server.url}/account/statistics/keys?granularity=1h`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status
  expect(await statistics(gatewayToken)).toBe(401)
  await client.close()

  const token = await tokenFor(program, '/account', 'statistics_read')
  expect([200, 422]).toContain(await statistics(token))
  expect([await statusWith(token), await statusWith(token, '/mcp')]).toEqual([401, 401])
  const keys = await fetch(`${server.url}/account/create-api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(keys.status).toBe(403)
})

/** What a token opens at each door, by what its owner agreed to. Anything else is opened by none. */
const opens: Readonly<Record<string, RegExp | null>> = {
  'the gateway with gateway_use': /^POST \/(?:mcp|mcp\/account|sse|mcp\/c\/con_[12])$/,
  'the gateway with statistics_read': null,
  'one connection with gateway_use': /^POST \/mcp\/c\/con_1$/,
  'the account with statistics_read': /^GET \/account\/statistics\/[\w-]+$/,
  'the account with gateway_use': null,
}

const resourceNamed = { 'the gateway': '/mcp', 'one connection': '/mcp/c/con_1', 'the account': '/account' }

/** Every documented route of the account, and each door of the gateway. */
async function everyDoor(): Promise<string[]> {
  const { paths } = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>
  }
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'x')}`),
  )
  const doors = ['/mcp', '/mcp/account', '/sse', '/mcp/c/con_1', '/mcp/c/con_2']
  return [
    ...documented.filter((route) => route.includes(' /account/')),
    ...doors.map((path) => `POST ${path}`),
  ]
}

test('each route with each scope: what was not agreed to is refused, and an agent is told all that the call needs', async () => {
  const program = agentProgram('Matrix')
  await (await connectSecond(program, 'auto')).close()
  const doors = await everyDoor()
  expect(doors.length).toBeGreaterThan(12)
  for (const [agreed, opened] of Object.entries(opens)) {
    const [resource = '', scope = ''] = agreed.split(' with ')
    const token = await tokenFor(program, resourceNamed[resource as keyof typeof resourceNamed], scope)
    for (const door of doors) {
      const [method = '', path = ''] = door.split(' ')
      const body = method === 'GET' ? {} : { body: '{}' }
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const answer = await fetch(`${server.url}${path}`, { method, headers, ...body })
      await answer.body?.cancel()
      const isOpen = ![401, 403].includes(answer.status)
      expect([agreed, door, isOpen]).toEqual([agreed, door, opened?.test(door) ?? false])
      if (answer.status !== 403) continue
      const needed = path.startsWith('/account/') ? '/account' : path
      const mends = path.startsWith('/account/statistics/') ? 'statistics_read' : 'gateway_use'
      const isForNoAgent = needed === '/account' && mends === 'gateway_use'
      expect([door, answer.headers.get('www-authenticate')]).toEqual([
        door,
        isForNoAgent
          ? null
          : `Bearer error="insufficient_scope", resource_metadata="${server.url}/.well-known/oauth-protected-resource${needed}", scope="${mends}"`,
      ])
    }
  }
})

test('statistics tell strangers how agents are let in; what no agent may do does not', async () => {
  const challengeAt = async (path: string) =>
    (await fetch(`${server.url}/account/${path}`)).headers.get('www-authenticate')
  expect(await challengeAt('statistics/keys')).toBe(
    `Bearer resource_metadata="${server.url}/.well-known/oauth-protected-resource/account", scope="statistics_read"`,
  )
  expect(await challengeAt('query-keys')).toBe('Bearer')
})

test.each(['auto', 'legacy'] as const)(
  'a tool that wants an account tells a stranger (%s) how to get one',
  async (mode) => {
    const stranger = new Client(identity, { versionNegotiation: { mode } })
    await stranger.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url)))
    const call = { operation: 'create_connection', service_id: 'a:b', arguments: {} }
    const result = await stranger.callTool({ name: 'execute', arguments: call })
    expect(result.structuredContent).toMatchObject({ error: { code: 'api_key_needed' } })
    expect(result._meta?.['mcp/www_authenticate']).toEqual([
      expect.stringContaining(`resource_metadata="${server.url}/.well-known/oauth-protected-resource/mcp"`),
    ])
    await stranger.close()
  },
)

test('operators list and revoke agents at the command line', async () => {
  const program = agentProgram('Listed')
  const client = await connectSecond(program, 'auto')
  const [grant] = await grants()
  const listed = await commandLineOf(server.dataDir).run(['agents', 'list'])
  expect(listed.stdout).toContain('Listed (not verified)')
  expect((await commandLineOf(server.dataDir).run(['agents', 'clients'])).stdout).toContain('gcl_')
  expect((await commandLineOf(server.dataDir).run(['agents', 'revoke', grant?.id ?? ''])).stdout).toBe(
    `${grant?.id} is refused from now on.\n`,
  )
  expect(await statusWith(program.kept?.access_token)).toBe(401)
  expect((await commandLineOf(server.dataDir).run(['agents', 'revoke', grant?.id ?? ''])).exitCode).toBe(1)
  const account = owner.wallet.address
  expect(
    (await commandLineOf(server.dataDir).run(['agents', 'revoke-all', '--account', account])).exitCode,
  ).toBe(0)
  expect(await grants()).toEqual([])
  await client.close()
})

test('no token or code is in the log', () => {
  const log = server.output()
  expect(seen.length).toBeGreaterThan(10)
  for (const secret of seen) expect(log).not.toContain(secret)
})
