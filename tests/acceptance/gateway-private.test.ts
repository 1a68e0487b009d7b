import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type ToolServer, startToolServer } from '../../server/connections/test-support/tool-server.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { type GatewayKey, makeGatewayKey } from '../support/gateway-keys.ts'
import {
  type ClientKind,
  type ClientSettings,
  type TestMcpClient,
  connectClient,
} from '../../scripts/world/mcp-clients.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { covers } from '../support/covers.ts'

/** Tool servers that want credentials, by each of the ways in which they can be brought. */

const secret = 'canary-secret-of-the-vault'
const service = 'mcpservers:vault'

let vault: ToolServer
let other: ToolServer
let installation: TestInstallation
let server: GatehouseProcess
let key: GatewayKey

beforeAll(async () => {
  vault = await startToolServer({ wants: { header: 'authorization', value: `Bearer ${secret}` } })
  other = await startToolServer()
  const source = writeRegistry([
    {
      slug: 'vault',
      provider: 'Vault',
      url: vault.url,
      auth: 'API Key',
      credentialKey: 'vault',
      chains: ['base'],
    },
    { slug: 'other', provider: 'Other', url: other.url, chains: ['base'] },
  ])
  installation = await createTestInstallation({ registry: { source } })
  server = await installation.start()
  await untilListed(server.url, service)
  key = await makeGatewayKey(server.url)
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await Promise.all([vault?.stop(), other?.stop()])
})

async function withClient<T>(
  walk: (client: TestMcpClient) => Promise<T>,
  kind: ClientKind = 'v1 sse',
  settings: ClientSettings = {},
): Promise<T> {
  const client = await connectClient(kind, server.url, settings)
  try {
    return await walk(client)
  } finally {
    await client.close()
  }
}

/** connect_mcp, list_mcp_tools, call_mcp_tool; returns where the credentials came from. */
async function use(
  client: TestMcpClient,
  named: { service?: string; connection?: string } = {},
): Promise<string> {
  const args = named.connection === undefined ? {} : { connection_id: named.connection }
  const connected = await client.execute('connect_mcp', args, named.connection ? undefined : service)
  expect(connected.value).toMatchObject({ validated: true, status: 'connected', service_id: service })
  expect(connected.value).toContainKeys([
    'connection_id',
    'available_connection_ids',
    'auth_source',
    'next_actions',
  ])
  const { connection_id } = connected.value
  const tools = await client.execute('list_mcp_tools', { connection_id })
  expect(tools.value.tools.map(({ name }: { name: string }) => name)).toContain('echo')
  const said = await client.execute('call_mcp_tool', {
    connection_id,
    tool_name: 'echo',
    arguments: { message: 'hi' },
  })
  expect(said.content).toEqual([{ type: 'text', text: 'hi' }])
  return connected.value.auth_source
}

describe.each(['v1 sse', 'v2 2025 http', 'v2 2026 http'] as const)('%s', (kind) => {
  test('without credentials it says what to bring', async () => {
    covers('gateway-errors')
    await withClient(async (client) => {
      const refused = await client.execute('connect_mcp', {}, service)
      expect(refused.isError).toBe(true)
      expect(refused.value.error.code).toBe('auth_required')
      expect(refused.value.error.message).toContain('x-gateway-cred-vault')
      expect(refused.value.next_actions[0].tool).toBe('bind_credentials_bag')
    }, kind)
  })

  test('a bag', async () => {
    covers(
      'sequence-private-bag',
      'operation-connect-mcp-answer',
      'tool-bind-credentials-bag',
      'tool-bind-credentials-bag-explicit',
      'credentials-by-bag',
    )
    await withClient(async (client) => {
      const bound = await client.call('bind_credentials_bag', { credentials_bag: { Vault: secret } })
      expect(bound.value).toMatchObject({ bound: ['vault'], source: 'arguments' })
      expect(JSON.stringify(bound)).not.toContain(secret)
      expect(await use(client)).toBe('session_bag')
    }, kind)
  })

  test('headers', async () => {
    covers('sequence-private-headers', 'credentials-by-header')
    const source = await withClient((client) => use(client), kind, {
      headers: { 'x-gateway-cred-vault': secret },
    })
    expect(source).toBe('request_header')
  })

  test('bound tokens', async () => {
    covers('operation-bind-mcp-tokens', 'bind-mcp-tokens-compatibility', 'credentials-by-token')
    await withClient(async (client) => {
      const bound = await client.execute('bind_mcp_tokens', { tokens: { vault: secret } })
      expect(bound.value.bound).toEqual(['vault'])
      expect(await use(client)).toBe('bound_token')
    }, kind)
  })
})

test('the headers of a request can be bound to the session', async () => {
  covers('tool-bind-credentials-bag-headers')
  await withClient(
    async (client) => {
      const bound = await client.call('bind_credentials_bag')
      expect(bound.value).toMatchObject({ bound: ['vault'], source: 'headers' })
      expect(await use(client)).toBe('session_bag')
    },
    'v1 http',
    { headers: { 'x-gateway-cred-vault': secret } },
  )
})

test('what one session has bound no other session has', async () => {
  covers('credentials-session-scoped')
  await withClient(async (first) => {
    await first.call('bind_credentials_bag', { credentials_bag: { vault: secret } })
    await use(first)
    await withClient(async (second) => {
      expect((await second.execute('connect_mcp', {}, service)).value.error.code).toBe('auth_required')
    })
  })
})

