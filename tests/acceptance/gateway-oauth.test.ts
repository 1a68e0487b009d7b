import { afterAll, beforeAll, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import * as z from 'zod'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { connectClient } from '../../scripts/world/mcp-clients.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'
import {
  type OAuthToolServer,
  startOAuthToolServer,
} from '../../server/connections/test-support/oauth-tool-server.ts'
import { type GatewayKey, makeGatewayKey } from '../support/gateway-keys.ts'

/** A tool server with an authorization server of its own, whose owner agrees in a browser; three processes, one of them public. */

const publicOrigin = 'https://gate.example.org'
let tools: OAuthToolServer
let database: TestDatabase
const installations: TestInstallation[] = []
const servers: GatehouseProcess[] = []
let key: GatewayKey

beforeAll(async () => {
  tools = await startOAuthToolServer()
  const source = writeRegistry([
    { slug: 'notes', provider: 'Notes', url: tools.url, auth: 'OAuth/PAT', chains: ['base'] },
  ])
  database = await testDatabase()
  const common = { DATABASE_URL: database.url, GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64') }
  for (const own of [{}, { GATEHOUSE_PUBLIC_URL: publicOrigin }, {}]) {
    const installation = await createTestInstallation({ verifiers: { builtIn: false }, registry: { source } })
    installations.push(installation)
    servers.push(await installation.start({ ...common, ...own }))
  }
  for (const { url } of servers) await untilListed(url, 'mcpservers:notes')
  key = await makeGatewayKey(urlOf(0))
}, 90_000)

afterAll(async () => {
  await Promise.all(installations.map((installation) => installation.remove()))
  await database?.drop()
  await tools?.stop()
})

const urlOf = (place: number): string => servers[place]?.url ?? ''

/** What an agent is told that calls the tool. */
async function echoed(place: number, connectionId: string) {
  const client = await connectClient('v2 2026 http', urlOf(place), { apiKey: key.value })
  try {
    return await client.execute('call_mcp_tool', {
      connection_id: connectionId,
      tool_name: 'echo',
      arguments: { message: 'ping of an agent' },
    })
  } finally {
    await client.close()
  }
}

const connectionSeenBy = (account: SignedInClient, id: string) =>
  account.query(`connections.get?input=${encodeURIComponent(JSON.stringify({ id }))}`)

/** Where a browser that comes back is sent. */
async function comeBack(account: Pick<SignedInClient, 'send'>, back: URL): Promise<string | null> {
  const answer = await account.send(`${back.pathname}${back.search}`, { redirect: 'manual' })
  expect(answer.status).toBe(303)
  return answer.headers.get('location')
}

/** Where its owner is sent to agree. */
async function begin(owner: SignedInClient, id: string): Promise<string> {
  const { data } = await owner.mutate('connections.beginConsent', { id })
  return z.object({ kind: z.literal('away'), redirectTo: z.url() }).parse(data).redirectTo
}

const nobody = (url: string): Pick<SignedInClient, 'send'> => ({
  send: (path, init) => fetch(`${url}${path}`, init),
})

test('an owner agrees in a browser, and an agent calls; nobody else comes in on the way', async () => {
  const { owner } = key
  const made = await owner.mutate('connections.create', { serviceId: 'mcpservers:notes', auth: 'oauth' })
  const { id } = z.object({ id: z.string() }).parse(made.data)

  const before = await echoed(0, id)
  expect(before.isError).toBe(true)
  expect(before.value).toMatchObject({
    error: { code: 'auth_required' },
    connect_url: `${urlOf(0)}/gateway/connect/${id}`,
  })
  expect(JSON.stringify(before.value)).not.toContain(tools.peer.issuer)
  expect((await fetch(`${urlOf(0)}/gateway/connect/${id}`)).status).toBe(200) // the console, which shows nothing by itself

  const stranger = await signInAt(urlOf(0))
  expect(await connectionSeenBy(stranger, id)).toMatchObject({ status: 404, data: undefined })
  expect(await stranger.mutate('connections.beginConsent', { id })).toMatchObject({ status: 404 })

  const back = await tools.peer.browse(await begin(owner, id))
  if (back === null) throw new Error('nobody could agree')
  expect(`${back.origin}${back.pathname}`).toBe(`${urlOf(0)}/oauth/callback`)
  for (const other of [stranger, nobody(urlOf(0)), await signInAt(urlOf(0), owner.wallet)])
    expect(await comeBack(other, back)).toBe('/gateway/connect/-?outcome=expired')
  const declined = new URL(`${urlOf(0)}/oauth/callback?error=access_denied&error_description=evil+words`)
  declined.searchParams.set('state', new URL(await begin(owner, id)).searchParams.get('state') ?? '')
  expect(await comeBack(owner, declined)).toBe(`/gateway/connect/${id}?outcome=declined`)
  expect((await echoed(0, id)).value).toMatchObject({ error: { code: 'auth_required' } })

  expect(await comeBack(owner, back)).toBe(`/gateway/connect/${id}?outcome=connected`)
  expect(await comeBack(owner, back)).toBe('/gateway/connect/-?outcome=expired') // an answer counts once
  for (const place of [0, 1]) {
    const after = await echoed(place, id)
    expect({ said: JSON.stringify(after.content), isError: after.isError }).toEqual({
      said: expect.stringContaining('ping of an agent'),
      isError: false,
    })
  }
  expect(await connectionSeenBy(owner, id)).toMatchObject({
    data: { authType: 'oauth', oauth: { issuerHost: new URL(tools.peer.issuer).host } },
  })
  expect(tools.shown.join()).not.toContain(key.value)

  const saved = await owner.mutate('virtualServers.save', {
    spec: { name: 'notes', members: [{ connection: id }] },
    isNew: true,
  })
  expect(saved.error).toBeUndefined()
  expect(await lackingScope()).toMatchObject({
    error: { code: 'auth_required' },
    console_url: `${urlOf(0)}/gateway/connect/${id}`,
  })

  expect(await owner.mutate('connections.delete', { id })).toMatchObject({ data: { isRevoked: true } })
  expect((await echoed(1, id)).isError).toBe(true)
})

/** What a virtual server answers when its tool server wants more than the owner of the connection has agreed to. */
async function lackingScope() {
  const client = await connectClient('v2 2026 http', urlOf(0), { apiKey: key.value, path: '/mcp/v/notes' })
  try {
    expect(await client.toolNames()).toContain('echo')
    tools.wantScope('notes_write')
    return (await client.call('echo', { message: 'more' })).value
  } finally {
    tools.wantScope(null)
    await client.close()
  }
}

/** An agent whose client opens addresses for the person who uses it. */
async function askableAgent(mode: 'legacy' | 'auto', answer: (url: string) => Promise<'accept' | 'decline'>) {
  const asked: unknown[] = []
  const client = new Client(
    { name: 'agent', version: '1' },
    { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode } },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params)
    return { action: await answer('url' in params ? params.url : '') }
  })
  const headers = { authorization: `Bearer ${key.value}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${urlOf(0)}/mcp`), { requestInit: { headers } }),
  )
  const execute = async (operation: string, args: object) => {
    const result = await client.callTool({ name: 'execute', arguments: { operation, arguments: args } })
    return {
      isError: result.isError === true,
      text: JSON.stringify(result.content),
      value: result.structuredContent,
    }
  }
  return { asked, execute, close: () => client.close() }
}

