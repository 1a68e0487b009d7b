import { describe, expect, test } from 'bun:test'

import { closedAfterEach } from '../../tests/support/closed-after-each.ts'
import {
  answerTo,
  idIn,
  okAnswer,
  type RawRequest,
  type RawUpstream,
  startRawUpstream,
} from '../../scripts/world/raw-upstream.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { Decision } from '../../shared/health.ts'
import { startTestRelay, testPrice, type RelayScenario } from './test-support/relay-under-test.ts'

const opened = closedAfterEach()

const say = (result: string) => (request: RawRequest) =>
  request.write(answerTo(request, `"result":${result}`))

function node(answer: (request: RawRequest) => void = say('"0x1"')): RawUpstream {
  const raw = startRawUpstream(answer)
  opened.push(raw.stop)
  return raw
}

function relayTo(nodes: readonly RawUpstream[], world: Partial<RelayScenario> = {}) {
  const relay = startTestRelay({
    upstreams: nodes.map(({ url }, place) => ({ url, serviceId: `service-${place}` })),
    ...world,
    // On a busy machine anything may be slow.
    settings: { hedgeAfterMs: null, ...world.settings },
  })
  opened.push(relay.stop)
  const post = async (method: string, params: unknown[] = [], id = 1) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    const response = await fetch(relay.url, { method: 'POST', body })
    return { status: response.status, text: await response.text() }
  }
  return { relay, post }
}

const times = <T>(count: number, work: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => work(n))

describe('health decisions', () => {
  test('choose first: DOWN gets nothing, LATENCY nothing while another one is UP', async () => {
    const nodes = [node(), node(), node()]
    const decisions: Decision[] = ['DOWN', 'LATENCY', 'UNKNOWN']
    const { post } = relayTo(nodes, { decisionOf: (id) => decisions[Number(id.at(-1))] ?? 'UNKNOWN' })
    await Promise.all(times(20, (n) => post('eth_call', [n])))
    expect(nodes.map(({ requests }) => requests.length)).toEqual([0, 0, 20])
    decisions[2] = 'DOWN'
    await Promise.all(times(20, (n) => post('eth_call', [n])))
    expect(nodes.map(({ requests }) => requests.length)).toEqual([0, 20, 20])
    decisions[1] = 'DOWN'
    const replies = await Promise.all(times(20, (n) => post('eth_call', [n])))
    expect(replies.every(({ status }) => status === 200)).toBe(true)
  })
})

describe('identical reads', () => {
  test('that are under way at once share one call, and each is charged', async () => {
    const waiting: RawRequest[] = []
    const one = node((request) => void waiting.push(request))
    const { relay, post } = relayTo([one])
    const replies = times(10, (n) => post('eth_getBalance', ['0x1'], n))
    await waitUntil('all of them wait', () => relay.metered.length === 10 && waiting.length > 0)
    waiting.forEach(say('"0x5"'))
    expect((await Promise.all(replies)).map(({ text }) => text)).toEqual(
      times(10, (n) => `{"jsonrpc":"2.0","id":${n},"result":"0x5"}`),
    )
    expect(one.requests).toHaveLength(1)
    expect(relay.metered.map(({ outcomes }) => outcomes)).toEqual(times(10, () => ['ok']))
    expect(await relay.metrics.render()).toContain('gatehouse_relay_calls_saved_total{by="sharing"} 9')
  })

  test('that come later are asked anew', async () => {
    const one = node()
    const { post } = relayTo([one])
    await post('eth_getBalance', ['0x1'])
    await post('eth_getBalance', ['0x1'])
    expect(one.requests).toHaveLength(2)
  })

  test('that are asked after a write has ended join none from before it', async () => {
    const waiting: RawRequest[] = []
    const one = node((request) => {
      if (request.body.includes('eth_sendRawTransaction')) say(`"0x${'a'.repeat(64)}"`)(request)
      else waiting.push(request)
    })
    const { post } = relayTo([one])
    const before = post('eth_getTransactionCount', ['0x1', 'pending'])
    await waitUntil('the first one waits', () => waiting.length === 1)
    expect((await post('eth_sendRawTransaction', ['0xf800'])).text).toContain('0xaaaa')
    const after = post('eth_getTransactionCount', ['0x1', 'pending'])
    await waitUntil('both wait', () => waiting.length === 2)
    waiting.forEach((request, place) => say(place === 0 ? '"0x5"' : '"0x6"')(request))
    expect([(await before).text, (await after).text]).toEqual([
      expect.stringContaining('"0x5"'),
      expect.stringContaining('"0x6"'),
    ])
  })

  test('share the failure as well, and get their credits back', async () => {
    const waiting: RawRequest[] = []
    const one = node((request) => void waiting.push(request))
    const { relay, post } = relayTo([one])
    const replies = times(5, (n) => post('eth_getBalance', ['0x1'], n))
    await waitUntil('all of them wait', () => relay.metered.length === 5 && waiting.length > 0)
    for (const request of waiting) request.reset()
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(times(5, () => 502))
    expect(relay.metered.map(({ creditsBack }) => creditsBack)).toEqual(times(5, () => [testPrice]))
  })

  test('are only reads: what may change something is sent for each', async () => {
    const one = node()
    const { post } = relayTo([one])
    await Promise.all(times(5, (n) => post('eth_sendBundle', ['0x1'], n)))
    expect(one.requests).toHaveLength(5)
  })
})

