import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { rawExchange, rawRequest } from '../support/raw-exchange.ts'
import { covers } from '../support/covers.ts'

/**
 * Threats 9, 20 to 24 and 48 of the design, against the whole server. Two Hosts, lengths and chunks together, limits of
 * head, URL and body stand in http-server.test.ts; depth 65, bombs and prototypes in http-errors.test.ts; forwarded
 * addresses in caller.test.ts and http-edge.test.ts; signed bodies in health-refused-reports.test.ts.
 */

let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  installation = await createTestInstallation({
    services: [
      { id: 'site', name: 'Site', family: 'http', provider: 'acme', endpoint: 'http://127.0.0.1:1/' },
    ],
  })
  server = await installation.start()
}, 60_000)
afterAll(() => installation?.remove())

const send = (bytes: string | Uint8Array) => rawExchange(installation.port, bytes)
const statuses = (answer: string): number[] =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))

async function scrape(): Promise<string> {
  const token = await Bun.file(join(installation.dataDir, 'private', 'metrics-token')).text()
  const response = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${token.trim()}` },
  })
  expect(response.status).toBe(200)
  return response.text()
}
const residentBytes = async () => Number(/^process_resident_memory_bytes (\d+)/m.exec(await scrape())?.[1])

describe('requests that are to be read in two ways', () => {
  covers('threat-20')
  const head = [
    'POST /v1/verifiers/enroll HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Connection: close',
  ]
  const chunked = (...lines: string[]) => rawRequest([...head, ...lines], '0\r\n\r\n')
  const cases: [title: string, bytes: string, status: number][] = [
    ['an unknown transfer encoding', chunked('Transfer-Encoding: xchunked'), 400],
    ['a transfer encoding that is not the last', chunked('Transfer-Encoding: chunked, identity'), 400],
    ['two transfer encodings', chunked('Transfer-Encoding: chunked', 'Transfer-Encoding: identity'), 400],
    ['a space before the colon', chunked('Transfer-Encoding : chunked'), 400],
    ['a folded header', chunked('X-Folded: a', ' Transfer-Encoding: chunked'), 400],
    ['a length with a sign', rawRequest([...head, 'Content-Length: +2'], '{}'), 400],
    ['a length in hex', rawRequest([...head, 'Content-Length: 0x2'], '{}'), 400],
    ['a list of lengths', rawRequest([...head, 'Content-Length: 2, 2'], '{}'), 400],
    ['a chunk size that is none', rawRequest([...head, 'Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'), 400],
    ['a chunk size beyond all bounds', rawRequest([...head, 'Transfer-Encoding: chunked'], `${'f'.repeat(20)}\r\n{}`), 400],
    ['a NUL in a header', rawRequest(['GET /healthz HTTP/1.1', 'Host: localhost', 'X-A: a\0b']), 400],
    ['a bare CR in a header', rawRequest(['GET /healthz HTTP/1.1', 'Host: localhost', 'X-A: a\rX-B: b', 'Connection: close']), 400],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['bare line feeds', 'GET /healthz HTTP/1.1\nHost: a\n\n', 505],
    ['HTTP/0.9', 'GET /healthz\r\n\r\n', 505],
  ] // prettier-ignore
  test.each(cases)('%s: refused, and the connection ends', async (_, bytes, status) => {
    const second = rawRequest(['GET /readyz HTTP/1.1', 'Host: smuggled', 'Connection: close'])
    expect(statuses(await send(bytes + second))).toEqual([status])
  })

  test('a body that nobody reads is not taken for the next request', async () => {
    const hidden = rawRequest(['GET /metrics HTTP/1.1', 'Host: smuggled'])
    const next = rawRequest(['GET /healthz HTTP/1.1', 'Host: localhost', 'Connection: close'])
    for (const [path, status] of [
      ['/healthz', 405],
      ['/nothing', 404],
      ['/health/site', 405],
    ] as const) {
      const plain = rawRequest(
        [`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Length: ${hidden.length}`],
        hidden,
      )
      const inChunks = rawRequest(
        [`POST ${path} HTTP/1.1`, 'Host: localhost', 'Transfer-Encoding: chunked'],
        `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
      )
      // Bun may also end the connection after a body that nobody read.
      for (const first of [plain, inChunks]) {
        expect(statuses(await send(first + next)).join()).toBeOneOf([`${status}`, `${status},200`])
      }
    }
  })
})

