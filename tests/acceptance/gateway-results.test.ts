import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as FirstSse } from '@modelcontextprotocol/sdk/client/sse.js'

import { type EverythingServer, startEverything } from '../../scripts/world/everything.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { Json } from '../../scripts/world/mcp-clients.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { type ToolServer, startToolServer } from '../../server/connections/test-support/tool-server.ts'
import { covers } from '../support/covers.ts'
import { makeGatewayKey } from '../support/gateway-keys.ts'

/** What agents see of results, and whether what an answer names next works when it is followed literally. */

let fixture: ToolServer
let everything: EverythingServer
let vault: ToolServer
let locked: ToolServer
let installation: TestInstallation
let server: GatehouseProcess
let apiKey: string

beforeAll(async () => {
  const wants = { header: 'authorization', value: 'Bearer good' }
  ;[fixture, everything, vault, locked] = await Promise.all([
    startToolServer(),
    startEverything('http'),
    startToolServer({ wants }),
    startToolServer({ wants }),
  ])
  const source = writeRegistry([
    { slug: 'fixture', provider: 'Fixture', url: fixture.url, chains: ['base', 'ethereum'] },
    { slug: 'everything', provider: 'Everything', url: everything.url, chains: ['base'] },
    {
      slug: 'vault',
      provider: 'Vault',
      url: vault.url,
      auth: 'API Key',
      credentialKey: 'vault',
      chains: ['base'],
    },
    { slug: 'locked', provider: 'Locked', url: locked.url, chains: ['base'] },
    { slug: 'gone', provider: 'Gone', url: 'http://127.0.0.1:1/mcp', chains: ['base'] },
  ])
  installation = await createTestInstallation({ registry: { source } })
  server = await installation.start()
  await untilListed(server.url, 'mcpservers:fixture')
  apiKey = (await makeGatewayKey(server.url)).value
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await Promise.all([fixture?.stop(), everything?.stop(), vault?.stop(), locked?.stop()])
})

/** Tool servers of this world that cannot be used: one refuses whom the registry calls welcome, one is not there. */
const unusable = /mcpservers:(?:locked|gone)/

interface Caller {
  call(tool: string, args: object): Promise<Json>
  close(): Promise<void>
}

const kinds = ['2026 http', '2025 http', 'v1 sse'] as const
type Kind = (typeof kinds)[number]

