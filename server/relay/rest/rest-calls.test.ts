import { describe, expect, test } from 'bun:test'
import { brotliCompressSync } from 'node:zlib'

import { closedAfterEach } from '../../../tests/support/closed-after-each.ts'
import { rawExchange } from '../../../tests/support/raw-exchange.ts'
import { keyValue, type RelayScenario, startTestRelay, testPrice } from '../test-support/relay-under-test.ts'

const opened = closedAfterEach()

interface Seen {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Headers
  readonly body: string
}

type Answer = (seen: Seen) => Response | Promise<Response>

/** `GET /eth/v1/node/version` as the Beacon API answers it (ethereum/beacon-APIs, apis/node/version.yaml). */
const version: Answer = () => Response.json({ data: { version: 'Lighthouse/v0.1.5 (Linux x86_64)' } })

function node(answer: Answer = version) {
  const seen: Seen[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { method, headers } = request
      const url = request.url.slice(server.url.origin.length)
      const one = { method, url, headers, body: await request.text() }
      seen.push(one)
      return await answer(one)
    },
  })
  opened.push(() => server.stop(true))
  return { url: server.url.origin, seen }
}

const allow = ['GET /eth/v1/node/*', 'GET /eth/v1/beacon/**', 'POST /eth/v1/beacon/**', 'GET /eth/v1/events']
const deny = ['GET /eth/v1/beacon/pool/**']

function relayTo(nodes: readonly { readonly url: string }[], world: Partial<RelayScenario> = {}) {
  const relay = startTestRelay({
    upstreams: nodes.map(({ url }, index) => ({ url, serviceId: `service-${index}` })),
    decisionOf: (id) => (id === 'service-0' ? 'UP' : 'LATENCY'),
    ...world,
    endpoint: { family: 'beacon', methods: { allow, deny, unknown: 'refuse' }, ...world.endpoint },
  })
  opened.push(relay.stop)
  const ask = (path: string, init: RequestInit = {}) => fetch(relay.url + path, init)
  return { relay, ask }
}

