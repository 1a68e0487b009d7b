import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { noConnections, ownRegistry } from './test-support/gateway-dependencies.ts'
import { startGateway } from './test-support/gateway-under-test.ts'
import { covers } from '../../tests/support/covers.ts'

/** What tests look into without a schema of its own. */
type Json = ReturnType<typeof JSON.parse>
type GatewayUnderTest = ReturnType<typeof startGateway>
const ended: string[] = []
let gateway: GatewayUnderTest

beforeAll(async () => {
  gateway = startGateway({ registry: await ownRegistry(), connections: noConnections(ended) })
})
afterAll(() => gateway.stop())

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
}

const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { ...json, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

/** Opens an SSE stream and reads the address to post to. */
async function openStream(headers: Record<string, string> = {}, path = '/sse') {
  const left = new AbortController()
  const response = await fetch(`${gateway.url}${path}`, { headers, signal: left.signal })
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  const endpoint = /data: (\S+)/.exec(new TextDecoder().decode(value))?.[1] ?? ''
  return { response, reader, endpoint, leave: () => left.abort() }
}

const kinds = async () => (await gateway.gateway.allSessions()).sessions.map(({ kind }) => kind)

const statusOf = async (body: string, headers = {}) => (await post('/mcp', body, headers)).status

describe('who may come in', () => {
  test('a stranger at the address of a saved connection is told how to be let in, whether there is one or not', async () => {
    const response = await post('/mcp/c/con_x', initialize)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toContain(
      '/.well-known/oauth-protected-resource/mcp/c/con_x"',
    )
    // What is public needs no account, and what is of a session is found by its handle.
    for (const path of ['/mcp/c/public::base::mcpservers:none', '/mcp/c/agent::mcpservers:none'])
      expect((await post(path, initialize)).status).not.toBe(401)
  })

  test('a wrong key is refused, never taken for none', async () => {
    covers('gateway-authentication')
    for (const path of ['/mcp', '/sse', '/messages?sessionId=x', '/mcp/c/x']) {
      const response = await post(path, initialize, { authorization: 'Bearer nobody' })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain(
        // Messages of the older transport belong to its stream, which is the resource that clients know.
        `/.well-known/oauth-protected-resource${path.startsWith('/messages') ? '/sse' : path}`,
      )
      expect(await response.json()).toMatchObject({ error: { data: { code: 'unauthorized' } } })
    }
    const forCalls = await post('/mcp', initialize, { authorization: 'Bearer gqk_something' })
    expect(forCalls.status).toBe(401)
    expect(await forCalls.text()).toContain('an API key is needed, which begins with gak_')
    const lacking = await post('/mcp', initialize, { authorization: 'Bearer useless' })
    expect(lacking.status).toBe(403)
    expect(await lacking.text()).toContain('Gateway Use')
  })

  test('pages of other sites are refused, by Host and by Origin', async () => {
    covers('threat-42')
    for (const headers of [
      { host: 'evil.example' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { host: 'evil.example', origin: 'http://evil.example' },
    ]) {
      for (const path of ['/mcp', '/sse', '/messages', '/mcp/c/x']) {
        expect((await post(path, initialize, headers)).status).toBe(403)
      }
    }
    expect((await post('/mcp', initialize, { origin: gateway.url })).status).toBe(200)
  })

  test('malformed bodies are refused before anybody reads them', async () => {
    expect(await statusOf('{')).toBe(400)
    expect(await statusOf('['.repeat(100_000))).toBe(400)
    expect(await statusOf('{}', { 'content-type': 'text/plain' })).toBe(415)
    expect(await statusOf(`"${'x'.repeat(4_194_305)}"`)).toBe(413)
    expect((await fetch(`${gateway.url}/mcp`, { method: 'PUT' })).status).toBe(405)
    expect((await fetch(`${gateway.url}/mcpx`)).status).toBe(404)
  })

  test('a slash at the end of an address means nothing', async () => {
    const key = { authorization: 'Bearer owner-1' }
    for (const path of ['/mcp/', '/mcp/account/', '/sse/'])
      expect([path, (await post(path, initialize, key)).status]).toEqual([path, 200])
    for (const [path, bare] of [
      ['/mcp/account/', '/mcp/account'],
      ['/mcp/c/con_x/', '/mcp/c/con_x'],
      ['/mcp/v/mine/', '/mcp/v/mine'],
    ] as const) {
      const challenge = (await post(path, initialize)).headers.get('www-authenticate')
      expect(challenge).toContain(`/.well-known/oauth-protected-resource${bare}"`)
      const metadata = await fetch(`${gateway.url}/.well-known/oauth-protected-resource${path}`)
      expect(await metadata.json()).toMatchObject({ resource: `${gateway.url}${bare}` })
    }
    const { response, endpoint, leave } = await openStream({}, '/sse/')
    expect([response.status, endpoint]).toEqual([200, expect.stringMatching(/^\/messages\?sessionId=/)])
    leave()
  })
})

const open = async (headers: Record<string, string> = {}) => {
  const response = await post('/mcp', initialize, headers)
  await response.text()
  return response.headers.get('mcp-session-id') ?? ''
}

describe('sessions of 2025', () => {
  test('belong to who opened them, and end with DELETE', async () => {
    covers('threat-40')
    const key = { authorization: 'Bearer owner-1' }
    const id = await open(key)
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const session = { 'mcp-session-id': id }
    expect((await post('/mcp', ping, { ...key, ...session })).status).toBe(200)
    expect((await post('/mcp', ping, session)).status).toBe(404)
    expect((await post('/mcp', ping, { ...session, authorization: 'Bearer owner-2' })).status).toBe(404)
    const del = await fetch(`${gateway.url}/mcp`, { method: 'DELETE', headers: { ...key, ...session } })
    expect(del.status).toBe(200)
    expect(ended).toContain(id)
    expect((await post('/mcp', ping, { ...key, ...session })).status).toBe(404)
  })

  test('refuse a request id that is in use', async () => {
    const session = { 'mcp-session-id': await open() }
    const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }
    const both = await post('/mcp', [ping, ping], session)
    expect(both.status).toBe(400)
    expect(await both.text()).toContain('in use')
    expect((await post('/mcp', ping, session)).status).toBe(200)
    expect((await post('/mcp', ping, session)).status).toBe(200)
  })

  test.each([
    ['does not take what answers are', { accept: 'text/plain' }, 406],
    ['speaks an unknown version', { 'mcp-protocol-version': '2020-01-01' }, 400],
  ])('free the id of a request whose client %s', async (_, wrong, status) => {
    const session = { 'mcp-session-id': await open() }
    const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }
    expect((await post('/mcp', ping, { ...session, ...wrong })).status).toBe(status)
    expect((await post('/mcp', ping, session)).status).toBe(200)
  })

  test.each([
    [{}, /params\.protocolVersion: .*params\.capabilities: .*params\.clientInfo: /],
    [{ ...initialize.params, clientInfo: undefined }, /^params\.clientInfo: /],
    [{ ...initialize.params, clientInfo: { name: 'test' } }, /^params\.clientInfo\.version: /],
  ])('begin with what the protocol asks for, case %#', async (params, named) => {
    const refused = await post('/mcp', { ...initialize, id: 'first', params })
    expect(refused.status).toBe(400)
    const error = { code: -32_602, message: expect.stringMatching(named) }
    expect(await refused.json()).toEqual({ jsonrpc: '2.0', id: 'first', error })
  })

  test.each([
    ['logging/setLevel', { level: 'loud' }, 'params.level: expected one of "debug", '],
    ['tools/list', { cursor: 5 }, 'params.cursor: expected '],
    ['tools/call', { name: 7 }, 'params.name: expected '],
  ])('are told what is wrong with the parameters of %s', async (method, params, text) => {
    const session = { 'mcp-session-id': await open() }
    const answer = await (await post('/mcp', { jsonrpc: '2.0', id: 3, method, params }, session)).text()
    expect(answer).toContain('"code":-32602')
    expect(JSON.parse(/\{.*\}/u.exec(answer)?.[0] ?? '').error.message).toStartWith(text)
  })

  test('end when their key is disabled, at once', async () => {
    const key = { authorization: 'Bearer owner-3' }
    const id = await open(key)
    const stream = await openStream(key)
    gateway.disableKey('owner-3')
    await waitUntil('both have ended', async () => ended.includes(id) && !(await kinds()).includes('sse'))
    expect((await stream.reader?.read())?.done).toBe(true)
    expect((await post('/mcp', initialize, key)).status).toBe(401)
  })
})

