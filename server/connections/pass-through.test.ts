import { beforeAll, describe, expect, test } from 'bun:test'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { type HostileToolServer, startHostileToolServer } from '../../scripts/world/hostile-tool-server.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import {
  anonymous,
  inBag,
  link,
  nothingOffered,
  passedRequest,
  testAuthor,
  toService,
} from './test-support/connections-under-test.ts'
import { sharedConnections } from './test-support/shared-connections.ts'
import { covers } from '../../tests/support/covers.ts'
import { statelessMeta } from '../gateway/test-support/stateless-call.ts'

const value = 'canary-secret-0123456789'

const subject = sharedConnections({ limits: { callTotalMs: 1_000 } })
const keyed = { authType: 'api_key', credentialKey: 'it' } as const
let hostile: HostileToolServer
let servers = 0

beforeAll(async () => {
  hostile = subject.opened(await startHostileToolServer())
})

async function passedTo(era: 'modern' | 'legacy') {
  const server = await subject.startServer({
    era,
    wants: { header: 'authorization', value: `Bearer ${value}` },
  })
  servers++
  const serviceId = `mcpservers:passed-${servers}`
  const service = subject.registry.put({ serviceId, url: server.url, authType: 'oauth', credentialKey: 'it' })
  const scope = anonymous(`session-${servers}`)
  const offered = inBag('it', value)
  await subject.connections.connect(scope, toService(service), offered, link())
  server.forgetRequests()
  const pass = async (request: Request) =>
    subject.connections.passThrough(scope, `agent::${serviceId}`, offered, await passedRequest(request))
  return { server, scope, pass, id: `agent::${serviceId}` }
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  new Request('http://localhost/mcp/c/x', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
  })

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
}

describe.each(['modern', 'legacy'] as const)('a client of its own, to a server of the %s era', (era) => {
  test('lists and calls as if it spoke to the server itself', async () => {
    const { server, pass } = await passedTo(era)
    const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp/c/x'), {
      fetch: (url, init) => pass(new Request(url, init)),
      requestInit: {
        headers: { authorization: 'Bearer of-the-caller', cookie: 'a=b', 'x-gateway-cred-it': 'c' },
      },
    })
    await client.connect(transport)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('echo')
    const steps: number[] = []
    const result = await client.callTool(
      { name: 'count', arguments: { steps: 3 } },
      { onprogress: ({ progress }) => steps.push(progress) },
    )
    expect(result.content).toEqual([{ type: 'text', text: 'counted to 3' }])
    expect(steps.slice(0, 2)).toEqual([1, 2])
    if (era === 'legacy') {
      const known = transport.sessionId
      expect(known).toBeString()
      expect(server.requests.map(({ headers }) => headers['mcp-session-id'])).not.toContain(known)
      await transport.terminateSession()
    }
    await client.close()
    const sent = JSON.stringify(server.requests)
    expect(sent).toContain(value)
    expect(sent).not.toMatch(/of-the-caller|x-gateway-cred|cookie/)
  })
})

test('what the server says unasked is heard: log messages by their level, and that its tools changed', async () => {
  const { server, pass } = await passedTo('legacy')
  const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'legacy' } })
  const heard: unknown[] = []
  const listChanged = Promise.withResolvers<void>()
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data))
  client.setNotificationHandler('notifications/tools/list_changed', () => listChanged.resolve())
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://localhost/mcp/c/x'), {
      fetch: (url, init) => pass(new Request(url, init)),
    }),
  )
  await waitUntil('its own stream is asked for', () => server.requests.some(({ method }) => method === 'GET'))
  await client.setLoggingLevel('warning')
  await client.callTool({ name: 'talk', arguments: {} })
  await listChanged.promise
  expect(heard).toEqual(['half done'])
  await client.close()
  await waitUntil('nothing is under way', () => subject.connections.counts().underWay === 0)
})

test.each(['legacy', 'modern'] as const)(
  'clients of the %s era that merely listen keep no call out, and have room of their own',
  async (era) => {
    const room = { total: 8, perOrigin: 8 }
    const { connections, registry } = subject.opened(
      subject.another({
        settings: { calls: { ...room, perPrincipal: 1 }, streams: { ...room, perPrincipal: 2 } },
      }),
    )
    const { url } = await subject.startServer({ era })
    const { chain, serviceId } = registry.put({ serviceId: `mcpservers:listened-to-${era}`, url })
    const scope = { accountId: 'acc_team', sessionId: '' }
    const heard: number[] = []
    const clients: Client[] = []
    for (const count of [1, 2, 3]) {
      const client = new Client({ name: 'c', version: '1' }, { versionNegotiation: { mode: 'auto' } })
      clients.push(client)
      await client.connect(
        new StreamableHTTPClientTransport(new URL('http://localhost/mcp/c/x'), {
          async fetch(at, init) {
            const request = await passedRequest(new Request(at, init))
            const id = `public::${chain}::${serviceId}`
            const answer = await connections.passThrough(scope, id, nothingOffered, request)
            const isListening =
              request.method === 'GET' || request.headers.get('mcp-method') === 'subscriptions/listen'
            if (isListening) heard.push(answer.status)
            return answer
          },
        }),
      )
      const listening = era === 'modern' ? client.listen({ toolsListChanged: true }) : Promise.resolve()
      await Promise.allSettled([listening])
      await waitUntil('it has asked for its stream', () => heard.length === count)
    }
    expect(heard).toEqual([200, 200, 503])
    for (const client of clients) {
      const answer = await client.callTool({ name: 'echo', arguments: { message: 'hi' } })
      expect(answer.content).toEqual([{ type: 'text', text: 'hi' }])
      await client.close()
    }
    await waitUntil('nothing is under way', () => connections.counts().underWay === 0)
  },
)