describe('a call', () => {
  test('goes to the node with its query, and counts by its pattern', async () => {
    const one = node()
    const { relay, ask } = relayTo([{ url: `${one.url}/base/` }], { rate: { units: 5, period: 'minute' } })
    const answer = await ask('/eth/v1/node/version?verbose=%20yes&a=1')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ data: { version: 'Lighthouse/v0.1.5 (Linux x86_64)' } })
    expect(answer.headers.get('x-rpc-credits')).toBe(String(testPrice))
    expect(answer.headers.get('ratelimit-policy')).toContain('5')
    expect(answer.headers.get('ratelimit')).not.toBeNull()
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(one.seen.map(({ method, url }) => [method, url])).toEqual([
      ['GET', '/base/eth/v1/node/version?verbose=%20yes&a=1'],
    ])
    expect(relay.metered).toMatchObject([
      {
        calls: [{ method: 'GET /eth/v1/node/*', credits: testPrice }],
        outcomes: ['ok'],
        creditsBack: [0],
        attempts: ['answer'],
      },
    ])
    expect(relay.logged).toMatchObject([
      { method: 'GET /eth/v1/node/*', class: 'answer', status: 200, attempts: [{ class: 'answer' }] },
    ])
    expect(JSON.stringify(relay.logged)).not.toContain('verbose')
  })

  test('by POST brings its body and its kind', async () => {
    const one = node(({ body }) => Response.json({ got: body }))
    const { relay, ask } = relayTo([one])
    const path = '/eth/v1/beacon/states/head/validators'
    const body = '{"ids":["1"]}'
    const headers = { 'content-type': 'application/json', 'eth-consensus-version': 'electra' }
    expect(await (await ask(path, { method: 'POST', body, headers })).json()).toEqual({ got: body })
    expect(one.seen[0]?.headers.get('content-type')).toBe('application/json')
    expect(one.seen[0]?.headers.get('eth-consensus-version')).toBe('electra')
    expect(relay.metered[0]).toMatchObject({
      bytesIn: body.length,
      calls: [{ method: 'POST /eth/v1/beacon/**' }],
    })
  })

  test('by a stream of events that goes on says which event was the last', async () => {
    const one = node(
      () => new Response('id: 104\ndata: {}\n\n', { headers: { 'content-type': 'text/event-stream' } }),
    )
    const { ask } = relayTo([one])
    const headers = { accept: 'text/event-stream', 'last-event-id': '103' }
    await (await ask('/eth/v1/events?topics=head', { headers })).text()
    expect(one.seen[0]?.headers.get('last-event-id')).toBe('103')
  })

  test('a long text is compressed for who takes it so, and bytes are not', async () => {
    const text = JSON.stringify({ data: '0x00'.repeat(500) })
    const one = node(({ url }) => {
      const type = url.endsWith('ssz') ? 'application/octet-stream' : 'application/json'
      return new Response(text, { headers: { 'content-type': type } })
    })
    const { relay, ask } = relayTo([one])
    const headers = { 'accept-encoding': 'zstd' }
    const answer = await ask('/eth/v1/beacon/states/json', { headers })
    expect(await answer.text()).toBe(text)
    expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual([
      'zstd',
      'accept-encoding',
    ])
    expect(relay.logged.at(-1)?.bytesOut).toBe(text.length)
    const bytes = await ask('/eth/v1/beacon/states/ssz', { headers })
    expect([bytes.headers.get('content-encoding'), await bytes.text()]).toEqual([null, text])
  })

  test('by HEAD is one by GET to the node, and is answered without the body', async () => {
    const text = JSON.stringify({ data: 'x'.repeat(300) })
    // As grpc-gateway answers HEAD, with which nearly all nodes of Cosmos are asked.
    const one = node(({ method }) =>
      method === 'GET'
        ? new Response(text, { headers: { etag: '"a"' } })
        : new Response(null, { status: 501 }),
    )
    const { relay } = relayTo([one])
    const request = `HEAD /rpc/testnet/${keyValue}/eth/v1/node/version HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`
    const answer = await rawExchange(relay.port, request)
    expect(answer).toStartWith('HTTP/1.1 200 OK\r\n')
    expect(answer).toMatch(new RegExp(`^content-length: ${text.length}\r$`, 'im'))
    expect(answer).toMatch(/^x-rpc-credits: 20\r$/im)
    expect(answer).toEndWith('\r\n\r\n')
    expect(one.seen.map(({ method }) => method)).toEqual(['GET'])
    const pattern = 'GET /eth/v1/node/*'
    expect(relay.metered).toMatchObject([
      { calls: [{ method: pattern, credits: testPrice }], outcomes: ['ok'] },
    ])
    expect(relay.logged).toMatchObject([{ method: pattern, class: 'answer', status: 200, bytesOut: 0 }])
  })

  test('that is answered in bytes gets them as they are', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
    const headers = { 'content-type': 'application/octet-stream', 'eth-consensus-version': 'deneb' }
    const one = node(() => new Response(bytes, { headers }))
    const { ask } = relayTo([one])
    const head = await ask('/eth/v1/node/health', { method: 'HEAD' })
    expect([head.status, head.headers.get('eth-consensus-version'), await head.text()]).toEqual([
      200,
      'deneb',
      '',
    ])
    const answer = await ask('/eth/v1/beacon/blocks/head', {
      headers: { accept: 'application/octet-stream' },
    })
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes)
    expect(answer.headers.get('eth-consensus-version')).toBe('deneb')
    expect(one.seen[1]?.headers.get('accept')).toBe('application/octet-stream')
  })

  test('404 and other words of the node about the call are answers, and charged', async () => {
    const words = { code: 404, message: 'State not found' } // apis/beacon/states/root.yaml
    const one = node(() => Response.json(words, { status: 404 }))
    const two = node()
    const { relay, ask } = relayTo([one, two])
    const answer = await ask('/eth/v1/beacon/states/0xdead/root')
    expect([answer.status, await answer.json()]).toEqual([404, words])
    expect(two.seen).toHaveLength(0)
    expect(relay.metered[0]).toMatchObject({ outcomes: ['error'], creditsBack: [0] })
    expect(relay.logged[0]).toMatchObject({ class: 'error', status: 404 })
  })
})

