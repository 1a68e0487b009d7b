import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { connectClient } from '../../scripts/world/mcp-clients.ts'
import { untilListed, writeRegistry } from '../../scripts/world/registry-folder.ts'
import {
  type RawToolServer,
  startRawToolServer,
} from '../../server/connections/test-support/raw-tool-server.ts'
import { type GatewayKey, makeGatewayKey } from '../support/gateway-keys.ts'
import { connectVirtualServer, virtualServerClients } from '../support/virtual-server-client.ts'

/** Tool servers that were written by hand, and are a little off: their tools can be used all the same. */

const inputSchema = { type: 'object' }
const text = { type: 'text', text: 'done' }

/** What tools by these names answer; others answer `done`. */
const results: Readonly<Record<string, object>> = {
  height: { content: [text], structuredContent: { height: 7 } },
  nulls: {
    content: [{ ...text, annotations: null, _meta: null }],
    isError: null,
    structuredContent: null,
    _meta: null,
  },
  film: { content: [text, { type: 'video', mimeType: 'video/mp4', data: 'AAAA' }] },
  list: { content: [text], structuredContent: [1] },
  either: { content: [text], structuredContent: { a: 1 } },
  beside: { content: [{ ...text, annotations: { priority: 2 } }], structuredContent: [1] },
}

const height = {
  type: 'object',
  properties: { height: { type: 'number' } },
  required: ['height'],
  additionalProperties: false,
}

const oddTools = [
  { name: 'described', description: null, inputSchema },
  { name: 'annotated', annotations: { readOnlyHint: 'true' }, inputSchema },
  { name: 'titled', title: 5, icons: null, outputSchema: null, _meta: null, inputSchema },
  { name: 'executed', execution: { taskSupport: 'sometimes' }, inputSchema },
  {
    name: 'schemed',
    inputSchema: { $schema: null, type: 'object', properties: { any: true }, required: null },
  },
]

const tools = [
  ...['height', 'denied'].map((name) => ({ name, inputSchema, outputSchema: height })),
  ...['nulls', 'streamed', 'film', 'list', 'paged'].map((name) => ({ name, inputSchema })),
]

const modernTools = [
  { name: 'either', inputSchema, outputSchema: { anyOf: [{ type: 'object' }, { type: 'array' }] } },
  { name: 'list', inputSchema, outputSchema: { type: 'array', items: { type: 'number' } } },
  { name: 'beside', inputSchema },
]

const page = {
  mode: 'url',
  url: 'https://files.example/agree?who=anna',
  message: 'Agree first',
  elicitationId: 'one',
}
const wantsPage = { code: -32_042, message: 'Not without your consent', data: { elicitations: [page] } }

function call(name: string, id: unknown) {
  if (name === 'paged') return Response.json({ jsonrpc: '2.0', id, error: wantsPage })
  if (name !== 'streamed') return results[name] ?? { content: [text] }
  const answer = { jsonrpc: '2.0', id, result: results.nulls }
  const headers = { 'content-type': 'text/event-stream' }
  return new Response(`data: ${JSON.stringify(answer)}\n\n`, { headers })
}

let servers: RawToolServer[] = []
let installation: TestInstallation
let server: GatehouseProcess
let key: GatewayKey

beforeAll(async () => {
  servers = [
    startRawToolServer({ era: 'legacy', tools, call }),
    startRawToolServer({ era: 'legacy', tools: oddTools, call }),
    startRawToolServer({ era: 'modern', tools: modernTools, call }),
  ]
  const slugs = ['results', 'definitions', 'modern']
  const source = writeRegistry(
    slugs.map((slug, place) => ({ slug, provider: slug, url: servers[place]?.url ?? '', chains: ['base'] })),
  )
  installation = await createTestInstallation({ registry: { source }, verifiers: { builtIn: false } })
  server = await installation.start()
  await untilListed(server.url, 'mcpservers:results')
  key = await makeGatewayKey(server.url)
  const members = slugs.map((slug) => ({ service: `mcpservers:${slug}`, prefix: `${slug}_` }))
  const saved = await key.owner.mutate('virtualServers.save', { spec: { name: 'odd', members }, isNew: true })
  expect(saved.error).toBeUndefined()
  const policy = { subject: { level: 'account' }, policy: { deny: ['denied'] } }
  expect((await key.owner.mutate('toolPolicies.save', policy)).error).toBeUndefined()
}, 60_000)

