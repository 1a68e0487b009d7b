import { describe, expect, test } from 'bun:test'

import { closedAfterEach } from '../../tests/support/closed-after-each.ts'
import {
  answerTo,
  okAnswer,
  type RawRequest,
  type RawUpstream,
  startRawUpstream,
} from '../../scripts/world/raw-upstream.ts'
import { startTestRelay, testPrice, type RelayScenario } from './test-support/relay-under-test.ts'

const opened = closedAfterEach()

const good = (request: RawRequest): void => request.write(answerTo(request, '"result":"0xgood"'))
const error = (code: number, message: string) => (request: RawRequest) =>
  request.write(answerTo(request, `"error":${JSON.stringify({ code, message })}`))
const status =
  (line: string, headers = '') =>
  (request: RawRequest) =>
    error(
      -32_000,
      'words of a gateway',
    )({
      ...request,
      write: (text) => request.write(String(text).replace('200 OK\r\n', `${line}\r\n${headers}`)),
    })

function node(answer: (request: RawRequest) => void = good): RawUpstream {
  const raw = startRawUpstream(answer)
  opened.push(raw.stop)
  return raw
}

/** The first node is called first. */
function relayTo(nodes: readonly RawUpstream[], world: Partial<RelayScenario> = {}) {
  const relay = startTestRelay({
    upstreams: nodes.map(({ url }, index) => ({ url, serviceId: `service-${index}` })),
    decisionOf: (id) => (id === 'service-0' ? 'UP' : 'LATENCY'),
    ...world,
    settings: { hedgeAfterMs: null, ...world.settings },
  })
  opened.push(relay.stop)
  const send = async (body: unknown) => {
    const response = await fetch(relay.url, { method: 'POST', body: JSON.stringify(body) })
    const text = await response.text()
    return { status: response.status, text, json: JSON.parse(text), headers: response.headers }
  }
  let calls = 0
  const call = (method = 'eth_call') => send({ jsonrpc: '2.0', id: 1, method, params: [++calls] })
  return { relay, send, call }
}

const counts = (nodes: readonly RawUpstream[]) => nodes.map(({ requests }) => requests.length)

describe('a node that fails in words', () => {
  test.each([
    ['401', status('401 Unauthorized')],
    ['403', status('403 Forbidden')],
    ['500', status('500 Internal Server Error')],
    ['an internal error', error(-32_603, 'Internal error')],
    ['a plan', error(-32_000, 'Monthly capacity limit exceeded. Visit /billing')],
  ])('(%s) is left alone after five calls, and none of its words are passed on', async (_, answer) => {
    const nodes = [node(answer), node()]
    const { relay, call } = relayTo(nodes)
    for (let n = 0; n < 50; n++) expect((await call()).json).toMatchObject({ result: '0xgood' })
    expect(nodes[0]?.requests.length).toBe(5)
    expect(relay.metered.map(({ creditsBack }) => creditsBack)).toEqual(relay.metered.map(() => [0]))
    const alone = relayTo([node(answer)])
    const { status: alones, text } = await alone.call()
    expect([alones, JSON.parse(text).error.data.reason]).toEqual([502, 'upstream_error'])
    expect(text).not.toMatch(/gateway|billing|Internal/)
    expect(alone.relay.metered[0]).toMatchObject({ outcomes: ['unanswered'], creditsBack: [testPrice] })
  })

  test('earns no calls by failing quickly', async () => {
    const nodes = [
      node(status('401 Unauthorized')),
      node((request) => void setTimeout(() => good(request), 5)),
    ]
    const { relay, call } = relayTo(nodes, { decisionOf: () => 'UP' })
    for (let n = 0; n < 100; n++) expect((await call()).status).toBe(200)
    expect(nodes[0]?.requests.length).toBeLessThan(15)
    const metrics = await relay.metrics.render()
    expect(metrics).not.toContain('upstream_response_seconds{endpoint="testnet",upstream="upstream-1"}')
    expect(metrics).toContain('{endpoint="testnet",upstream="upstream-1",class="node-failure"}')
  })

  test('gets no call a second time that it may have carried out', async () => {
    for (const answer of [error(-32_603, 'Internal error'), status('500 Internal Server Error')]) {
      const nodes = [node(answer), node()]
      expect((await relayTo(nodes).call('eth_sendBundle')).status).toBe(502)
      expect(counts(nodes)).toEqual([1, 0])
    }
    for (const answer of [
      status('401 Unauthorized'),
      status('429 Too Many Requests'),
      error(-32_601, 'the method eth_sendBundle does not exist/is not available'),
    ]) {
      const nodes = [node(answer), node()]
      expect((await relayTo(nodes).call('eth_sendBundle')).text).toContain('0xgood')
      expect(counts(nodes)).toEqual([1, 1])
    }
  })
})