describe('what is refused, before a node hears of it', () => {
  test.each([
    ['GET', '/eth/v1/config/spec', 403],
    ['GET', '/eth/v1/beacon/pool/attestations', 403],
    ['GET', '/eth/v1/beacon/POOL/attestations', 403],
    ['GET', '/eth/v1/beacon/%70ool/attestations', 403],
    ['DELETE', '/eth/v1/node/version', 403],
    ['POST', '/eth/v1/node/version', 403],
    ['GET', '/eth/v1/beacon%2fpool/x', 400],
    ['GET', '/eth/v1/beacon//pool', 400],
    ['GET', '/eth/v1/beacon/%252e%252e/x', 400],
    ['GET', '/eth/v1/node/a;b', 400],
    ['POST', '', 403],
    ['PUT', '', 403],
  ])('%s %s: %d', async (method, path, status) => {
    const one = node()
    const { relay, ask } = relayTo([one])
    const answer = await ask(path, { method })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: { message: expect.any(String) } })
    expect([one.seen, relay.metered]).toEqual([[], []])
  })

  test.each([
    `/rpc/testnet/${keyValue}/eth/v1/beacon/../../../admin`,
    `/rpc/testnet/${keyValue}/eth/v1/beacon/..%2f..%2fadmin`,
    `/rpc/testnet/${keyValue}/eth/v1/beacon/%2e%2e/%2e%2e/admin`,
    `/rpc/testnet/${keyValue}/eth/v1/beacon/..\\..\\admin`,
    `/rpc/testnet/${keyValue}//evil.example/eth/v1/beacon/x`,
    `/rpc/testnet/${keyValue}/http://evil.example/eth/v1/beacon/x`,
    `/rpc/testnet/${keyValue}/eth/v1/beacon/x%0d%0aX-Evil:%20yes`,
    `http://evil.example/rpc/testnet/${keyValue}/eth/v1/config/spec`,
    `/rpc/testnet/${keyValue}/eth/v1/beacon/a#b/../c`,
  ])('%s, as bytes on the wire', async (target) => {
    const one = node()
    const { relay } = relayTo([one])
    const text = await rawExchange(
      relay.port,
      `GET ${target} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`,
    )
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(one.seen).toEqual([])
  })

  test('a key that may not: by its lists, its limits, or because it is none', async () => {
    const one = node()
    const narrowed = relayTo([one], { key: { allowedMethods: ['GET /eth/v1/node/health'] } })
    expect((await narrowed.ask('/eth/v1/node/health')).status).toBe(200)
    const other = await narrowed.ask('/eth/v1/node/version')
    expect([other.status, await other.json()]).toMatchObject([403, { error: { code: 'method_not_allowed' } }])
    const contracts = relayTo([one], { key: { allowedContracts: ['0x00'] } })
    expect((await contracts.ask('/eth/v1/node/health')).status).toBe(403)

    const few = relayTo([one], { rate: { units: 1, period: 'minute' } })
    expect((await few.ask('/eth/v1/node/health')).status).toBe(200)
    const limited = await few.ask('/eth/v1/node/health')
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await limited.json()).toMatchObject({ error: { code: 'rate' } })
    expect(few.relay.refused).toEqual([{ calls: 1, limit: 'rate' }])

    const { relay } = few
    expect((await fetch(`${relay.origin}/rpc/testnet/wrong/eth/v1/node/health`)).status).toBe(401)
    expect((await fetch(`${relay.origin}/rpc/other/${keyValue}/eth/v1/node/health`)).status).toBe(401)
    expect(one.seen).toHaveLength(2)
  })

  test('a body that is too large, or becomes so, or is not what its encoding says', async () => {
    const one = node()
    const { ask } = relayTo([one], { settings: { bodyBytes: 100 } })
    const path = '/eth/v1/beacon/states/head/validators'
    const post = (body: Parameters<typeof Bun.gzipSync>[0], coding?: string) =>
      ask(path, {
        method: 'POST',
        body,
        ...(coding !== undefined && { headers: { 'content-encoding': coding } }),
      })
    expect((await post('x'.repeat(101))).status).toBe(413)
    expect((await post(Bun.gzipSync('x'.repeat(10_000)), 'gzip')).status).toBe(413)
    expect((await post('x', 'gzip')).status).toBe(400)
    expect((await post('x', 'compress')).status).toBe(415)
    expect(one.seen).toEqual([])
  })

  test.each([
    ['gzip', Bun.gzipSync],
    ['br', brotliCompressSync],
    ['zstd', Bun.zstdCompressSync],
  ] as const)('a body that is compressed by %s reaches the node as it was', async (coding, compress) => {
    const one = node()
    const { ask } = relayTo([one])
    const text = '["0x1"]'.repeat(50)
    const headers = { 'content-encoding': coding, 'content-type': 'application/json' }
    const path = '/eth/v1/beacon/states/head/validators'
    expect((await ask(path, { method: 'POST', body: new Uint8Array(compress(text)), headers })).status).toBe(
      200,
    )
    expect(one.seen).toMatchObject([{ body: text }])
    expect(one.seen[0]?.headers.get('content-encoding')).toBeNull()
  })

  test('a path at an endpoint of JSON-RPC, and JSON-RPC at one of paths', async () => {
    const one = node()
    const rpc = relayTo([one], {
      endpoint: { family: 'evm', methods: { allow: [], deny: [], unknown: 'refuse' } },
    })
    expect((await rpc.ask('/eth/v1/node/version')).status).toBe(404)
    expect((await rpc.ask('/eth/v1/node/version', { method: 'POST', body: '{}' })).status).toBe(404)
    const { ask } = relayTo([one])
    const refused = await ask('', { method: 'POST', body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}' })
    expect([refused.status, await refused.text()]).toEqual([
      403,
      expect.stringContaining('does not offer this path'),
    ])
    expect(one.seen).toEqual([])
  })
})

