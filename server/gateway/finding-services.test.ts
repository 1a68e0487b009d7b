import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { noConnections, ownRegistry } from './test-support/gateway-dependencies.ts'
import { startGateway } from './test-support/gateway-under-test.ts'

/** What agents are told that look for services and tool servers in the product's own registry. */

/** What tests look into without a schema of its own. */
type Json = ReturnType<typeof JSON.parse>

let gateway: ReturnType<typeof startGateway>

beforeAll(async () => {
  gateway = startGateway({ registry: await ownRegistry(), connections: noConnections([]) })
})
afterAll(() => gateway.stop())

const protocolVersion = '2026-07-28'
const _meta = {
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientCapabilities': {},
}

async function call(name: string, given: object): Promise<Json> {
  const response = await fetch(`${gateway.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': protocolVersion,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: given, _meta },
    }),
  })
  return ((await response.json()) as Json).result
}

const search = async (given: object): Promise<Json> => (await call('search', given)).structuredContent

const execute = async (operation: string, given: object): Promise<Json> =>
  (await call('execute', { operation, arguments: given })).structuredContent

const ids = (rows: Json[]) => rows.map(({ service_id: id }) => id)

/** Follows the first action that an answer names. */
async function followed({ next_actions: [first] }: Json): Promise<Json> {
  const { tool, operation, arguments: args } = first
  return operation === undefined ? (await call(tool, args)).structuredContent : execute(operation, args)
}

describe('list_mcps with a question', () => {
  test('finds the tool servers that search finds, and says what search says', async () => {
    const question = { query: 'wallet testnet' }
    const found = await search({ ...question, category: 'mcpservers', limit: 20 })
    const listed = await execute('list_mcps', question)
    expect(listed.total).toBeGreaterThan(0)
    expect(listed.note).toBe(found.note)
    expect(ids(found.results)).toEqual(expect.arrayContaining(ids(listed.mcps).slice(0, 3)))
  })

  test('that nothing fits: names the same question where it finds something', async () => {
    const listed = await execute('list_mcps', { query: 'metamask' })
    expect(listed).toMatchObject({ total: 0, note: expect.stringContaining('Nothing fits') })
    expect(listed.next_actions[0].arguments).toEqual({ query: 'metamask' })
    expect((await followed(listed)).total).toBeGreaterThan(0)
  })

  test('beyond its last page: names its first one', async () => {
    const listed = await execute('list_mcps', { query: 'wallet', offset: 99 })
    expect(listed.next_actions[0].arguments).toEqual({ query: 'wallet' })
  })
})

test('list_mcps costs no more than search: a dozen chains of each tool server and their number, in the shorter text', async () => {
  const { content, structuredContent } = await call('execute', { operation: 'list_mcps' })
  const { mcps } = structuredContent
  expect(mcps).toHaveLength(20)
  for (const { chains } of mcps) expect(chains.length).toBeLessThanOrEqual(12)
  const everywhere = mcps.find(({ chain_count: count }: Json) => count > 50)
  expect(everywhere.chains).toHaveLength(12)
  expect(content[0].text.length).toBeLessThan(JSON.stringify(structuredContent).length)
  const found = await call('search', { category: 'mcpservers', limit: 20 })
  expect(content[0].text.length).toBeLessThan(found.content[0].text.length * 1.2)
  const [first] = (await execute('list_mcps', { chain: 'base', limit: 1 })).mcps
  expect(first.chains[0]).toBe('base')
})

describe('a search that nothing fits', () => {
  test('names the same search with less to narrow it down, where that finds something', async () => {
    const empty = await search({ query: 'metamask', category: 'oracles', chain: 'ethereum' })
    expect(empty.total).toBe(0)
    expect(empty.next_actions[0].arguments).toEqual({ query: 'metamask', chain: 'ethereum' })
    expect((await followed(empty)).total).toBeGreaterThan(0)
  })

  test('beyond its last page: names its first one', async () => {
    const { next_actions: actions } = await search({ query: 'metamask', offset: 500 })
    expect(actions[0].arguments).toEqual({ query: 'metamask' })
  })
})
