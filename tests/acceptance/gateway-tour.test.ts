import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type EverythingServer, startEverything } from '../../scripts/world/everything.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { toolNames } from '../../shared/gateway.ts'
import { commandLineOf } from '../support/command-line.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { type ClientsOnNode, createClientsOnNode } from '../support/mcp-clients-on-node.ts'
import {
  type ClientKind,
  type ClientSettings,
  type TestMcpClient,
  clientKinds,
  connectClient,
} from '../../scripts/world/mcp-clients.ts'
import { type GatewayKey, makeGatewayKey } from '../support/gateway-keys.ts'
import { needsNode } from '../support/needs.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { covers } from '../support/covers.ts'

/** What an agent without a key does: it finds a tool server that wants no credentials, and uses it. */

let http: EverythingServer
let sse: EverythingServer
let installation: TestInstallation
let server: GatehouseProcess
let key: GatewayKey
let onNode: ClientsOnNode

beforeAll(async () => {
  ;[http, sse] = await Promise.all([startEverything('http'), startEverything('sse')])
  const source = writeRegistry([
    { slug: 'everything', provider: 'Everything', url: http.url, chains: ['base', 'ethereum'] },
    { slug: 'old-everything', provider: 'Old', url: sse.url, transport: 'sse', chains: ['base'] },
  ])
  installation = await createTestInstallation({ registry: { source } })
  server = await installation.start()
  await untilListed(server.url, 'mcpservers:everything')
  key = await makeGatewayKey(server.url)
  const spec = { name: 'office', members: [{ service: 'mcpservers:everything', prefix: 'all_' }] }
  await key.owner.mutate('virtualServers.save', { spec, isNew: true })
  if (runtimes.includes('Node')) onNode = await createClientsOnNode()
}, 60_000)

afterAll(async () => {
  onNode?.remove()
  await installation?.remove()
  await Promise.all([http?.stop(), sse?.stop()])
})

type Runtime = 'Bun' | 'Node'
const runtimes: readonly Runtime[] = needsNode() ? ['Bun', 'Node'] : ['Bun']
const ways = runtimes.flatMap((runtime) => clientKinds.map((kind) => ({ runtime, kind })))

const connect = (kind: ClientKind, runtime: Runtime, settings?: ClientSettings): Promise<TestMcpClient> =>
  runtime === 'Node' ? onNode.connect(kind, server.url, settings) : connectClient(kind, server.url, settings)

const withClient = async (
  kind: ClientKind,
  walk: (client: TestMcpClient) => Promise<void>,
  runtime: Runtime = 'Bun',
  settings?: ClientSettings,
) => {
  const client = await connect(kind, runtime, settings)
  try {
    await walk(client)
  } finally {
    await client.close()
  }
}

test('the start says where agents connect', async () => {
  covers('gateway-address')
  await waitUntil('the start is announced', () => server.output().includes('For agents'))
  expect(server.output()).toContain(`${server.url}/mcp`)
  expect(server.output()).toContain(`${server.url}/sse`)
})

describe.each(ways)('$kind on $runtime', ({ kind, runtime }) => {
  test('has the five tools', async () => {
    covers('gateway-five-tools', 'gateway-call-shape')
    await withClient(
      kind,
      async (client) => {
        expect(await client.toolNames()).toEqual([...toolNames])
      },
      runtime,
    )
  })

  test('walks from discovery to a tool of somebody else', async () => {
    covers(
      'sequence-public',
      'sequence-preferred',
      'tool-execute',
      'connection-connect',
      'operation-list-mcps',
      'operation-list-mcp-tools',
    )
    await withClient(
      kind,
      async (client) => {
        const { value: networks } = await client.call('discover_networks')
        expect(networks.networks.map(({ chain }: { chain: string }) => chain)).toContain('base')
        const { value: categories } = await client.call('discover_categories', { chain: 'base' })
        expect(categories.categories.map(({ category }: { category: string }) => category)).toContain(
          'mcpservers',
        )
        const { value: found } = await client.call('search', { chain: 'base', query: 'everything' })
        expect(found.results[0].execute_hint).toMatchObject({ operation: 'connect_mcp' })

        const { value: listed } = await client.execute('list_mcps', { chain: 'base' })
        expect(listed.total).toBe(2)
        for (const slug of ['everything', 'old-everything']) {
          const { value: connected } = await client.execute('connect_mcp', {}, `mcpservers:${slug}`)
          expect(connected).toMatchObject({
            validated: true,
            status: 'connected',
            auth_source: 'none',
            chain: 'base',
          })
          const { value: tools } = await client.execute('list_mcp_tools', {
            connection_id: connected.connection_id,
          })
          expect(tools.tools.map(({ name }: { name: string }) => name)).toContain('echo')
          const { content } = await client.execute('call_mcp_tool', {
            connection_id: connected.connection_id,
            tool_name: 'echo',
            arguments: { message: 'hi' },
          })
          expect(content).toEqual([{ type: 'text', text: 'Echo: hi' }])
        }
      },
      runtime,
    )
  })
})

const oneToolServer = { path: '/mcp/c/public::base::mcpservers:everything', tool: 'echo' }
const virtualServer = { path: '/mcp/v/office', tool: 'all_echo' }
const virtualServerBySse = { ...virtualServer, path: '/mcp/v/office/sse' }

/** The other doors that a client can use: that of one tool server has no SSE, and speaks what the tool server speaks. */
function doorsOf(kind: ClientKind) {
  if (kind === 'v2 2026 at /sse') return []
  if (kind.endsWith('sse')) return [virtualServerBySse]
  return kind === 'v2 2026 http' ? [virtualServer] : [virtualServer, oneToolServer]
}

const narrowDoors = ways.flatMap((way) => doorsOf(way.kind).map((door) => ({ ...way, ...door })))

test.each(narrowDoors)('$kind on $runtime at $path', async ({ kind, runtime, path, tool }) => {
  await withClient(
    kind,
    async (client) => {
      expect(await client.toolNames()).toContain(tool)
      const { content } = await client.call(tool, { message: 'hi' })
      expect(content).toEqual([{ type: 'text', text: 'Echo: hi' }])
    },
    runtime,
    { apiKey: key.value, path },
  )
})

test('the command line lists the sessions of agents', async () => {
  const commands = commandLineOf(installation.dataDir)
  await withClient('v2 sse', async (client) => {
    await client.call('bind_credentials_bag', { credentials_bag: { vault: 'a secret of vault' } })
    const { stdout, exitCode } = await commands.run(['gateway', 'sessions'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/\(anonymous\) +- +SSE +vault +\S.* +connected now/)
    expect(stdout).not.toContain('a secret')
    const listed = await commands.answerOf<{ kind: string }[]>('gateway', 'sessions')
    expect(listed.filter(({ kind }) => kind === 'sse')).toMatchObject([
      { accountId: null, isOpen: true, boundProviders: ['vault'] },
    ])
  })
})
