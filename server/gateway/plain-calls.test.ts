import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { noConnections, ownRegistry } from './test-support/gateway-dependencies.ts'
import { startGateway } from './test-support/gateway-under-test.ts'
import { postCall, statelessCall, statelessHeaders, statelessMeta } from './test-support/stateless-call.ts'
import { createFiveTools } from './run-tool.ts'
import { plainCallIn } from './transports/modern-era.ts'

/** Calls that are answered without the SDK, and those that are not. */

const nothing = () => {
  throw new TypeError('nothing is run here')
}
const { find } = createFiveTools(nothing)

let gateway: ReturnType<typeof startGateway>

beforeAll(async () => {
  gateway = startGateway({ registry: await ownRegistry(), connections: noConnections([]) })
})
afterAll(() => gateway.stop())

async function post(body: unknown, headers: Record<string, string>) {
  const response = await postCall(`${gateway.url}/mcp`, body, headers)
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() }
}

/** What only the SDK knows how to answer; it changes nothing of the answer itself. */
const forTheSdk = { 'io.modelcontextprotocol/logLevel': 'error' }

test.each([
  ['discover_networks', {}],
  ['discover_categories', { chain: 'ethereum' }],
  ['search', { query: 'rpc', chain: 'ethereum', limit: 3 }],
  ['search', { query: 'rpc', analytics: { source: 'x' } }],
  ['search', { chain: 'no-such-chain' }],
  ['execute', { operation: 'list_mcps' }],
  ['execute', { operation: 'fly' }],
  ['execute', { operation: 7 }],
  ['execute', { operation: 'list_connections', session: 'gws_unknown' }],
])('%s %j is answered as the SDK would', async (name, given) => {
  const plain = statelessCall(name, given)
  const other = statelessCall(name, given, forTheSdk)
  const headers = statelessHeaders(name)
  expect(plainCallIn(new Headers(headers), plain, find)).not.toBeNull()
  expect(plainCallIn(new Headers(headers), other, find)).toBeNull()
  const answered = await post(plain, headers)
  expect(answered.body.id).toBe('a"1')
  expect(answered).toEqual(await post(other, headers))
})

describe('what is not plain is left to the SDK', () => {
  const plain = statelessCall('search', {})
  const params = (more: object) => ({ ...plain, params: { ...plain.params, ...more } })
  const meta = (more: object) => params({ _meta: { ...statelessMeta, ...more } })
  const headers = statelessHeaders('search')

  test.each<[what: string, body: unknown, headers: Record<string, string>]>([
    ['a batch', [plain], headers],
    ['no object', 'tools/call', headers],
    ['another method', { ...plain, method: 'tools/list' }, headers],
    ['no id', { ...plain, id: undefined }, headers],
    ['an id that is no whole number', { ...plain, id: 1.5 }, headers],
    ['a field that JSON-RPC does not have', { ...plain, more: 1 }, headers],
    ['arguments that are no object', params({ arguments: [] }), headers],
    ['a call that continues another', params({ requestState: 'x' }), headers],
    ['answers to questions', params({ inputResponses: {} }), headers],
    ['an unknown tool', params({ name: 'fly' }), statelessHeaders('fly')],
    ['another name in the header', plain, statelessHeaders('execute')],
    ['another method in the header', plain, { ...headers, 'mcp-method': 'tools/list' }],
    ['another version in the header', plain, { ...headers, 'mcp-protocol-version': '2025-11-25' }],
    [
      'another version in the body',
      meta({ 'io.modelcontextprotocol/protocolVersion': '2027-01-01' }),
      headers,
    ],
    ['no capabilities', meta({ 'io.modelcontextprotocol/clientCapabilities': undefined }), headers],
    ['wrong capabilities', meta({ 'io.modelcontextprotocol/clientCapabilities': { roots: 1 } }), headers],
    ['a client without a version', meta({ 'io.modelcontextprotocol/clientInfo': { name: 't' } }), headers],
    ['progress', meta({ progressToken: 1 }), headers],
  ])('%s', (_, body, sent) => {
    expect(plainCallIn(new Headers(sent), body, find)).toBeNull()
  })

  test('which says what is wrong with it', async () => {
    expect(await post(plain, statelessHeaders('execute'))).toMatchObject({
      status: 400,
      body: { id: 'a"1', error: { code: -32_020 } },
    })
    expect(await post(params({ name: 'fly' }), statelessHeaders('fly'))).toMatchObject({
      body: { error: { code: -32_602 } },
    })
  })

  test('clients that say more of themselves are plain, too', () => {
    const body = meta({
      'io.modelcontextprotocol/clientInfo': { name: 't', title: 'T', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} }, roots: {} },
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    })
    expect(plainCallIn(new Headers(headers), body, find)).toMatchObject({ capabilities: { roots: {} } })
  })
})