test('what lasts is asked once', async () => {
  const one = node()
  const { relay, post } = relayTo([one])
  for (let n = 0; n < 5; n++)
    expect(JSON.parse((await post('eth_chainId', [], n)).text)).toMatchObject({ id: n })
  expect(one.requests).toHaveLength(1)
  expect(relay.metered).toHaveLength(5)
})

const late = (request: RawRequest) => void setTimeout(() => say('"0x1"')(request), 150)

describe('a slow read', () => {
  test('is asked of a second upstream, and the first answer counts', async () => {
    const silent = node(() => undefined)
    const quick = node()
    const { post } = relayTo([silent, quick], {
      settings: { hedgeAfterMs: 30 },
      decisionOf: (id) => (id === 'service-0' ? 'UP' : 'LATENCY'),
    })
    expect((await post('eth_call')).status).toBe(200)
    expect([silent.requests.length, quick.requests.length]).toEqual([1, 1])
  })

  test('is not asked twice where hedging is off, and a write never is', async () => {
    for (const [hedgeAfterMs, method] of [[null, 'eth_call'] as const, [30, 'eth_sendBundle'] as const]) {
      const nodes = [node(late), node(late)]
      const { post } = relayTo(nodes, { settings: { hedgeAfterMs } })
      expect((await post(method)).status).toBe(200)
      expect(nodes.flatMap(({ requests }) => requests)).toHaveLength(1)
    }
  })
})

test('filters stay with the node that made them', async () => {
  const nodes = [node(), node(), node()]
  const { post } = relayTo(nodes)
  await post('eth_newFilter', [{}])
  for (let n = 0; n < 10; n++) await post('eth_getFilterChanges', ['0x1'])
  expect(nodes.map(({ requests }) => requests.length).toSorted((one, other) => one - other)).toEqual([
    0, 0, 11,
  ])
})

test('filters go to another node as soon as theirs is away, and not because it limits us', async () => {
  const nodes = [node(), node()]
  const { post } = relayTo(nodes)
  await post('eth_newFilter', [{}])
  const theirs = nodes.find(({ requests }) => requests.length > 0)
  const other = nodes.find(({ requests }) => requests.length === 0)
  const notFound = '"error":{"code":-32000,"message":"filter not found"}'
  other?.answer((request) => request.write(answerTo(request, notFound)))
  theirs?.answer(({ write }) => write('HTTP/1.1 429 No\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n'))
  expect((await post('eth_getFilterChanges', ['0x1'])).status).toBe(503)
  expect(other?.requests).toHaveLength(0)
  theirs?.stop()
  await waitUntil(
    'the pause is over',
    async () => (await post('eth_getFilterChanges', ['0x1'])).status !== 503,
  )
  expect((await post('eth_getFilterChanges', ['0x1'])).text).toContain(notFound)
  other?.answer(say('"0x2"'))
  expect((await post('eth_newFilter', [{}])).text).toContain('"0x2"')
  expect((await post('eth_getFilterChanges', ['0x2'])).status).toBe(200)
})

describe('an upstream that fails again and again', () => {
  test('is left alone, and tried again later', async () => {
    const bad = node(({ reset }) => reset())
    const fine = node()
    const { relay, post } = relayTo([bad, fine])
    for (let n = 0; n < 60; n++) expect((await post('eth_call', [n])).status).toBe(200)
    expect(bad.requests.length).toBeGreaterThanOrEqual(5)
    expect(bad.requests.length).toBeLessThan(20)
    expect(await relay.metrics.render()).toContain('gatehouse_relay_open_breakers 1')
    bad.answer(say('"0x1"'))
    const before = bad.requests.length
    await waitUntil('it is asked again', async () => {
      await post('eth_call', [Math.random()])
      return bad.requests.length > before + 3
    })
    expect(await relay.metrics.render()).toContain('gatehouse_relay_open_breakers 0')
  })

  test('is asked all the same when there is no other one', async () => {
    const only = node(({ reset }) => reset())
    const { post } = relayTo([only])
    for (let n = 0; n < 10; n++) expect((await post('eth_call', [n])).status).toBe(502)
    only.answer(say('"0x1"'))
    expect((await post('eth_call')).status).toBe(200)
  })
})

const failing = (request: RawRequest) =>
  request.body.includes('eth_call')
    ? request.write(answerTo(request, '"error":{"code":-32603,"message":"internal error"}'))
    : request.write(answerTo(request, '"result":"0x1"'))
const openBreakers = async ({ metrics }: { readonly metrics: { render(): Promise<string> } }) =>
  Number(/^gatehouse_relay_open_breakers (\d+)$/m.exec(await metrics.render())?.[1])