describe('a node that limits us', () => {
  test('is left alone as long as it says, and the others are called', async () => {
    const nodes = [node(status('429 Too Many Requests', 'retry-after: 60\r\n')), node()]
    const { relay, call } = relayTo(nodes)
    for (let n = 0; n < 20; n++) expect((await call()).json).toMatchObject({ result: '0xgood' })
    expect(counts(nodes)).toEqual([1, 20])
    expect(await relay.metrics.render()).toContain('relay_open_breakers 0')
  })

  test('and is the last one: the call is refused with the time, without being sent or charged', async () => {
    const nodes = [
      node(status('429 Too Many Requests', 'retry-after: 90\r\n')),
      node(error(-32_005, 'daily request count exceeded')),
    ]
    const { relay, call } = relayTo(nodes)
    for (let n = 0; n < 5; n++) {
      const { status: code, json, headers } = await call()
      expect(code).toBe(503)
      expect(json.error).toMatchObject({ code: -32_002, data: { reason: 'upstream_limited' } })
      expect(Number.isInteger(json.error?.data?.retryAfterMs)).toBe(true)
      // The second one said nothing, and is tried again after a second.
      expect(headers.get('retry-after')).toBe('1')
      expect(headers.get('x-rpc-credits')).toBe('0')
    }
    expect(counts(nodes)).toEqual([1, 1])
    expect(relay.metered.at(-1)).toMatchObject({ outcomes: ['unanswered'], creditsBack: [testPrice] })
  })

  test('does not use up the attempts of a call', async () => {
    const nodes = [...Array.from({ length: 5 }, () => node(status('429 Too Many Requests'))), node()]
    const { call } = relayTo(nodes)
    expect((await call()).json).toMatchObject({ result: '0xgood' })
  })
})

describe('a node that lacks something', () => {
  test('is asked first and another one next; where none knows, its words are the answer', async () => {
    const lacking = error(-32_000, 'missing trie node 5d1f')
    const nodes = [node(lacking), node()]
    expect((await relayTo(nodes).call()).json).toMatchObject({ result: '0xgood' })
    const { relay, call } = relayTo([node(lacking), node(lacking), node(({ reset }) => reset())])
    const { status: code, json } = await call()
    expect([code, json.error.message]).toEqual([200, 'missing trie node 5d1f'])
    expect(relay.metered[0]).toMatchObject({ outcomes: ['error'], creditsBack: [0] })
    expect(await relay.metrics.render()).toContain('relay_open_breakers 0')
  })

  test('gets fewer calls of that method, and all others as before', async () => {
    const nodes = [
      node((request) =>
        request.body.includes('eth_getProof') ? error(-32_000, 'missing trie node')(request) : good(request),
      ),
      node(),
    ]
    const { call } = relayTo(nodes)
    for (let n = 0; n < 50; n++) await call('eth_getProof')
    expect(nodes[0]?.requests.length).toBe(3)
    for (let n = 0; n < 20; n++) await call('eth_call')
    expect(nodes[0]?.requests.length).toBe(23)
  })

  test('offers a method or not, which is remembered by method', async () => {
    const nodes = [
      node((request) =>
        request.body.includes('trace_') ? error(-32_601, 'Method not found')(request) : good(request),
      ),
      node(),
    ]
    const { call } = relayTo(nodes)
    for (let n = 0; n < 20; n++) expect((await call('trace_block')).text).toContain('0xgood')
    expect(counts(nodes)).toEqual([1, 20])
    await call('eth_call')
    expect(counts(nodes)).toEqual([2, 20])
  })

  test('and nobody offers the method: that is the answer, of one node', async () => {
    const nodes = [node(error(-32_601, 'Method not found')), node(error(-32_601, 'Method not found'))]
    const { relay, call } = relayTo(nodes)
    for (let n = 0; n < 5; n++) expect((await call('trace_block')).json.error.code).toBe(-32_601)
    expect(counts(nodes)).toEqual([5, 1])
    expect(relay.metered.at(-1)).toMatchObject({ outcomes: ['error'], creditsBack: [0] })
  })
})

interface SentCall {
  readonly id: number
  readonly method: string
}

/** Answers a batch, or a single call, with what `entryOf` returns for each method; null leaves a call out. */
const batchNode = (entryOf: (method: string) => object | null) =>
  node((request) => {
    const sent: SentCall | SentCall[] = JSON.parse(request.body)
    const answers = [sent].flat().flatMap(({ id, method }) => {
      const found = entryOf(method)
      return found === null ? [] : [{ jsonrpc: '2.0', id, ...found }]
    })
    request.write(okAnswer(JSON.stringify(Array.isArray(sent) ? answers : answers[0])))
  })

const bodiesOf = ({ requests }: RawUpstream) =>
  requests.map(({ body }) => [JSON.parse(body)].flat().map(({ method }: SentCall) => method))

const entry = (id: number, method: string) => ({ jsonrpc: '2.0', id, method })

