import { describe, expect, test } from 'bun:test'

import { closedAfterEach } from '../../tests/support/closed-after-each.ts'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'

import { okAnswer, type RawRequest, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { startTestRelay, testPrice, type RelayScenario } from './test-support/relay-under-test.ts'
import { covers } from '../../tests/support/covers.ts'

const opened = closedAfterEach()

interface SentCall {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

/** Answers each call with its own method and parameters. */
function echo(request: RawRequest): void {
  const sent: SentCall | SentCall[] = JSON.parse(request.body)
  const answerTo = ({ id, method, params = [] }: SentCall) => ({
    jsonrpc: '2.0',
    id,
    result: [method, ...params],
  })
  request.write(
    okAnswer(JSON.stringify(Array.isArray(sent) ? sent.map(answerTo).toReversed() : answerTo(sent))),
  )
}

function start(world: Partial<RelayScenario> = {}, answer: (request: RawRequest) => void = echo) {
  const node = startRawUpstream(answer)
  const relay = startTestRelay({ upstreams: [{ url: node.url }], denied: ['debug_x'], ...world })
  opened.push(node.stop, relay.stop)
  return { node, relay, post: (body: unknown) => post(relay.url, body) }
}

async function post(url: string, body: unknown) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(url, { method: 'POST', body: text })
  const answer = await response.text()
  return { status: response.status, text: answer, headers: response.headers }
}

const call = (id: unknown, method = 'eth_call', params: unknown[] = []) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})
const notification = (method = 'eth_call') => ({ jsonrpc: '2.0', method })

describe('a batch', () => {
  test('is answered in the order of its calls, each with its own id, and sent as one', async () => {
    const { node, post: send } = start()
    const body = `[
      {"jsonrpc":"2.0","id":1.50,"method":"eth_call","params":[12345678901234567890]},
      {"jsonrpc":"2.0","id":"\\u0041","method":"debug_x"},
      {"jsonrpc":"2.0","id":null,"method":"eth_gasPrice"},
      5,
      {"jsonrpc":"2.0","method":"eth_getBalance"},
      {"jsonrpc":"2.0","id":1.50,"method":"eth_chainId"}]`
    const { status, text } = await send(body)
    expect(status).toBe(200)
    expect(text.match(/"id":[^,]+/g)).toEqual([
      '"id":1.50',
      '"id":"\\u0041"',
      '"id":null',
      '"id":null',
      '"id":1.50',
    ])
    expect(JSON.parse(text)).toMatchObject([
      { result: ['eth_call', Number('12345678901234567890')] },
      { error: { code: -32601, data: { reason: 'method_not_offered' } } },
      { result: ['eth_gasPrice'] },
      { error: { code: -32600 } },
      { result: ['eth_chainId'] },
    ])
    expect(node.requests).toHaveLength(1)
    expect(node.requests[0]?.body).toContain('12345678901234567890')
  })

  test('is charged for each of its calls, and not for what was none', async () => {
    covers('threat-17')
    const { relay, post: send } = start()
    const { headers } = await send([call(1), call(2, 'debug_x'), 7, notification(), call(3)])
    expect(headers.get('x-rpc-credits')).toBe(String(3 * testPrice))
    expect(relay.metered.at(-1)).toMatchObject({
      calls: [1, 2, 3].map(() => ({ method: 'eth_call', credits: testPrice })),
      outcomes: ['ok', 'ok', 'ok'],
    })
  })

  test('of notifications only is answered 204, without a body', async () => {
    const { node, post: send } = start()
    expect(await send([notification(), notification()])).toMatchObject({ status: 204, text: '' })
    expect(await send(notification())).toMatchObject({ status: 204, text: '' })
    expect(node.requests).toHaveLength(2)
  })

  test('that is empty, too large, or larger than a body may be', async () => {
    const { node, relay, post: send } = start()
    expect(await send([])).toMatchObject({ status: 400 })
    expect(await send(Array(1_001).fill(call(1)))).toMatchObject({ status: 413 })
    const { status, text } = await send([call(1, 'eth_call', ['a'.repeat(5_300_000)])])
    expect(status).toBe(413)
    expect(JSON.parse(text)).toMatchObject({ id: null, error: { data: { reason: 'payload_too_large' } } })
    expect([node.requests.length, relay.metered.length]).toEqual([0, 0])
  })

  test('of which the node leaves out some: they are refused and not charged', async () => {
    const { relay, post: send } = start({}, (request) => {
      const [, second]: SentCall[] = JSON.parse(request.body)
      request.write(
        okAnswer(`[{"jsonrpc":"2.0","id":${second?.id},"error":{"code":3,"message":"reverted"}}]`),
      )
    })
    const { status, text, headers } = await send([call('a'), call('b'), call('c')])
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject([
      { id: 'a', error: { code: -32002 } },
      { id: 'b', error: { code: 3, message: 'reverted' } },
      { id: 'c', error: { code: -32002 } },
    ])
    expect(headers.get('x-rpc-credits')).toBe(String(testPrice))
    expect(relay.metered.at(-1)).toMatchObject({
      outcomes: ['unanswered', 'error', 'unanswered'],
      creditsBack: [testPrice, 0, testPrice],
    })
  })
})