afterAll(async () => {
  await installation?.remove()
  await Promise.all(servers.map((one) => one.stop()))
})

describe.each(virtualServerClients)('by %s, at a virtual server', (kind) => {
  async function called(name: string, capabilities = {}) {
    const agent = await connectVirtualServer(kind, 'odd', server.url, key.value, capabilities)
    try {
      // Clients hold results to the output schemas that they were told of.
      const listed = await agent.listTools()
      return { listed, result: await agent.callTool({ name, arguments: {} }) }
    } finally {
      await agent.close()
    }
  }

  test('tools of all members are listed, however odd one is', async () => {
    const { listed, result } = await called('definitions_described')
    const names = listed.tools.map((tool: { name: string }) => tool.name)
    for (const { name } of [...tools, ...modernTools]) expect(names.join()).toContain(`_${name}`)
    for (const { name } of oddTools) expect(names).toContain(`definitions_${name}`)
    expect(result.content).toEqual([text])
  })

  test('a refusal of a tool with an output schema reaches the model', async () => {
    const { result } = await called('results_denied')
    expect(result.isError).toBe(true)
    const refusal = JSON.parse(result.content[0].text)
    expect(refusal.error).toEqual({
      code: 'not_allowed',
      message: expect.stringContaining('denied by the policy'),
    })
    expect(result._meta['gatehouse/refusal']).toEqual(refusal)
    expect((await called('results_height')).result.structuredContent).toEqual({ height: 7 })
  })

  test('a page that has to be opened first is named to whoever opens no pages by themselves', async () => {
    const { result } = await called('results_paged')
    expect(result.isError).toBe(true)
    const { error, elicitations } = JSON.parse(result.content[0].text)
    expect(error).toEqual({ code: 'downstream_refused', message: expect.stringContaining(page.url) })
    expect(error.message).toContain(wantsPage.message)
    expect(elicitations).toEqual([page])
  })

  test('and comes as it is to whoever does, where the protocol has an error for it', async () => {
    const answered = called('results_paged', { elicitation: { url: {} } })
    if (kind === 'v2 2026 http') expect((await answered).result.content[0].text).toContain(page.url)
    else
      expect(await answered.catch((error: unknown) => error)).toMatchObject({
        code: wantsPage.code,
        message: expect.stringContaining(wantsPage.message),
        data: wantsPage.data,
      })
  })

  test.each([
    'results_nulls',
    'results_streamed',
    'results_film',
    'results_list',
    'modern_either',
    'modern_list',
    'modern_beside',
  ])('the result of %s is no failure', async (name) => {
    const { result } = await called(name)
    expect(result.isError).not.toBe(true)
    expect(result.content[0]).toEqual(text)
  })
})

test.each(['v1 http', 'v2 2025 http', 'v2 2026 http'] as const)(
  'by %s, odd results come through the five tools',
  async (kind) => {
    const agent = await connectClient(kind, server.url, { apiKey: key.value })
    for (const [slug, tool_name] of [
      ['results', 'nulls'],
      ['results', 'streamed'],
      ['results', 'film'],
      ['results', 'list'],
      ['modern', 'beside'],
    ]) {
      const asked = { service_id: `mcpservers:${slug}`, tool_name }
      const answer = await agent.execute('call_mcp_tool', asked)
      expect([tool_name, answer.isError, answer.content[0]]).toEqual([tool_name, false, text])
    }
    const asked = { service_id: 'mcpservers:results', tool_name: 'paged' }
    const { value, content } = await agent.execute('call_mcp_tool', asked)
    expect(value).toMatchObject({
      error: { code: 'downstream_refused', message: expect.stringContaining(page.url) },
      elicitations: [page],
    })
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(value)
    await agent.close()
  },
)