test('a saved connection outlives a restart', async () => {
  covers(
    'sequence-saved',
    'operation-create-connection',
    'operation-connect-mcp-saved',
    'credentials-by-saved-connection',
    'connection-v1-flow',
  )
  const owner = { apiKey: key.value }
  const made = await withClient(
    (client) =>
      client.execute(
        'create_connection',
        { credentials: { kind: 'static_secret', secret }, label: 'Vault' },
        service,
      ),
    'v1 sse',
    owner,
  )
  expect(made.value).toMatchObject({ kind: 'saved', service_id: service, label: 'Vault' })
  expect(JSON.stringify(made)).not.toContain(secret)
  const connection: string = made.value.connection_id

  await server.stop()
  server = await installation.start()
  await untilListed(server.url, service)
  for (const kind of ['v1 sse', 'v2 2026 http'] as const) {
    expect(await withClient((client) => use(client, { connection }), kind, owner)).toBe('saved_connection')
  }
}, 60_000)

test('connections of every kind are listed, with what is known of them', async () => {
  covers(
    'connection-id',
    'connection-session-id',
    'connection-attributes',
    'connection-kind-session',
    'connection-fields',
  )
  await withClient(
    async (client) => {
      const saved = await client.execute(
        'create_connection',
        { credentials: { secret }, label: 'Mine' },
        service,
      )
      await client.call('bind_credentials_bag', { credentials_bag: { vault: secret } })
      await client.execute('connect_mcp', {}, service)
      const { value } = await client.execute('list_connections', {}, service)
      const session = value.connections.find(({ kind }: { kind: string }) => kind === 'session')
      expect(session).toMatchObject({
        connection_id: `agent::${service}`,
        auth_source: 'session_bag',
        service_id: service,
      })
      expect(value.connections).toContainEqual(
        expect.objectContaining({ connection_id: saved.value.connection_id, kind: 'saved', label: 'Mine' }),
      )
      expect(session).toContainKeys([
        'chain',
        'mcpEndpoint',
        'transportType',
        'authType',
        'status',
        'created_at',
        'last_used_at',
      ])
      expect(JSON.stringify(value)).not.toContain(secret)
      const { value: open } = await client.execute('list_connections', {}, 'mcpservers:other')
      expect(open.connections.map(({ kind }: { kind: string }) => kind)).toContain('public')
      await client.execute('delete_connection', { connection_id: saved.value.connection_id })
    },
    'v1 http',
    { apiKey: key.value },
  )
})

test('it can be read, given another label and deleted', async () => {
  covers(
    'operation-get-connection',
    'operation-update-connection-label',
    'operation-delete-connection',
    'connection-relabel',
    'connection-delete',
  )
  await withClient(
    async (client) => {
      const { value: made } = await client.execute('create_connection', { credentials: { secret } }, service)
      const { connection_id } = made
      const relabelled = await client.execute('update_connection_label', { connection_id, label: 'Mine' })
      expect(relabelled.value.label).toBe('Mine')
      expect((await client.execute('get_connection', { connection_id })).value.label).toBe('Mine')
      expect(
        (await client.execute('update_connection_label', { connection_id, label: null })).value.label,
      ).toBeNull()
      const { value: list } = await client.execute('list_connections')
      expect(list.connections.map((one: { connection_id: string }) => one.connection_id)).toContain(
        connection_id,
      )
      expect((await client.execute('delete_connection', { connection_id })).value.deleted).toBe(true)
      expect((await client.execute('get_connection', { connection_id })).value.error.code).toBe(
        'unknown_connection',
      )
    },
    'v2 2026 http',
    { apiKey: key.value },
  )
})

const create = (client: TestMcpClient) =>
  client.execute('create_connection', { credentials: { secret } }, service)

test('of somebody else it is as if it did not exist, and without a key there is none', async () => {
  covers('connections-owner-scoped', 'threat-38')
  const made = await withClient(create, 'v1 http', { apiKey: key.value })
  const { connection_id } = made.value
  const stranger = await makeGatewayKey(server.url)
  await withClient(
    async (client) => {
      for (const operation of ['get_connection', 'delete_connection', 'connect_mcp', 'list_mcp_tools']) {
        expect((await client.execute(operation, { connection_id })).value.error.code).toBe(
          'unknown_connection',
        )
      }
      const relabel = await client.execute('update_connection_label', { connection_id, label: 'mine' })
      expect(relabel.value.error.code).toBe('unknown_connection')
    },
    'v1 http',
    { apiKey: stranger.value },
  )
  await withClient(async (client) => {
    expect((await create(client)).value.error.code).toBe('api_key_needed')
    expect((await client.execute('list_mcp_tools', { connection_id })).value.error.code).toBe(
      'unknown_connection',
    )
  })
  const kept = await withClient((client) => client.execute('get_connection', { connection_id }), 'v1 http', {
    apiKey: key.value,
  })
  expect(kept.value.connection_id).toBe(connection_id)
})

test("no downstream sees the caller's key, nor another provider's secret, and no log has any", async () => {
  covers('threat-43', 'threat-44', 'threat-45')
  await withClient(
    async (client) => {
      const { value } = await client.execute('connect_mcp', {}, 'mcpservers:other')
      await client.execute('call_mcp_tool', {
        connection_id: value.connection_id,
        tool_name: 'echo',
        arguments: { message: 'x' },
      })
    },
    'v2 2025 http',
    { apiKey: key.value, headers: { 'x-gateway-cred-vault': secret, cookie: 'a=b' } },
  )
  expect(other.requests.length).toBeGreaterThan(0)
  const seen = JSON.stringify(other.requests)
  expect(seen).not.toContain(key.value)
  expect(seen).not.toContain(secret)
  for (const { headers } of other.requests) {
    expect(Object.keys(headers).filter((name) => /authorization|cookie|x-gateway/.test(name))).toEqual([])
  }
  for (const canary of [secret, key.value]) expect(server.output()).not.toContain(canary)
})
