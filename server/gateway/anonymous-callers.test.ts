import { afterAll, beforeAll, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import {
  type ConnectionsUnderTest,
  connectionsUnderTest,
} from '../connections/test-support/connections-under-test.ts'
import { type ToolServer, startToolServer } from '../connections/test-support/tool-server.ts'
import { nextTurn } from '../platform/turns.ts'
import { gatewaySettings } from './settings.ts'
import { startGateway } from './test-support/gateway-under-test.ts'
import { ownRegistry } from './test-support/gateway-dependencies.ts'

/** Callers without an API key and without a session are told apart by their address (threat 57). */

const perPrincipal = 2
const publicId = (slug: string): string => `public::ethereum::mcpservers:${slug}`

let own: TestDatabase
let connections: ConnectionsUnderTest
let good: ToolServer
let gateway: ReturnType<typeof startGateway>
const held = Promise.withResolvers<void>()
const slow = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch() {
    await held.promise
    return new Response('at last')
  },
})

beforeAll(async () => {
  own = await testDatabase()
  good = await startToolServer()
  connections = connectionsUnderTest({
    database: own.database,
    settings: { calls: { total: 64, perPrincipal, perOrigin: 64 } },
  })
  connections.registry.put({ serviceId: 'mcpservers:good', url: good.url })
  connections.registry.put({ serviceId: 'mcpservers:slow', url: `http://127.0.0.1:${slow.port}/` })
  gateway = startGateway({
    registry: await ownRegistry(),
    connections: connections.connections,
    proxies: ['127.0.0.1/32'],
  })
})

afterAll(async () => {
  held.resolve()
  await gateway?.stop()
  connections?.stop()
  await slow.stop(true)
  await good?.stop()
  await own?.drop()
})

function send(path: string, address: string, call: object, headers: Record<string, string> = {}) {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'x-forwarded-for': address,
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...call }),
  })
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** One request to a tool server, as its own client would send it. */
const pass = (slug: string, address: string, headers?: Record<string, string>) =>
  send(
    `/mcp/c/${encodeURIComponent(publicId(slug))}`,
    address,
    { method: 'tools/list', params: { _meta: meta } },
    { 'mcp-method': 'tools/list', ...headers },
  )

/** The same server's tool by way of `execute`. */
const callTool = (address: string) =>
  send(
    '/mcp',
    address,
    {
      method: 'tools/call',
      params: {
        name: 'execute',
        arguments: {
          operation: 'call_mcp_tool',
          arguments: { connection_id: publicId('good'), tool_name: 'echo', arguments: { message: 'hi' } },
        },
        _meta: meta,
      },
    },
    { 'mcp-method': 'tools/call', 'mcp-name': 'execute' },
  )

test('one address that takes all that is allowed at once leaves others theirs', async () => {
  const waiting = Array.from({ length: perPrincipal }, () => pass('slow', '203.0.113.1'))
  await waitUntil('they are under way', () => connections.connections.counts().underWay === perPrincipal)
  const refused = await pass('good', '203.0.113.1')
  expect(refused.status).toBe(503)
  expect(refused.headers.get('retry-after')).toBe('1')
  // Of the same customer's network.
  const [one, other] = ['2001:db8:1:2::a', '2001:db8:1:2::b']
  const alsoWaiting = [pass('slow', one), pass('slow', other)]
  await waitUntil('these, too', () => connections.connections.counts().underWay === 2 * perPrincipal)
  expect((await pass('good', '2001:db8:1:2::c')).status).toBe(503)
  expect((await pass('good', '203.0.113.2')).status).toBe(200)
  expect((await pass('good', '2001:db8:1:3::a')).status).toBe(200)
  held.resolve()
  await Promise.all([...waiting, ...alsoWaiting].map(async (answer) => (await answer).text()))
  expect((await pass('good', '203.0.113.1')).status).toBe(200)
})

test('callers behind a proxy of this machine have sessions of their own, and leave those with a key their half', async () => {
  const narrow = startGateway({
    registry: await ownRegistry(),
    connections: connections.connections,
    proxies: ['127.0.0.1/32'],
    settings: { ...gatewaySettings, sessions: 8, sessionsOfOne: 2 },
  })
  const open = (address: string, headers: Record<string, string> = {}) =>
    fetch(`${narrow.url}/sse`, {
      headers: { accept: 'text/event-stream', 'x-forwarded-for': address, ...headers },
    })
  const openOnes: Response[] = []
  try {
    for (const address of ['203.0.113.1', '203.0.113.1', '203.0.113.2', '203.0.113.3']) {
      const answer = await open(address)
      expect(answer.status).toBe(200)
      openOnes.push(answer)
    }
    expect((await open('203.0.113.1')).status).toBe(429)
    expect((await open('203.0.113.4')).status).toBe(503)
    const withKey = await open('203.0.113.4', { authorization: 'Bearer owner-1' })
    expect(withKey.status).toBe(200)
    openOnes.push(withKey)
  } finally {
    await Promise.all(openOnes.map((answer) => answer.body?.cancel()))
    await narrow.stop()
  }
})

test('a body without a length, sent to a tool server, is not read beyond what any body may have', async () => {
  const piece = new Uint8Array(1 << 20).fill(0x20)
  let pieces = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (pieces >= 64) return controller.close()
      pieces++
      controller.enqueue(piece)
      // Its sender goes on once it was looked at.
      await nextTurn()
    },
  })
  const url = `${gateway.url}/mcp/c/${encodeURIComponent(publicId('good'))}`
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.20' }
  const asked = good.requests.length
  const refused = await fetch(url, { method: 'POST', headers, body })
  expect(refused.status).toBe(413)
  expect(pieces).toBeLessThan(32)
  expect(good.requests).toHaveLength(asked)
})

test('an address without a key reaches tool servers 300 times a minute, by whichever way', async () => {
  const address = '203.0.113.9'
  const allowed = gatewaySettings.anonymousDownstreamCallsPerMinute
  expect(allowed).toBe(300)
  expect(await (await callTool(address)).text()).toContain('"text":"hi"')
  for (let count = 1; count < allowed; count++) {
    const answer = await pass('good', address)
    await answer.text()
    expect(answer.status).toBe(200)
  }
  const asked = good.requests.length
  const refused = await pass('good', address)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 70) // counted by slots of some seconds
  expect(await refused.json()).toMatchObject({ error: { data: { code: 'rate_limited' } } })
  const { result } = await (await callTool(address)).json()
  expect(result).toMatchObject({ isError: true })
  expect(JSON.stringify(result)).toMatch(/rate_limited.*retry_after_seconds/)
  expect(good.requests).toHaveLength(asked)

  expect((await pass('good', '203.0.113.10')).status).toBe(200)
  const withKey = await pass('good', address, { authorization: 'Bearer owner-1' })
  expect(withKey.status).toBe(200)
})
