import { afterAll, afterEach, expect, test } from 'bun:test'

import * as z from 'zod/mini'

import type { ProbeFinding } from './probe.ts'
import { startLoopbackRunner, probeTargetOf } from '../../../tests/support/probing.ts'

const { runner, close } = startLoopbackRunner()
const servers: Bun.Server<undefined>[] = []
afterAll(close)
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)))
})

type Reply = (method: string, request: Request) => Response

const Call = z.object({ method: z.string() })

/** An MCP server as a function; `asked` are the methods that came. */
function startServer(reply: Reply): { url: string; asked: string[] } {
  const asked: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { method } = Call.parse(await request.json())
      asked.push(method)
      return reply(method, request)
    },
  })
  servers.push(server)
  return { url: server.url.href, asked }
}

const initialized = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  serverInfo: { name: 'x', version: '1' },
}
const result = (value: unknown, headers: Record<string, string> = {}) =>
  Response.json({ jsonrpc: '2.0', id: 1, result: value }, { headers })
const refusal = (status: number, code: number) =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message: 'no' } }, { status })

const probe = (url: string, serviceId = 'mcp-service') =>
  runner.probeHead(probeTargetOf('mcp', url, { serviceId }), null)
const good: ProbeFinding = { ok: true, head: null, error: null }

test('an answer may come as an event stream, after other events', async () => {
  const events = [
    'id: 0\ndata:\n\n',
    'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n',
    `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: initialized })}\n\n`,
  ]
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
  const server = startServer(() => new Response(events.join(''), { headers }))
  expect(await probe(server.url)).toMatchObject(good)
})

test('an event stream without an answer is NOT_JSON', async () => {
  const headers = { 'content-type': 'text/event-stream' }
  const server = startServer(() => new Response(': keep-alive\n\n', { headers }))
  expect(await probe(server.url)).toMatchObject({ ok: false, error: 'NOT_JSON' })
})

test('one session is opened and then pinged; when it is gone a new one is opened', async () => {
  let session = 'first'
  const server = startServer((method, request) => {
    if (method === 'initialize') return result(initialized, { 'mcp-session-id': session })
    const isKnown = request.headers.get('mcp-session-id') === session
    const isVersionRight = request.headers.get('mcp-protocol-version') === '2025-06-18'
    return isKnown && isVersionRight ? result({}) : refusal(404, -32001)
  })
  for (let round = 0; round < 3; round++) expect(await probe(server.url)).toMatchObject(good)
  session = 'second'
  for (let round = 0; round < 2; round++) expect(await probe(server.url)).toMatchObject(good)
  expect(server.asked).toEqual(['initialize', 'ping', 'ping', 'ping', 'initialize', 'ping'])
})

test('services that share an address do not share a session', async () => {
  const server = startServer(() => result(initialized, { 'mcp-session-id': crypto.randomUUID() }))
  await probe(server.url, 'one')
  await probe(server.url, 'two')
  expect(server.asked).toEqual(['initialize', 'initialize'])
})

test.each([refusal(404, -32601), refusal(400, -32020), refusal(400, -32022), refusal(200, -32601)])(
  'a server without initialize is asked server/discover, at once from then on',
  async (answer) => {
    const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} }
    const server = startServer((method, request) => {
      if (method !== 'server/discover') return answer.clone()
      const isWellFormed =
        request.headers.get('mcp-method') === method &&
        request.headers.get('mcp-protocol-version') === '2026-07-28'
      return isWellFormed ? result(discovered) : refusal(400, -32020)
    })
    expect(await probe(server.url)).toMatchObject(good)
    expect(await probe(server.url)).toMatchObject(good)
    expect(server.asked).toEqual(['initialize', 'server/discover', 'server/discover'])
  },
)

test('a server that knows neither fails as it did first', async () => {
  const server = startServer((method) =>
    method === 'initialize' ? refusal(401, -32001) : refusal(404, -32601),
  )
  expect(await probe(server.url)).toMatchObject({ ok: false, error: 'HTTP_4XX' })
})

test('a rate limit in an open session is the finding, and keeps the session', async () => {
  let isLimited = false
  const server = startServer((method) => {
    if (method === 'initialize') return result(initialized, { 'mcp-session-id': 's' })
    return isLimited ? new Response('slow down', { status: 429 }) : result({})
  })
  await probe(server.url)
  isLimited = true
  expect(await probe(server.url)).toMatchObject({ ok: false, error: 'RATE_LIMITED' })
  isLimited = false
  expect(await probe(server.url)).toMatchObject(good)
  expect(server.asked).toEqual(['initialize', 'ping', 'ping'])
})

test('an answer without a protocol version is RPC_ERROR', async () => {
  const server = startServer(() => result({ hello: 'world' }))
  expect(await probe(server.url)).toMatchObject({ ok: false, error: 'RPC_ERROR' })
})