test('a client listens for longer than any call may take', async () => {
  const { pass } = await passedTo('modern')
  const ask = (method: string, params: object, named: Record<string, string> = {}) =>
    pass(
      post(
        { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: statelessMeta } },
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...named },
      ),
    )
  const stream = await ask('subscriptions/listen', { notifications: { toolsListChanged: true } })
  expect(stream.status).toBe(200)
  const late = await ask('tools/call', { name: 'hang', arguments: {} }, { 'mcp-name': 'hang' })
  await late.text().catch(String)
  expect(subject.connections.counts().underWay).toBe(1)
  await stream.body?.cancel()
  await waitUntil('nothing is under way', () => subject.connections.counts().underWay === 0)
})

/** Opens the stream on which a client of a tool server listens to it. */
async function openStream(pass: (request: Request) => Promise<Response>): Promise<Response> {
  const begun = await pass(post(initialize))
  await begun.text()
  const headers = {
    accept: 'text/event-stream',
    'mcp-session-id': begun.headers.get('mcp-session-id') ?? '',
  }
  const stream = await pass(new Request('http://localhost/mcp/c/x', { headers }))
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  return stream
}

/** Saves a connection, and opens the stream of a client of its own there. */
async function listenToSaved(accountId: string) {
  const { url } = await subject.startServer({ era: 'legacy' })
  const service = subject.registry.put({ serviceId: `mcpservers:of-${accountId}`, url, ...keyed })
  const saved = { service, secret: value, headerName: null, label: null }
  const { id } = await subject.connections.create(testAuthor(accountId), saved)
  const pass = async (request: Request) =>
    subject.connections.passThrough(
      { accountId, sessionId: '' },
      id,
      nothingOffered,
      await passedRequest(request),
    )
  return { id, stream: await openStream(pass) }
}

describe('the stream of a saved connection ends when it is deleted', () => {
  test.each([
    ['here', () => subject.connections],
    ['in another process', () => subject.opened(subject.another()).connections],
  ])('%s, and those of other connections stay', async (where, deletedAt) => {
    const accountId = `acc_${where.replaceAll(' ', '_')}`
    const [gone, kept] = [await listenToSaved(accountId), await listenToSaved(`${accountId}_other`)]
    await deletedAt().delete(testAuthor(accountId), gone.id)
    await expect(gone.stream.text()).rejects.toThrow()
    expect(subject.connections.counts().underWay).toBe(1)
    await kept.stream.body?.cancel()
    expect(subject.connections.counts().underWay).toBe(0)
  })
})

test('the stream of a session ends with it', async () => {
  const { scope, pass } = await passedTo('legacy')
  const stream = await openStream(pass)
  subject.connections.endSession(scope.sessionId)
  await expect(stream.text()).rejects.toThrow()
  expect(subject.connections.counts().underWay).toBe(0)
})

test('a session belongs to its scope: with another one it is not found', async () => {
  covers('threat-40')
  const { scope, pass, id } = await passedTo('legacy')
  const opened = await pass(post(initialize))
  const session = opened.headers.get('mcp-session-id') ?? ''
  expect(session).not.toBe('')
  await opened.body?.cancel()
  const next = () =>
    post({ jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': session })
  expect((await pass(next())).status).toBe(202)
  const others = { ...scope, accountId: 'acc_eve' }
  const stolen = await subject.connections.passThrough(
    others,
    id,
    inBag('it', value),
    await passedRequest(next()),
  )
  expect(stolen.status).toBe(404)
  expect((await pass(post(initialize, { 'mcp-session-id': 'guessed' }))).status).toBe(404)
})

test('a refusal of the server does not send the client elsewhere to sign in', async () => {
  const { scope, id } = await passedTo('legacy')
  const refused = await subject.connections.passThrough(
    scope,
    id,
    inBag('it', 'wrong'),
    await passedRequest(post(initialize)),
  )
  expect(refused.status).toBe(403)
  expect(refused.headers.has('www-authenticate')).toBe(false)
  expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_001 } })
})

test.each([
  ['redirect', 502],
  ['hang', 504],
  ['html', 200],
])('%s: the client is told %d, and nothing of the peer that could harm', async (mode, status) => {
  const service = subject.registry.put({ serviceId: `mcpservers:${mode}`, url: hostile.url(mode) })
  const id = `public::${service.chain}::${service.serviceId}`
  const answer = await subject.connections.passThrough(
    anonymous('h'),
    id,
    nothingOffered,
    await passedRequest(post(initialize)),
  )
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).not.toContain('html')
  expect(answer.headers.has('location')).toBe(false)
  await answer.body?.cancel()
  expect(subject.connections.counts().underWay).toBe(0)
})

test('other methods, and servers that speak HTTP with SSE alone, are refused', async () => {
  const { pass } = await passedTo('modern')
  const put = await pass(new Request('http://localhost/', { method: 'PUT' }))
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE'])
  const service = subject.registry.put({
    serviceId: 'mcpservers:sse',
    url: hostile.url('plain'),
    transport: 'sse',
  })
  const id = `public::${service.chain}::${service.serviceId}`
  const answer = await subject.connections.passThrough(
    anonymous('h'),
    id,
    nothingOffered,
    await passedRequest(post(initialize)),
  )
  expect(answer.status).toBe(501)
})