test.each(['*/*', 'text/html, */*;q=0.8'])(
  'a session of 2025 serves a client that takes anything: accept: %s',
  async (accept) => {
    const begun = await post('/mcp', initialize, { accept })
    expect(begun.status).toBe(200)
    const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect(await (await post('/mcp', ping, { ...session, accept })).text()).toContain('"result":{}')
  },
)

test('an address that is none names all that are, of which clients by OAuth need the one for accounts', async () => {
  expect(await (await post('/mcp/none', initialize)).text()).toContain('at /mcp/account for who')
})

describe('streams of 2024', () => {
  test('that ended are told apart from sessions: a client opens another stream', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const refused = await post('/messages?sessionId=gws_gone', ping)
    expect(refused.status).toBe(404)
    expect(await refused.text()).toContain('open a new stream')
  })

  test('belong to who opened them', async () => {
    covers('threat-40')
    const stream = await openStream({ authorization: 'Bearer owner-4' })
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect((await post(stream.endpoint, ping)).status).toBe(404)
    expect((await post(stream.endpoint, ping, { authorization: 'Bearer owner-5' })).status).toBe(404)
    expect((await post(stream.endpoint, ping, { authorization: 'Bearer owner-4' })).status).toBe(202)
    expect(
      (await post(stream.endpoint, { nonsense: true }, { authorization: 'Bearer owner-4' })).status,
    ).toBe(400)
    stream.leave()
    await waitUntil('it is gone', async () => !(await kinds()).includes('sse'), 100)
  })

  test('a client that leaves is noticed within 100 ms, and 500 of them leave nothing behind', async () => {
    for (let round = 0; round < 25; round++) {
      const streams = await Promise.all(Array.from({ length: 20 }, () => openStream()))
      for (const stream of streams) stream.leave()
      await waitUntil('they are gone', async () => !(await kinds()).includes('sse'), 1_000)
    }
    const last = await openStream()
    const leftAt = performance.now()
    last.leave()
    await waitUntil('it is gone', async () => !(await kinds()).includes('sse'), 1_000)
    expect(performance.now() - leftAt).toBeLessThan(100)
  }, 30_000)
})