async function connect(kind: Kind, headers: Record<string, string> = {}): Promise<Caller> {
  const identity = { name: 'agent', version: '1' }
  const requestInit = { headers }
  if (kind === 'v1 sse') {
    const first = new FirstClient(identity)
    await first.connect(new FirstSse(new URL('/sse', server.url), { requestInit }))
    return {
      call: (name, args) => first.callTool({ name, arguments: { ...args } }),
      close: () => first.close(),
    }
  }
  const mode = kind === '2026 http' ? ({ pin: '2026-07-28' } as const) : 'legacy'
  const client = new Client(identity, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', server.url), { requestInit }))
  return {
    call: (name, args) => client.callTool({ name, arguments: { ...args } }),
    close: () => client.close(),
  }
}

/** Shows what agents show that prefer structured content: nothing of the content where there is any. */
const shownBy = ({ structuredContent, content }: Json): Json => structuredContent ?? content

const toolCall = (service_id: string, tool_name: string, args: object = {}) => ({
  operation: 'call_mcp_tool',
  service_id,
  arguments: { tool_name, arguments: args },
})

describe.each([...kinds])('%s', (kind) => {
  test('a client that shows structured content only reads texts, images and errors of tools', async () => {
    covers('operation-call-mcp-tool', 'gateway-payloads')
    const { call, close } = await connect(kind)
    const shown = async (...args: Parameters<typeof toolCall>) =>
      shownBy(await call('execute', toolCall(...args)))
    expect(await shown('mcpservers:fixture', 'echo', { message: 'hi' })).toEqual([
      { type: 'text', text: 'hi' },
    ])
    expect(await shown('mcpservers:fixture', 'structured')).toEqual({ height: 7 })
    expect(await shown('mcpservers:fixture', 'fail')).toEqual([{ type: 'text', text: 'it broke' }])
    const image = await shown('mcpservers:everything', 'get-tiny-image')
    expect(image.map(({ type }: Json) => type)).toEqual(['text', 'image', 'text'])
    const refused = await call('execute', toolCall('mcpservers:gone', 'echo'))
    expect(refused.isError).toBe(true)
    expect(shownBy(refused).error.message).toContain('mcpservers:gone')
    await close()
  })
})

describe('a tool server that is listed as open, and wants credentials', () => {
  const service_id = 'mcpservers:locked'
  const tools = (more: object = {}) => ({
    operation: 'list_mcp_tools',
    service_id,
    arguments: { names_only: true, ...more },
  })

  test('says so, and takes what is bound under its slug, or sent in the header of its slug', async () => {
    covers('credentials-session-scoped')
    const { call, close } = await connect('2026 http')
    const refused = (await call('execute', tools())).structuredContent
    expect(refused.error.code).toBe('auth_required')
    expect(refused.error.message).toContain('x-gateway-cred-locked')
    const bound = await call('bind_credentials_bag', { credentials_bag: { locked: 'good' } })
    const [next] = bound.structuredContent.next_actions
    expect(next).toMatchObject({ operation: 'connect_mcp', arguments: { service_id } })
    const { structuredContent: connected } = await call('execute', {
      operation: next.operation,
      arguments: next.arguments,
    })
    expect(connected).toMatchObject({ status: 'connected', auth_source: 'session_bag' })
    expect(connected.tool_names).toContain('echo')
    await close()
    const other = await connect('2026 http', { 'x-gateway-cred-locked': 'good' })
    expect((await other.call('execute', tools())).structuredContent.auth_source).toBe('request_header')
    await other.close()
  })

  test('takes the secret of a saved connection', async () => {
    const { call, close } = await connect('2025 http', { authorization: `Bearer ${apiKey}` })
    const credentials = { kind: 'static_secret', secret: 'good' }
    const { structuredContent: made } = await call('execute', {
      operation: 'create_connection',
      arguments: { service_id, credentials },
    })
    const [next] = made.next_actions
    const connected = await call('execute', { operation: next.operation, arguments: next.arguments })
    expect(connected.structuredContent).toMatchObject({
      status: 'connected',
      auth_source: 'saved_connection',
    })
    await close()
  })
})

const run = (caller: Caller, operation: string, args: object): Promise<Json> =>
  caller.call('execute', { operation, arguments: args })

/** Returns what a refusal says, none of whose actions fails or saves one more connection. */
async function refusalOf(caller: Caller, operation: string, args: object): Promise<Json> {
  const { structuredContent: said } = await run(caller, operation, args)
  expect(said.error.code).toBe('auth_required')
  expect(JSON.stringify(said)).not.toContain('create_connection')
  for (const next of said.next_actions) {
    const followed = await run(caller, next.operation, next.arguments)
    expect(followed.isError === true ? { next, ...followed.structuredContent } : null).toBeNull()
  }
  return said
}

describe('a tool server to which the account has a saved connection', () => {
  const service_id = 'mcpservers:vault'
  async function save(caller: Caller, secret: string): Promise<string> {
    const credentials = { kind: 'static_secret', secret }
    const made = await run(caller, 'create_connection', { service_id, credentials })
    return made.structuredContent.connection_id
  }

  test('is called by it: nobody is told to save what is saved already', async () => {
    const { value } = await makeGatewayKey(server.url)
    const caller = await connect('2026 http', { authorization: `Bearer ${value}` })
    const id = await save(caller, 'good')
    for (const [operation, args] of [
      ['connect_mcp', { service_id }],
      ['list_mcp_tools', { service_id }],
      ['call_mcp_tool', { service_id, tool_name: 'echo' }],
    ] as const) {
      const { next_actions: next } = await refusalOf(caller, operation, args)
      expect(next[0]).toMatchObject({ operation: 'connect_mcp', arguments: { connection_id: id } })
    }
    await caller.close()
  })

  test('and whose secret is refused: its owner is shown the page that takes another one', async () => {
    const { value } = await makeGatewayKey(server.url)
    const caller = await connect('2026 http', { authorization: `Bearer ${value}` })
    const id = await save(caller, 'wrong')
    const page = `${server.url}/gateway?tab=connections&create=mcpservers%3Avault`
    for (const operation of ['connect_mcp', 'list_mcp_tools'])
      expect(await refusalOf(caller, operation, { connection_id: id })).toMatchObject({
        connection_id: id,
        connect_url: page,
        error: { message: expect.stringContaining(page) },
      })
    expect((await refusalOf(caller, 'connect_mcp', { service_id })).next_actions[0]).toMatchObject({
      operation: 'get_connection',
      arguments: { connection_id: id },
    })
    await caller.close()
  })
})

/** All values of a structure, as JSON, in their order. */
const leavesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
    ? Object.values(value).flatMap(leavesOf)
    : [JSON.stringify(value)]

test.each<[tool: string, args: object]>([
  ['discover_networks', {}],
  ['discover_categories', { chain: 'base' }],
  ['search', {}],
  ['search', { query: 'tools', limit: 2 }],
  ['search', { query: 'nothing-has-this-word' }],
  ['search', { category: 'apis', chain: 'base' }],
])('%s %j: the text has all that is structured, in its order, and is shorter', async (tool, args) => {
  const { call, close } = await connect('2026 http')
  const { content, structuredContent } = await call(tool, args)
  const [{ text }] = content
  expect(text.length).toBeLessThan(JSON.stringify(structuredContent).length)
  let from = 0
  for (const leaf of leavesOf(structuredContent)) {
    const found = text.indexOf(leaf, from)
    expect({ leaf, isThere: found >= from }).toEqual({ leaf, isThere: true })
    from = found + leaf.length
  }
  await close()
})

test('the list of tools takes a model at most 1,800 tokens', async () => {
  const response = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/list',
      params: {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  })
  const { result } = (await response.json()) as Json
  expect(result.tools.find(({ name }: Json) => name === 'execute').outputSchema).toBeUndefined()
  // Four bytes a token: o200k and cl100k count 4.27 and 4.4 of this list, so that the bound is on the safe side.
  expect(Buffer.byteLength(JSON.stringify(result.tools)) / 4).toBeLessThanOrEqual(1_800)
})