describe('a call that makes nodes fail', () => {
  test('takes none of them from other callers when all fail at it', async () => {
    const nodes = [node(failing), node(failing), node()]
    const { relay, post } = relayTo(nodes, {
      endpoint: { settings: { attempts: 2, byMethod: {} } },
      decisionOf: (id) => (id === 'service-2' ? 'DOWN' : 'UP'),
    })
    for (let n = 0; n < 20; n++) expect((await post('eth_call', [n])).status).toBe(502)
    expect(await openBreakers(relay)).toBe(0)
    expect((await post('eth_gasPrice')).status).toBe(200)
    expect(nodes[2]?.requests).toHaveLength(0)
  })

  test('speaks against one that fails at what another can do', async () => {
    const nodes = [node(failing), node()]
    const { relay, post } = relayTo(nodes)
    for (let n = 0; n < 60; n++) expect((await post('eth_call', [n])).status).toBe(200)
    expect(await openBreakers(relay)).toBe(1)
    expect(nodes[0]?.requests.length).toBeLessThan(20)
  })
})

const overloaded = (request: RawRequest) =>
  request.write(answerTo(request, '"error":{"code":-32005,"message":"daily request limit reached"}'))

describe('an upstream that has too much to do', () => {
  test('is not noticed while there is another one', async () => {
    const { post } = relayTo([node(overloaded), node()])
    for (let n = 0; n < 10; n++) expect((await post('eth_call', [n])).text).toContain('"result"')
  })

  test('is a limit when there is none, and nothing is charged', async () => {
    const { relay, post } = relayTo([node(overloaded)])
    const { status, text } = await post('eth_call')
    expect(status).toBe(503)
    expect(JSON.parse(text)).toMatchObject({ error: { data: { reason: 'upstream_limited' } } })
    expect(relay.metered[0]).toMatchObject({ outcomes: ['unanswered'], creditsBack: [testPrice] })
  })
})

test('an error in JSON-RPC is an answer and is charged, with whatever status it comes', async () => {
  const bitcoin = node((request) => {
    const body = `{"result":null,"error":{"code":-8,"message":"Block height out of range"},"id":${idIn(request)}}`
    request.write(`HTTP/1.1 500 Internal Server Error\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  })
  const { relay, post } = relayTo([bitcoin], { endpoint: { family: 'bitcoin' } })
  const { status, text } = await post('getblockhash', [9_999_999])
  expect(status).toBe(200)
  expect(JSON.parse(text)).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -8, message: 'Block height out of range' },
  })
  expect(relay.metered[0]).toMatchObject({ outcomes: ['error'], creditsBack: [0] })
})

test('a Solana transaction on a block that one node lacks goes to the next; when all lack it, the sender is told', async () => {
  const message = 'Transaction simulation failed: Blockhash not found'
  const lacking = (request: RawRequest) =>
    request.write(answerTo(request, `"error":{"code":-32002,"message":"${message}"}`))
  const endpoint = { family: 'solana' } as const
  const one = relayTo([node(lacking), node(say('"5VERv8"'))], { endpoint })
  for (let n = 0; n < 4; n++) {
    expect((await one.post('sendTransaction', [`${n}`])).text).toContain('"result":"5VERv8"')
  }
  const all = relayTo([node(lacking), node(lacking)], { endpoint })
  const { status, text } = await all.post('sendTransaction', ['1'])
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ error: { code: -32_002, message } })
})

test('an error that has no version and names no call is that of something in front of a node, and is not quoted', async () => {
  const planted = '{"error":{"code":-32603,"message":"no account for planted-key"}}'
  const { relay, post } = relayTo([node(({ write }) => write(okAnswer(planted)))])
  const { status, text } = await post('eth_call')
  expect(status).toBe(502)
  expect(text).not.toContain('planted-key')
  expect(relay.metered[0]).toMatchObject({ creditsBack: [testPrice] })
  const second = relayTo([node(({ write }) => write(okAnswer(planted))), node()])
  for (let n = 0; n < 4; n++) expect((await second.post('eth_call', [n])).text).toContain('"result"')
})

test('more calls than connections wait for one, and those beyond are told to come again', async () => {
  const waiting: RawRequest[] = []
  const one = node((request) => void waiting.push(request))
  const { relay, post } = relayTo([one], { settings: { connections: 2, waiting: 3 } })
  const replies = times(7, (n) => post('eth_call', [n]))
  await waitUntil('all have come', () => relay.metered.length === 7 && waiting.length === 2)
  one.answer(say('"0x1"'))
  waiting.forEach(say('"0x1"'))
  const statuses = (await Promise.all(replies)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(statuses.filter((status) => status === 503)).toHaveLength(2)
  expect(one.connections()).toBe(2)
})

test('who waits long is not cut off by the server', async () => {
  const one = node((request) => void setTimeout(() => say('"0x1"')(request), 11_500))
  const { post } = relayTo([one], { settings: { firstByteMs: 15_000 } })
  const replies = await Promise.all([post('eth_call'), post('eth_call')])
  expect(replies.map(({ status }) => status)).toEqual([200, 200])
}, 20_000)