test('only a trusted proxy chooses the id of a request', async () => {
  covers('threat-9')
  const response = await fetch(`${server.url}/healthz`, {
    headers: {
      'x-request-id': 'chosen-by-client',
      'x-forwarded-for': '127.0.0.1',
      forwarded: 'for=127.0.0.1',
    },
  })
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
})

describe('clients that are slow on purpose', () => {
  covers('threat-21')
  const sockets: Socket[] = []
  afterAll(() => sockets.forEach((socket) => socket.destroy()))

  function drip(first: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const socket = connect(installation.port, '127.0.0.1', () => socket.write(first))
    sockets.push(socket)
    const timer = setInterval(() => socket.write('a'), 500)
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      resolve()
    })
    return promise
  }

  test('are cut off although bytes keep coming, and nobody waits for them', async () => {
    const body = rawRequest(['POST /v1/verifiers/enroll HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'Content-Length: 9999']) // prettier-ignore
    const slow = Array.from({ length: 120 }, (_, index) =>
      drip(index % 2 === 0 ? 'GET /healthz HTTP/1.1\r\nX-A: ' : body),
    )
    const ending = Promise.all(slow).then(() => 'all ended')
    const givesUpAt = performance.now() + 16_000
    const untilNextAsk = () => Promise.race([ending, Bun.sleep(100).then(() => 'not yet')])
    while ((await untilNextAsk()) === 'not yet' && performance.now() < givesUpAt) {
      const askedAt = performance.now()
      expect((await fetch(`${server.url}/health/site`)).status).toBe(200)
      expect(performance.now() - askedAt).toBeLessThan(500)
    }
    expect(await untilNextAsk()).toBe('all ended')
  }, 20_000)
})

const enroll = (body: string) =>
  fetch(`${server.url}/v1/verifiers/enroll`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })

/** Writes as many chunks as the server takes. */
function pour(head: string, chunk: string, times: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect(installation.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.on('close', () => resolve())
  socket.setTimeout(3_000, () => socket.destroy())
  let left = times
  const more = () => {
    while (left-- > 0) if (!socket.write(chunk)) return
    socket.destroy()
  }
  socket.on('drain', more)
  socket.write(head)
  more()
  return promise
}

describe('bodies that are too much', () => {
  covers('threat-22', 'threat-23', 'threat-24')
  test.each(['[', '{"a":'])('256 KB of %s are refused in a moment', async (part) => {
    const body = part.repeat(Math.floor(262_144 / part.length))
    const startedAt = performance.now()
    const response = await enroll(body)
    expect(performance.now() - startedAt).toBeLessThan(100)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('JSON must not nest deeper than 64 levels')
  })

  test('a body for an address that takes none is not collected', async () => {
    const before = await residentBytes()
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    await Promise.all(
      ['/healthz', '/nothing', '/v1/verifiers/me/reports', '/v1/verifiers/enroll'].map(
        (path) =>
        pour(rawRequest([`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', 'Transfer-Encoding: chunked']), chunk, 3_000), // prettier-ignore
      ),
    )
    expect((await residentBytes()) - before).toBeLessThan(80_000_000)
  }, 30_000)

  test('bombs that nobody has signed cost no memory', async () => {
    const zeros = new Uint8Array(64 * 1_048_576)
    const bombs = [['gzip', gzipSync(zeros)] as const, ['zstd', zstdCompressSync(zeros)] as const]
    const before = await residentBytes()
    for (let round = 0; round < 10; round++) {
      for (const [encoding, body] of bombs) {
        const headers = { 'content-encoding': encoding, 'verifier-id': 'ver_0', 'verifier-signature': 'v1,x' }
        const response = await fetch(`${server.url}/v1/verifiers/me/reports`, {
          method: 'POST',
          headers,
          body,
        })
        expect(response.status).toBe(413)
      }
    }
    expect((await residentBytes()) - before).toBeLessThan(60_000_000)
  })
})

const batchOf = (calls: number) =>
  fetch(`${server.url}/trpc/${Array(calls).fill('accounts.me').join(',')}?batch=1&input=%7B%7D`)

test('more than 20 calls in one batch of the console’s API are refused', async () => {
  covers('threat-25')
  expect(await (await batchOf(20)).json()).toHaveLength(20)
  const refused = await batchOf(21)
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('a batch at most 20 calls')
})

/** Closed sets all of them, by the code or by the file. */
const labelNames = new Set(['backend', 'bun', 'chain', 'decision', 'from', 'kind', 'le', 'major', 'method', 'minor', 'outcome', 'patch', 'quantile', 'result', 'route', 'space', 'state', 'status_class', 'to', 'type', 'version']) // prettier-ignore

async function askAll(round: number): Promise<void> {
  for (let from = 0; from < 10_000; from += 100) {
    const ids = Array.from({ length: 100 }, (_, index) => `canary-${round}-${from + index}`)
    await Promise.all(ids.map((id, index) => fetch(`${server.url}/${index % 4 === 0 ? 'badge' : 'health'}/${id}${index % 4 === 0 ? '.svg' : ''}`).then((response) => response.text()))) // prettier-ignore
  }
}

test('10,000 ids that nobody registered leave no trace in metrics or memory', async () => {
  covers('threat-48')
  await askAll(0)
  const [seriesBefore, bytesBefore] = [countSeries(await scrape()), await residentBytes()]
  // Garbage comes and goes; what is kept of ids would be there after each round, and more after the last.
  const grown: number[] = []
  for (const round of [1, 2, 3, 4, 5, 6]) {
    await askAll(round)
    grown.push((await residentBytes()) - bytesBefore)
  }
  const metrics = await scrape()
  expect(metrics).not.toContain('canary')
  expect(countSeries(metrics)).toBeLessThan(seriesBefore + 20)
  expect(countSeries(metrics)).toBeLessThan(600)
  const used = new Set([...metrics.matchAll(/[{,](\w+)="/g)].map(([, name]) => name ?? ''))
  expect([...used].filter((name) => !labelNames.has(name))).toEqual([])
  expect(Math.min(...grown.slice(2))).toBeLessThan(30_000_000)
}, 60_000)

const countSeries = (metrics: string): number => metrics.split('\n').filter((line) => /^\w/.test(line)).length

const post = (path: string, type: string, body: string) => [path, { method: 'POST', headers: { 'content-type': type }, body }] as const // prettier-ignore

function expectSafe({ headers }: Response): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(headers.has('access-control-allow-credentials')).toBe(false)
  expect(headers.has('server')).toBe(false)
  expect(headers.has('x-powered-by')).toBe(false)
}

describe('headers of answers', () => {
  const cases: [status: number, path: string, init: RequestInit][] = [
    [200, '/health/site', {}],
    [400, '/health/a%20b', {}],
    [401, '/metrics', {}],
    [401, '/v1/verifiers/me/assignments', {}],
    [404, '/nothing', {}],
    [404, '/health/nobody/details', {}],
    [405, '/health/site', { method: 'DELETE' }],
    [204, '/health/site', { method: 'OPTIONS', headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' } }],
    [413, ...post('/v1/verifiers/enroll', 'application/json', 'x'.repeat(300_000))],
    [414, `/healthz?${'x'.repeat(9_000)}`, {}],
    [415, ...post('/v1/verifiers/enroll', 'text/plain', '{}')],
    [422, ...post('/v1/verifiers/enroll', 'application/json', '{}')],
    [422, '/health/site/history?range=1', {}],
  ] // prettier-ignore
  test.each(cases)(
    '%d %.40s: those for safety, and none that opens it to other sites but health',
    async (status, path, init) => {
      const response = await fetch(server.url + path, init)
      expect(response.status).toBe(status)
      expectSafe(response)
      const isOpen = path.startsWith('/health/')
      expect(response.headers.get('access-control-allow-origin')).toBe(isOpen ? '*' : null)
    },
  )

  test('304 has them, too', async () => {
    const etag = (await fetch(`${server.url}/health/site`)).headers.get('etag') ?? ''
    await waitUntil('it is unchanged', async () => {
      const current = (await fetch(`${server.url}/health/site`)).headers.get('etag') ?? etag
      const response = await fetch(`${server.url}/health/site`, { headers: { 'if-none-match': current } })
      if (response.status === 304) expectSafe(response)
      return response.status === 304
    })
  })

  test.each(['/healthz', '/readyz', '/reference', '/metrics', '/v1/verifiers/me/assignments', '/trpc/services.list', '/'])('%s is not open to other sites', async (path) => {
    const response = await fetch(server.url + path, { headers: { origin: 'https://evil.example' } })
    expectSafe(response)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  }) // prettier-ignore
})