interface Step {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** The answer that named it; null for what an agent begins with. */
  readonly namedBy: string | null
}

const execute = (operation: string, args: object = {}, more: object = {}) => ({
  tool: 'execute',
  args: { operation, arguments: args, ...more },
})

/** What agents begin with: each tool and operation, well and badly asked. */
const beginnings: readonly Pick<Step, 'tool' | 'args'>[] = [
  { tool: 'discover_networks', args: {} },
  { tool: 'discover_categories', args: {} },
  { tool: 'discover_categories', args: { chain: 'mars' } },
  { tool: 'search', args: {} },
  { tool: 'search', args: { limit: 1 } },
  { tool: 'search', args: { query: 'nothing-has-this-word' } },
  { tool: 'search', args: { category: 'mars' } },
  { tool: 'search', args: { filters: { mars: 1 } } },
  { tool: 'search', args: { offset: 9_999 } },
  { tool: 'bind_credentials_bag', args: {} },
  { tool: 'bind_credentials_bag', args: { credentials_bag: { vault: 'good' } } },
  { tool: 'bind_credentials_bag', args: { credentials_bag: 7 } },
  { tool: 'bind_credentials_bag', args: { session: 'gws_never' } },
  { tool: 'execute', args: {} },
  { tool: 'execute', args: { operation: 'fly' } },
  { tool: 'execute', args: { operation: 7 } },
  execute('list_mcps', { limit: 1 }),
  execute('list_mcps', { offset: 99 }),
  execute('list_mcps', { query: 'nothing-has-this-word' }),
  execute('list_mcp_tools', { service_id: 'mcpservers:everything', names_only: true }),
  execute('list_mcp_tools', { service_id: 'mcpservers:everything', query: 'nothing-has-this-word' }),
  execute('list_mcp_tools', { service_id: 'mcpservers:everything', tool_name: 'nothing' }),
  execute('list_mcp_tools', { service_id: 'mcpservers:everything', cursor: '999' }),
  execute('call_mcp_tool', { service_id: 'mcpservers:fixture', tool_name: 'nothing' }),
  execute('bind_mcp_tokens', { tokens: { vault: 'good' } }),
  execute('create_connection', { service_id: 'mcpservers:vault', credentials: { secret: 'good' } }),
  execute('create_connection', { service_id: 'mcpservers:vault' }),
  ...['fixture', 'vault', 'locked', 'gone', 'nothing'].flatMap((slug) =>
    ['get_details', 'open_actions', 'connect_mcp', 'list_connections', 'list_mcp_tools'].map((operation) =>
      execute(operation, {}, { service_id: `mcpservers:${slug}` }),
    ),
  ),
  execute('get_details', { service_id: 'apis:acme-rpc', chain: 'base' }),
  execute('connect_mcp', { service_id: 'apis:acme-rpc' }),
  ...['get_connection', 'delete_connection', 'update_connection_label', 'connect_mcp', 'call_mcp_tool'].map(
    (operation) => execute(operation, { connection_id: 'con_never', label: 'x', tool_name: 'echo' }),
  ),
  ...['get_connection', 'connect_mcp', 'call_mcp_tool', 'list_mcp_tools'].map((operation) =>
    execute(operation),
  ),
]