const Saving = z.object({
  next_actions: z.tuple([z.object({ operation: z.string(), arguments: z.looseObject({}) })], z.unknown()),
})

test.each(['legacy', 'auto'] as const)(
  'an agent is led to a connection, and its person to our page (%s)',
  async (mode) => {
    const { owner } = key
    let isWilling = false
    const agent = await askableAgent(mode, async (url) => {
      const id = url.split('/').at(-1) ?? ''
      expect(url).toBe(`${urlOf(0)}/gateway/connect/${id}`)
      if (!isWilling) return 'decline'
      const back = await tools.peer.browse(await begin(owner, id))
      if (back === null) throw new Error('nobody could agree')
      expect(await comeBack(owner, back)).toContain('outcome=connected')
      return 'accept'
    })
    try {
      const refused = await agent.execute('list_mcp_tools', { service_id: 'mcpservers:notes' })
      const [save] = Saving.parse(refused.value).next_actions
      expect(save).toMatchObject({
        operation: 'create_connection',
        arguments: { credentials: { kind: 'oauth' } },
      })
      const made = await agent.execute(save.operation, save.arguments)
      const { connection_id: id } = z
        .object({ connection_id: z.string(), status: z.literal('consent_needed') })
        .parse(made.value)
      // What it needs first is its owner's consent, and nothing else is promised.
      expect(made.value).toMatchObject({
        next_actions: [{ operation: 'connect_mcp', reason: expect.stringContaining('owner agrees') }],
      })

      const call = { connection_id: id, tool_name: 'echo', arguments: { message: 'ping of an agent' } }
      const declined = await agent.execute('call_mcp_tool', call)
      expect(declined).toMatchObject({
        isError: true,
        value: { error: { code: 'auth_required' }, connection_id: id },
      })
      isWilling = true
      expect(await agent.execute('call_mcp_tool', call)).toMatchObject({
        isError: false,
        text: expect.stringContaining('ping of an agent'),
      })
      expect(agent.asked).toHaveLength(2)
      expect(JSON.stringify(agent.asked)).not.toContain(tools.peer.issuer)

      expect(await agent.execute('connect_mcp', { connection_id: id })).toMatchObject({
        value: { status: 'connected' },
      })
      await owner.mutate('connections.delete', { id })
    } finally {
      await agent.close()
    }
  },
)