const call = async (name: string, args: unknown, headers: Record<string, string> = {}) => {
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args, _meta } }
  const era = { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': name }
  const response = await post('/mcp', body, { ...era, ...headers })
  return (await response.json()) as { result: Json; error?: { code: number } }
}

const list = async (headers = {}) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const era = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }
  return (await post('/mcp', body, { ...era, ...headers })).text()
}

describe('what agents are told', () => {
  test('an unknown tool is -32602; what can be mended is a result that says how', async () => {
    covers('gateway-errors')
    expect((await call('nope', {})).error?.code).toBe(-32_602)
    const cases = [
      ['discover_categories', { chain: 'nowhere' }, 'unknown_chain'],
      ['search', { category: 'nothing' }, 'unknown_category'],
      ['search', { limit: 0 }, 'invalid_arguments'],
      ['search', { limit: 21 }, 'invalid_arguments'],
      ['search', { limit: 'ten' }, 'invalid_arguments'],
      ['execute', { operation: 'destroy' }, 'unknown_operation'],
      ['execute', { operation: 'get_details', service_id: 'apis:nothing-like-this' }, 'unknown_service'],
      ['execute', { operation: 'get_details' }, 'invalid_arguments'],
      [
        'execute',
        { operation: 'get_connection', arguments: { connection_id: 'con_x' } },
        'unknown_connection',
      ],
      ['execute', { operation: 'list_mcps', session: 'gws_x' }, 'unknown_session'],
      ['execute', { operation: 'create_connection', service_id: 'a:b' }, 'api_key_needed'],
    ] as const
    for (const [tool, args, code] of cases) {
      const { result } = await call(tool, args)
      expect(result.isError).toBe(true)
      expect(result.structuredContent.error.code).toBe(code)
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
      expect(Array.isArray(result.structuredContent.next_actions)).toBe(true)
    }
  })

  test('what is sent besides is tolerated, and no secret comes back', async () => {
    covers('gateway-payloads', 'threat-46')
    const analytics = { conversation_id: 'c', user_query: 'q' }
    const networks = await call('discover_networks', { analytics, extra: 1 })
    expect(networks.result.isError).toBeUndefined()
    expect(networks.result.structuredContent.total).toBeGreaterThan(50)
    const secret = 'canary\u0000secret'
    for (const bag of [{ p: secret }, { [secret]: 'x' }, secret, { p: [secret] }]) {
      const refused = await call('bind_credentials_bag', { credentials_bag: bag })
      expect(refused.result.isError).toBe(true)
      expect(JSON.stringify(refused)).not.toContain('canary')
    }
    expect(gateway.lines.join('')).not.toContain('canary')
  })

  test("a session's handle is nothing in the hands of others", async () => {
    covers('credentials-session-scoped', 'threat-40')
    const mine = { authorization: 'Bearer owner-6' }
    const { result } = await call('bind_credentials_bag', { credentials_bag: { p: 'x' } }, mine)
    const { session, next_actions: next } = result.structuredContent
    expect(next[0]).toMatchObject({
      operation: 'list_mcps',
      reason: expect.stringContaining('this name: p.'),
    })
    const again = await call('bind_credentials_bag', { credentials_bag: { q: 'y' }, session }, mine)
    expect(again.result.structuredContent.bound).toEqual(['p', 'q'])
    for (const headers of [{}, { authorization: 'Bearer owner-7' }]) {
      const other = await call('bind_credentials_bag', { session }, headers)
      expect(other.result.structuredContent.error.code).toBe('unknown_session')
    }
  })

  test('which of several services of one id is meant follows the latest search', async () => {
    covers('operation-get-details', 'operation-get-details-default', 'operation-open-actions')
    const { session } = (await call('bind_credentials_bag', {})).result.structuredContent
    const found = await call('search', { category: 'mcpservers', limit: 20 })
    const listed = await call('execute', { operation: 'list_mcps', arguments: { limit: 100 } })
    const server = listed.result.structuredContent.mcps.find(
      ({ chains }: { chains: string[] }) => chains.length > 1,
    )
    expect(found.result.structuredContent.total).toBeGreaterThan(0)
    const { service_id, chains } = server
    const chainOf = async (args: object) =>
      (await call('execute', { service_id, session, ...args })).result.structuredContent.chain
    const whole = (await call('execute', { service_id, session })).result.structuredContent
    expect(whole.chain).toBe([whole.chain, ...whole.other_chains].toSorted()[0])
    await call('search', { chain: chains.at(-1), session })
    expect(await chainOf({})).toBe(chains.at(-1))
    expect(await chainOf({ arguments: { chain: chains[0] } })).toBe(chains[0])
    const details = (await call('execute', { service_id, session })).result.structuredContent
    expect(details).toContainKeys([
      'snapshot',
      'service_id',
      'chain',
      'category',
      'slug',
      'providerMeta',
      'other_chains',
    ])
    const actions = await call('execute', { operation: 'open_actions', service_id, session })
    for (const { url } of actions.result.structuredContent.actions) expect(url).toMatch(/^(https?:|mailto:)/)
  })

  test('the tools are the same for everybody, in the same order', async () => {
    expect(await list({ authorization: 'Bearer owner-8' })).toBe(await list())
  })
})

const walk = async (provider: string) => {
  const response = await post('/mcp', initialize)
  await response.text()
  const session = { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' }
  for (let id = 1; id <= 100; id++) {
    const params = {
      name: 'bind_credentials_bag',
      arguments: { credentials_bag: { [`${provider}${id}`]: 'x' } },
    }
    const answer = await (
      await post('/mcp', { jsonrpc: '2.0', id, method: 'tools/call', params }, session)
    ).text()
    expect(answer).toContain(`"${provider}${id}\\"`.replace('"', '\\"'))
    expect(answer).not.toContain(provider === 'mine' ? 'theirs' : 'mine')
  }
}

test('two clients at once each get their own answers only', async () => {
  covers('threat-41')
  await Promise.all([walk('mine'), walk('theirs')])
})