/** A step without the session, which is another one for each beginning. */
const withoutSession = (step: Pick<Step, 'tool' | 'args'>): string =>
  JSON.stringify([step.tool, step.args], (key, value) => (key === 'session' ? undefined : value))

const stepOf = ({ tool, operation, arguments: args }: Json, namedBy: string): Step => ({
  tool,
  args: tool === 'execute' ? { operation, arguments: args } : args,
  namedBy,
})

/** Follows every action that any answer names, and returns what did not work. */
async function crawl({ call }: Caller): Promise<{ followed: number; broken: string[] }> {
  const seen = new Set<string>()
  const broken: string[] = []
  const steps: Step[] = beginnings.map((step) => ({ ...step, namedBy: null }))
  let followed = 0
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    const what = withoutSession(step)
    if (seen.has(what)) continue
    seen.add(what)
    const { isError = false, structuredContent } = await call(step.tool, step.args)
    if (step.namedBy !== null) followed += 1
    if (step.namedBy !== null && isError && !unusable.test(what))
      broken.push(`${step.namedBy} names ${what}: ${JSON.stringify(structuredContent?.error)}`)
    if (what.includes('call_mcp_tool') && !isError) continue // the tool's own answer
    const actions: Json[] = structuredContent?.next_actions ?? []
    if (actions.length === 0) broken.push(`${what} names nothing`)
    for (const action of actions) steps.push(stepOf(action, what))
  }
  return { followed, broken }
}

test.each<[who: string, kind: Kind, isAccount: boolean]>([
  ['nobody', '2026 http', false],
  ['an account', '2026 http', true],
  ['an account', '2025 http', true],
])(
  '%s over %s: every action that an answer names works when it is followed literally',
  async (_, kind, isAccount) => {
    covers('operation-connect-mcp-answer')
    const caller = await connect(kind, isAccount ? { authorization: `Bearer ${apiKey}` } : {})
    const { followed, broken } = await crawl(caller)
    expect(broken).toEqual([])
    expect(followed).toBeGreaterThan(50)
    await caller.close()
  },
)
