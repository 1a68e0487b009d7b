import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { noConnections, ownRegistry } from './test-support/gateway-dependencies.ts'
import { startGateway } from './test-support/gateway-under-test.ts'
import { postCall, statelessCall, statelessHeaders } from './test-support/stateless-call.ts'

/** What agents are told that look for services and tool servers in the product's own registry. */

/** What tests look into without a schema of its own. */
type Json = ReturnType<typeof JSON.parse>

let gateway: ReturnType<typeof startGateway>

beforeAll(async () => {
  gateway = startGateway({ registry: await ownRegistry(), connections: noConnections([]) })
})
afterAll(() => gateway.stop())

async function call(name: string, given: object): Promise<Json> {
  const response = await postCall(`${gateway.url}/mcp`, statelessCall(name, given), statelessHeaders(name))
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

describe('a refusal names the same call with what was wrong corrected or left out', () => {
  test.each<[given: object, corrected: object]>([
    [
      { query: 'rpc', chain: 'base', limit: 50 },
      { query: 'rpc', chain: 'base', limit: 20 },
    ],
    [
      { query: 'rpc', limit: 'ten', offset: -1 },
      { query: 'rpc', offset: 0 },
    ],
    [{ query: 'rpc', chain: 'mars', category: 'venus' }, { query: 'rpc' }],
    [
      { category: 'apis', filters: { planType: 'Free', prise: 1 } },
      { category: 'apis', filters: { planType: 'Free' } },
    ],
  ])('search %j', async (given, corrected) => {
    const refused = await search(given)
    expect(refused.error).toBeDefined()
    expect(refused.next_actions[0].arguments).toEqual(corrected)
    expect((await followed(refused)).error).toBeUndefined()
  })

  test('and what no schema sees is not in it', async () => {
    const filters: unknown = JSON.parse('{"planType":"Free","__proto__":"planted"}')
    const refused = await search({ chain: 'mars', filters })
    expect(JSON.stringify(refused)).not.toContain('planted')
    expect(refused.next_actions[0].arguments).toEqual({ filters: { planType: 'Free' } })
  })

  test('list_mcps', async () => {
    const refused = await execute('list_mcps', { query: 'wallet', limit: 500 })
    expect(refused.next_actions[0].arguments).toEqual({ query: 'wallet', limit: 100 })
  })

  test('an operation leads to what it named', async () => {
    const service = { service_id: 'mcpservers:alchemy-mcp' }
    expect((await execute('call_mcp_tool', service)).next_actions[0]).toMatchObject({
      operation: 'list_mcp_tools',
      arguments: service,
    })
    const connection = { connection_id: 'con_x' }
    expect((await execute('call_mcp_tool', connection)).next_actions[0].arguments).toEqual(connection)
    const secret = await execute('call_mcp_tool', { connection_id: 'sk-secret', service_id: 'secret' })
    expect(JSON.stringify(secret)).not.toContain('secret')
  })

  test('an unknown filter lists each filter once', async () => {
    const { error, known } = await search({ filters: { prise: 1 } })
    expect(error.message.length).toBeLessThan(300)
    expect(known).toContain('health')
  })
})

test('arguments that are written as a text of JSON are read', async () => {
  const { structuredContent } = await call('execute', { operation: 'list_mcps', arguments: '{"limit":1}' })
  expect(structuredContent.mcps).toHaveLength(1)
  for (const wrong of ['[1]', '7', '{'])
    expect((await call('execute', { arguments: wrong })).structuredContent.error.code).toBe(
      'invalid_arguments',
    )
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