describe('limits', () => {
  test('a batch is admitted as a whole or not at all', async () => {
    covers('rate-limit-enforced', 'limit-refusal')
    const { node, relay, post: send } = start({ rate: { units: 10, period: 'hour' } })
    expect((await send(Array(6).fill(call(1)))).status).toBe(200)
    const { status, text, headers } = await send([call('a'), notification(), ...Array(4).fill(call(7))])
    expect(status).toBe(429)
    expect(JSON.parse(text)).toHaveLength(5)
    expect(JSON.parse(text)[0]).toMatchObject({
      id: 'a',
      error: { code: -32005, data: { reason: 'rate', retryAfterMs: expect.any(Number) } },
    })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(headers.get('ratelimit')).toContain('"rate";r=4')
    expect((await send(Array(4).fill(call(1)))).status).toBe(200)
    expect(node.requests).toHaveLength(2)
    expect(relay.refused).toEqual([{ calls: 6, limit: 'rate' }])
  })

  test('100 batches of 1,000 calls get no more than the limit through', async () => {
    covers('threat-17')
    const { relay, post: send } = start({ rate: { units: 2_500, period: 'hour' } })
    const batch = JSON.stringify(Array(1_000).fill(call(1)))
    for (let count = 0; count < 5; count++) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => send(batch)))
      expect(replies.every(({ status }) => status === 200 || status === 429)).toBe(true)
    }
    const admitted = relay.metered.reduce((sum, { calls }) => sum + calls.length, 0)
    expect(admitted).toBe(2_000)
    expect(relay.refused.reduce((sum, { calls }) => sum + calls, 0)).toBe(98_000)
  }, 30_000)

  test('credits are refused with their own reason, and a price above the whole limit at once', async () => {
    covers('credits-limit-enforced')
    const { post: send } = start({ credits: { units: 50, period: 'hour' } })
    expect((await send(call(1))).status).toBe(200)
    expect((await send(call(2))).status).toBe(200)
    const refused = await send(call('third'))
    expect(refused.status).toBe(429)
    expect(JSON.parse(refused.text)).toMatchObject({
      id: 'third',
      error: { code: -32005, data: { reason: 'credits' } },
    })
    const oversized = await send([call(1), call(2), call(3)])
    expect(oversized.status).toBe(413)
    expect(oversized.headers.get('retry-after')).toBeNull()
  })

  test('credits of calls that nobody answered come back, so that the limit is there for others', async () => {
    let isDown = true
    const { post: send } = start({ credits: { units: 20, period: 'hour' } }, (request) =>
      isDown ? request.reset() : echo(request),
    )
    for (let count = 0; count < 3; count++) expect((await send(call(count))).status).toBe(502)
    isDown = false
    expect((await send(call(1))).status).toBe(200)
    expect((await send(call(2))).status).toBe(429)
  })
})

describe('what is no call', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"eth_call"', 400, -32700],
    ['', 400, -32700],
    ['{"jsonrpc":"1.0","id":1,"method":"eth_call"}', 400, -32600],
    ['5', 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"debug_x"}', 200, -32601],
    [`{"jsonrpc":"2.0","id":1,"method":"a","params":${'['.repeat(64)}${']'.repeat(64)}}`, 400, -32700],
    ['{"jsonrpc":"2.0","id":1,"method":"eth_call"}\u0000', 400, -32700],
  ])('%s is answered %d with %d, and costs nothing', async (body, status, code) => {
    covers('threat-22', 'threat-23')
    const { node, relay, post: send } = start({ rate: { units: 1, period: 'hour' } })
    for (let count = 0; count < 3; count++) {
      const reply = await send(body)
      expect(reply.status).toBe(status)
      expect(JSON.parse(reply.text)).toMatchObject({ jsonrpc: '2.0', error: { code } })
      expect(reply.headers.get('x-rpc-credits')).toBe('0')
    }
    expect([node.requests.length, relay.metered.length]).toEqual([0, 0])
  })

  test('a compressed body is inflated within the bound of plain ones, and a bomb costs nothing', async () => {
    covers('threat-24')
    const { node, relay } = start()
    const plain = Buffer.from(JSON.stringify(call(1)))
    const bomb = Buffer.alloc(64 << 20, 0x20)
    const postEncoded = (body: Uint8Array<ArrayBuffer>, encoding: string) =>
      fetch(relay.url, { method: 'POST', body, headers: { 'content-encoding': encoding } })
    for (const [encoding, compress] of Object.entries(compressions)) {
      expect((await postEncoded(compress(plain), encoding)).status).toBe(200)
      const asked = node.requests.length
      const refused = await postEncoded(compress(bomb), encoding)
      expect([refused.status, refused.headers.get('x-rpc-credits')]).toEqual([413, null])
      expect(await refused.text()).toContain('at most 5242880 bytes')
      expect((await postEncoded(plain, encoding)).status).toBe(400)
      expect(node.requests.length).toBe(asked)
    }
    expect(relay.metered.length).toBe(3)
    const unknown = await postEncoded(plain, 'compress')
    expect([unknown.status, await unknown.text()]).toEqual([
      415,
      expect.stringContaining('the content-encoding must be gzip, br, zstd or none'),
    ])
  })
})

const compressions: Record<string, (plain: Buffer) => Uint8Array<ArrayBuffer>> = {
  gzip: (plain) => gzipSync(plain),
  br: (plain) => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: (plain) => zstdCompressSync(plain),
}

test('members named like those of every object change nothing', async () => {
  covers('threat-26')
  const { node, post: send } = start()
  const body = `{"jsonrpc":"2.0","id":1,"method":"eth_call","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},
    "params":[{"__proto__":{"polluted":1}}]}`
  expect((await send(body)).status).toBe(200)
  expect(JSON.stringify(Object.getPrototypeOf({}))).toBe('{}')
  expect('polluted' in {}).toBe(false)
  const sentId: unknown = JSON.parse(node.requests[0]?.body ?? '{}').id
  expect(node.requests[0]?.body).toBe(
    `{"jsonrpc":"2.0","id":${sentId},"method":"eth_call","params":[{"__proto__":{"polluted":1}}]}`,
  )
  for (const method of ['__proto__', 'constructor', 'toString']) {
    expect((await send(call(1, method))).status).toBe(200)
  }
})