/** A call of the tool as a client of protocol 2026-07-28 makes it, without a session. */
async function bareCall(url: string, apiKey: string, connectionId: string): Promise<string> {
  const given = { connection_id: connectionId, tool_name: 'echo', arguments: { message: 'one of many' } }
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'execute',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'execute',
        arguments: { operation: 'call_mcp_tool', arguments: given },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
  return answer.text()
}

test('500 calls at three processes, 90 at once, whose access is over, ask the authorization server once', async () => {
  const { owner } = key
  const made = await owner.mutate('connections.create', { serviceId: 'mcpservers:notes', auth: 'oauth' })
  const { id } = z.object({ id: z.string() }).parse(made.data)
  const back = await tools.peer.browse(await begin(owner, id))
  if (back === null) throw new Error('nobody could agree')
  await comeBack(owner, back)
  await database.database.run(
    (sql) => sql`UPDATE oauth_connections SET expires_at = now() WHERE connection_id = ${id}`,
  )
  const askedFor = () => tools.peer.requests.filter((line) => line === 'POST /oauth/token').length
  const before = askedFor()
  const answers: string[] = []
  let left = 500
  /** An account may have 32 calls under way at one process, so each process is kept at nearly as many. */
  async function keepCalling(place: number): Promise<void> {
    while (left > 0) {
      left -= 1
      answers.push(await bareCall(urlOf(place), key.value, id))
    }
  }
  await Promise.all([0, 1, 2].flatMap((place) => Array.from({ length: 30 }, () => keepCalling(place))))
  expect(answers).toHaveLength(500)
  expect(answers.filter((text) => !text.includes('one of many'))).toEqual([])
  expect(askedFor() - before).toBe(1)
})

test('an installation that others can reach by https says what it is as a client', async () => {
  const client = `${publicOrigin}/oauth/client.json`
  const answer = await fetch(`${urlOf(1)}/oauth/client.json`)
  expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  expect(await answer.json()).toMatchObject({
    client_id: client,
    redirect_uris: [`${publicOrigin}/oauth/callback`],
    token_endpoint_auth_method: 'none',
  })
  expect((await fetch(`${urlOf(0)}/oauth/client.json`)).status).toBe(404)
})