describe('a batch', () => {
  const entries: Record<string, object | null> = {
    eth_getBalance: { error: { code: -32_005, message: 'rate limit' } },
    eth_getCode: { error: { code: -32_000, message: 'header not found' } },
    eth_getStorageAt: { error: { code: -32_603, message: 'Internal error' } },
    eth_getProof: null,
    eth_estimateGas: { error: { code: 3, message: 'execution reverted' } },
  }
  const batch = ['eth_gasPrice', ...Object.keys(entries)].map((method, index) => entry(index, method))
  const one = () => batchNode((method) => (method in entries ? (entries[method] ?? null) : { result: 'one' }))

  test('keeps the answers that came; the others are asked elsewhere together, and each is charged once', async () => {
    const nodes = [one(), batchNode(() => ({ result: 'other' }))]
    const { relay, send } = relayTo(nodes)
    const { status: code, json, headers } = await send(batch)
    expect(code).toBe(200)
    expect(json).toMatchObject([
      { id: 0, result: 'one' },
      { id: 1, result: 'other' },
      { id: 2, result: 'other' },
      { id: 3, result: 'other' },
      { id: 4, result: 'other' },
      { id: 5, error: { message: 'execution reverted' } },
    ])
    expect(nodes.map((each) => bodiesOf(each))).toEqual([
      [batch.map(({ method }) => method)],
      [['eth_getBalance', 'eth_getCode', 'eth_getStorageAt', 'eth_getProof']],
    ])
    expect(headers.get('x-rpc-credits')).toBe(String(6 * testPrice))
    expect(relay.metered).toHaveLength(1)
    expect(relay.metered[0]?.creditsBack).toEqual([0, 0, 0, 0, 0, 0])
  })

  test('of which nobody knows the rest: words where a node said some, and no charge where none did', async () => {
    const { relay, send } = relayTo([one(), node(({ reset }) => reset())])
    const { json } = await send(batch)
    expect(json.map(({ error: found }: { error?: { message: string } }) => found?.message)).toEqual([
      undefined,
      expect.stringContaining('all nodes refuse'),
      'header not found',
      expect.stringContaining('no node could answer'),
      expect.stringContaining('left this call'),
      'execution reverted',
    ])
    expect(relay.metered[0]?.outcomes).toEqual([
      'ok',
      'unanswered',
      'error',
      'unanswered',
      'unanswered',
      'error',
    ])
  })

  test('with a transaction among them does not repeat it, but for a node that refused it', async () => {
    const nodes = [
      batchNode((method) =>
        method === 'eth_sendBundle' ? { error: { code: -32_603, message: 'who knows' } } : null,
      ),
      batchNode(() => ({ result: 'other' })),
    ]
    const { json } = await relayTo([
      batchNode((method) => (method === 'eth_call' ? { result: 'one' } : (entries.eth_getStorageAt ?? null))),
      ...nodes.slice(1),
    ]).send([entry(1, 'eth_call'), entry(2, 'eth_sendBundle')])
    expect(json).toMatchObject([{ result: 'one' }, { error: { data: { reason: 'upstream_error' } } }])
    expect(nodes[1]?.requests).toHaveLength(0)
  })

  test('is refused as a whole with one error: another node is asked', async () => {
    const refusing = node(({ write }) =>
      write(
        okAnswer('{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not supported"}}'),
      ),
    )
    const limiting = node(({ write }) =>
      write(okAnswer('{"jsonrpc":"2.0","id":null,"error":{"code":-32005,"message":"rate limit"}}')),
    )
    const last = batchNode(() => ({ result: 'other' }))
    const { json } = await relayTo([limiting, last]).send([entry(1, 'eth_call'), entry(2, 'eth_gasPrice')])
    expect(json).toMatchObject([{ result: 'other' }, { result: 'other' }])
    const refused = await relayTo([refusing]).send([entry(1, 'eth_call'), entry(2, 'eth_gasPrice')])
    expect(refused.json).toMatchObject([
      { id: 1, error: { code: -32_600 } },
      { id: 2, error: { code: -32_600 } },
    ])
  })
})

describe('bytes that could be read in two ways are no answer', () => {
  test.each([
    ['two results', (id: number) => `{"jsonrpc":"2.0","id":${id},"result":"0xevil","result":"0xworse"}`],
    ['two ids', (id: number) => `{"jsonrpc":"2.0","id":7,"id":${id},"result":"0xevil"}`],
    ['two objects', (id: number) => `{"jsonrpc":"2.0","id":${id},"result":"0xevil"}{}`],
  ])('%s', async (_, bodyOf) => {
    const bad = node((request) => request.write(okAnswer(bodyOf(JSON.parse(request.body).id))))
    const { relay, call } = relayTo([bad, node()])
    for (let n = 0; n < 4; n++) expect((await call('eth_chainId')).json).toMatchObject({ result: '0xgood' })
    expect(await relay.metrics.render()).toContain('upstream="upstream-1",class="malformed"} 4')
  })
})