describe('headers', () => {
  test('of a caller that are not about the call stay here', async () => {
    const one = node()
    const upstreams = [
      { url: one.url, headers: { authorization: 'Bearer of-the-node', 'x-api-key': 'of-the-node' } },
    ]
    const { ask } = relayTo([one], { upstreams })
    await ask('/eth/v1/node/version', {
      headers: {
        authorization: 'Bearer of-the-caller',
        'x-api-key': 'of-the-caller',
        cookie: 'session=1',
        'proxy-authorization': 'Basic x',
        'x-forwarded-for': '203.0.113.9',
        'x-forwarded-host': 'evil.example',
        'x-original-url': '/admin',
        'x-rewrite-url': '/admin',
        'x-http-method-override': 'DELETE',
        origin: 'https://a.example',
        referer: 'https://a.example/secret',
        range: 'bytes=0-1',
        'user-agent': 'me',
      },
    })
    const names = [...(one.seen[0]?.headers.keys() ?? [])].toSorted()
    expect(names).toEqual(['accept', 'accept-encoding', 'authorization', 'connection', 'host', 'x-api-key'])
    expect(one.seen[0]?.headers.get('authorization')).toBe('Bearer of-the-node')
    expect(one.seen[0]?.headers.get('x-api-key')).toBe('of-the-node')
    expect(one.seen[0]?.headers.get('host')).toBe(new URL(one.url).host)
  })

  test('of a node stay there, and its page is none of ours', async () => {
    const page = '<script>fetch("/trpc/queryKeys.list")</script>'
    const one = node(
      () =>
        new Response(page, {
          headers: {
            'content-type': 'text/html',
            'set-cookie': 'session=stolen; Path=/',
            'access-control-allow-origin': 'https://evil.example',
            'access-control-allow-credentials': 'true',
            'content-security-policy': "script-src 'unsafe-inline'",
            'clear-site-data': '"*"',
            'service-worker-allowed': '/',
            'strict-transport-security': 'max-age=0',
            refresh: '0; url=https://evil.example',
            link: '<https://evil.example>; rel=preload',
            location: 'https://evil.example',
            'www-authenticate': 'Basic realm="evil"',
            'cache-control': 'public, max-age=99999',
            'x-rpc-credits': '0',
            'x-aptos-chain-id': '1',
            server: 'evil',
          },
        }),
    )
    const { ask } = relayTo([one])
    const { headers } = await ask('/eth/v1/node/version')
    for (const name of [
      'set-cookie',
      'access-control-allow-origin',
      'access-control-allow-credentials',
      'clear-site-data',
      'service-worker-allowed',
      'strict-transport-security',
      'refresh',
      'link',
      'location',
      'www-authenticate',
      'server',
    ]) {
      expect([name, headers.get(name)]).toEqual([name, null])
    }
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'; frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-rpc-credits')).toBe(String(testPrice))
    expect(headers.get('x-aptos-chain-id')).toBe('1')
  })

  test('gives pages every header of it that is passed on', async () => {
    const one = node(() => Response.json([], { headers: { 'x-aptos-cursor': 'abc123' } }))
    const { ask } = relayTo([one])
    const { headers } = await ask('/eth/v1/node/version', { headers: { origin: 'https://app.example.com' } })
    expect(headers.get('x-aptos-cursor')).toBe('abc123')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('access-control-expose-headers')).toBe('*')
  })
})
