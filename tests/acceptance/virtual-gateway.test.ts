import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { Json } from '../../scripts/world/mcp-clients.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import { type ToolServer, startToolServer } from '../../server/connections/test-support/tool-server.ts'
import { type GatewayKey, makeGatewayKey } from '../support/gateway-keys.ts'
import {
  type VirtualServerClient,
  type VirtualServerClientKind,
  connectVirtualServer,
} from '../support/virtual-server-client.ts'

/** The gateway's own tools as members of virtual servers: what their answers name next is what their clients have. */

let fixture: ToolServer
let installation: TestInstallation
let server: GatehouseProcess
let key: GatewayKey

const members = {
  prefixed: [{ gateway: true, prefix: 'g_' }],
  renamed: [{ gateway: true, tools: [{ tool: 'execute', rename: 'run' }] }],
  without: [{ gateway: true, prefix: 'g_', tools: [{ tool: 'execute', allow: false }] }],
  searched: [{ gateway: true, prefix: 'g_' }],
  onbase: [
    {
      gateway: true,
      tools: [
        { tool: 'search', arguments: { chain: 'base' } },
        { tool: 'execute', arguments: { operation: 'list_mcp_tools' } },
      ],
    },
  ],
}

beforeAll(async () => {
  fixture = await startToolServer()
  const chains = ['base', 'ethereum']
  const source = writeRegistry([{ slug: 'fixture', provider: 'Fixture', url: fixture.url, chains }])
  installation = await createTestInstallation({ registry: { source } })
  server = await installation.start()
  await untilListed(server.url, 'mcpservers:fixture')
  key = await makeGatewayKey(server.url)
  for (const [name, its] of Object.entries(members)) {
    const mode = name === 'searched' ? 'searchable' : 'all'
    const { error } = await key.owner.mutate('virtualServers.save', {
      spec: { name, mode, members: its },
      isNew: true,
    })
    expect(error).toBeUndefined()
  }
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await fixture?.stop()
})

interface Call {
  readonly name: string
  readonly arguments: Json
}

/** Returns what somebody calls who follows an action as it stands. */
const followed = ({ tool, operation, arguments: given }: Json): Call => ({
  name: tool,
  arguments: operation === undefined ? given : { operation, arguments: given },
})

const signOf = (call: Call): string =>
  JSON.stringify(call, (field, value: unknown) => (field === 'session' ? undefined : value))

/** Follows every action that an answer names, from `beginning` on. Returns the calls that were named, and what failed. */
async function crawl(agent: VirtualServerClient, beginning: Call) {
  const { tools } = await agent.listTools()
  const listed = new Set(tools.map(({ name }: Json) => name))
  const named = new Map<string, Call>()
  const broken: string[] = []
  const open = [beginning]
  for (let call = open.pop(); call !== undefined; call = open.pop()) {
    if (!listed.has(call.name)) {
      broken.push(`there is no tool ${call.name}`)
      continue
    }
    const answer = await agent.callTool({ ...call })
    if (answer.isError === true) broken.push(`${signOf(call)}: ${answer.content[0].text}`)
    const next: Json[] =
      answer.structuredContent?.next_actions ?? answer._meta?.['gatehouse/next_actions'] ?? []
    // Who reads texts only is told the same.
    for (const { tool } of next) expect(answer.content[0].text).toContain(JSON.stringify(tool))
    for (const action of next.map(followed)) {
      if (named.has(signOf(action))) continue
      named.set(signOf(action), action)
      open.push(action)
    }
  }
  return { named: [...named.values()], broken }
}

const toolsIn = (calls: readonly Call[]): string[] => [...new Set(calls.map(({ name }) => name))].toSorted()

async function walk(kind: VirtualServerClientKind, name: string, beginning: Call) {
  const agent = await connectVirtualServer(kind, name, server.url, key.value)
  try {
    return await crawl(agent, beginning)
  } finally {
    await agent.close()
  }
}

describe.each<VirtualServerClientKind>(['v2 2026 http', 'v2 2025 http', 'v1 sse'])('over %s', (kind) => {
  test('next actions name tools by their prefix, and work when they are followed literally', async () => {
    const { named, broken } = await walk(kind, 'prefixed', { name: 'g_discover_networks', arguments: {} })
    expect(broken).toEqual([])
    expect(toolsIn(named)).toEqual(['g_discover_categories', 'g_execute', 'g_search'])
  })

  test('they name a tool by what it was renamed to', async () => {
    const beginning = { name: 'run', arguments: { operation: 'list_mcps' } }
    const { named, broken } = await walk(kind, 'renamed', beginning)
    expect(broken).toEqual([])
    expect(toolsIn(named)).toContain('run')
  })

  test('a tool that is not offered is not named', async () => {
    const { named, broken } = await walk(kind, 'without', { name: 'g_discover_networks', arguments: {} })
    expect(broken).toEqual([])
    expect(toolsIn(named)).toEqual(['g_discover_categories', 'g_search'])
  })

  test('where tools are searched, they are calls of call_tool', async () => {
    const beginning = { name: 'call_tool', arguments: { name: 'g_discover_networks', arguments: {} } }
    const { named, broken } = await walk(kind, 'searched', beginning)
    expect(broken).toEqual([])
    expect(toolsIn(named)).toEqual(['call_tool'])
    expect(new Set(named.map(({ arguments: given }) => given.name))).toEqual(
      new Set(['g_discover_categories', 'g_execute', 'g_search']),
    )
  })

  test('arguments that are fixed are left out, and what they rule out is not named', async () => {
    const beginning = { name: 'search', arguments: { category: 'mcpservers' } }
    const { named, broken } = await walk(kind, 'onbase', beginning)
    expect(broken).toEqual([])
    expect(named.filter(({ name }) => name === 'execute').map(({ arguments: given }) => given)).toEqual([
      { arguments: { service_id: 'mcpservers:fixture', chain: 'base' } },
    ])
    for (const { name, arguments: given } of named)
      if (name === 'search') expect(given).not.toHaveProperty('chain')
  })
})

test('a refusal names what its client has, and a failed tool leads to its definition', async () => {
  const agent = await connectVirtualServer('v2 2026 http', 'prefixed', server.url, key.value)
  const refused = await agent.callTool({ name: 'g_search', arguments: { chain: 'nowhere' } })
  expect([refused.isError, refused.structuredContent.error.code]).toEqual([true, 'unknown_chain'])
  expect(refused.structuredContent.next_actions[0].tool).toStartWith('g_')
  expect(JSON.parse(refused.content[0].text)).toEqual(refused.structuredContent)
  const failed = await agent.callTool({
    name: 'g_execute',
    arguments: {
      operation: 'call_mcp_tool',
      arguments: { service_id: 'mcpservers:fixture', tool_name: 'fail' },
    },
  })
  expect(failed.isError).toBe(true)
  expect(failed.content).toEqual([{ type: 'text', text: 'it broke' }])
  expect(failed._meta['gatehouse/next_actions']).toMatchObject([
    { tool: 'g_execute', operation: 'list_mcp_tools', arguments: { tool_name: 'fail' } },
  ])
  await agent.close()
})
