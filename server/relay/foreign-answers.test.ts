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
import { startTestRelay, type RelayScenario } from './test-support/relay-under-test.ts'

const opened = closedAfterEach()

function node(answer: (request: RawRequest) => void = good): RawUpstream {
  const raw = startRawUpstream(answer)
  opened.push(raw.stop)
  return raw
}

function relayTo(nodes: readonly RawUpstream[], world: Partial<RelayScenario> = {}) {
  const relay = startTestRelay({
    upstreams: nodes.map(({ url }, index) => ({ url, serviceId: `service-${index}` })),
    // The first one is asked first.
    decisionOf: (id) => (id === 'service-0' ? 'UP' : 'LATENCY'),
    ...world,
    settings: { hedgeAfterMs: null, ...world.settings },
  })
  opened.push(relay.stop)
  return async (call: unknown) => {
    const response = await fetch(relay.url, { method: 'POST', body: JSON.stringify(call) })
    return { status: response.status, text: await response.text() }
  }
}

const good = (request: RawRequest): void => request.write(answerTo(request, '"result":"0xgood"'))
const call = (method: string, params: unknown[] = [], id = 1) => ({ jsonrpc: '2.0', id, method, params })
const idsOf = ({ requests }: RawUpstream): number[] => requests.map(idIn)
const evil = (id: number): string => okAnswer(`{"jsonrpc":"2.0","id":${id},"result":"0xevil"}`)

describe('ids of attempts', () => {
  test('are never the same, never near each other, and the caller gets its own back', async () => {
    const one = node()
    const post = relayTo([one])
    for (let n = 0; n < 50; n++) {
      expect((await post(call('eth_call', [n], 7))).text).toBe('{"jsonrpc":"2.0","id":7,"result":"0xgood"}')
    }
    const ids = idsOf(one).toSorted((a, b) => a - b)
    expect(Math.min(...ids.slice(1).map((id, place) => id - (ids[place] ?? 0)))).toBeGreaterThan(1_000)
    expect(ids.every((id) => Number.isSafeInteger(id) && String(id).length === 14)).toBe(true)
  })

  test('differ between the attempts for one call', async () => {
    const nodes = [node(({ reset }) => reset()), node(({ reset }) => reset())]
    await relayTo(nodes)(call('eth_call'))
    const [first, second] = nodes.flatMap(idsOf)
    expect(second).toBeDefined()
    expect(first).not.toBe(second)
  })

  test('of a batch have a random base', async () => {
    const bases: number[] = []
    const one = node((request) => {
      const calls: { id: number }[] = JSON.parse(request.body)
      bases.push(calls[0]?.id ?? 0)
      request.write(okAnswer(JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: id })))))
    })
    const post = relayTo([one])
    for (let n = 0; n < 10; n++) await post([call('eth_call', [n]), call('eth_call', [n, n])])
    expect(new Set(bases).size).toBe(10)
  })
})

describe('an answer under another id', () => {
  const foreign: [name: string, answer: (request: RawRequest) => void][] = [
    ['a small one', ({ write }) => write(evil(1))],
    ['one near it', (request) => request.write(evil(idIn(request) + 1))],
    ['no id at all', ({ write }) => write(okAnswer('{"jsonrpc":"2.0","result":"0xevil"}'))],
    ['the same digits as text', (request) => request.write(answerTo(request, '"result":"0xevil","id":"7"'))],
    [
      'a failure status as well',
      ({ write }) => write(evil(1).replace('200 OK', '500 Internal Server Error')),
    ],
  ]
  test.each(foreign)('(%s) closes the connection, and another node is asked', async (_name, answer) => {
    const bad = node(answer)
    const fine = node()
    const post = relayTo([bad, fine])
    for (let n = 0; n < 6; n++) {
      expect((await post(call('eth_call', [n]))).text).toBe('{"jsonrpc":"2.0","id":1,"result":"0xgood"}')
    }
    expect(bad.requests.length).toBeGreaterThan(0)
    expect(bad.connections()).toBe(bad.requests.length)
    await waitUntil('they are closed', () => bad.openConnections() === 0)
  })

  test('is never cached', async () => {
    const one = node(({ write }) => write(evil(1)))
    const post = relayTo([one])
    expect((await post(call('eth_chainId'))).status).toBe(502)
    one.answer(good)
    expect((await post(call('eth_chainId'))).text).toContain('0xgood')
  })

  test.each([
    ['twice', (ids: number[]) => [...ids, ids[0]]],
    ['for another batch', (ids: number[]) => ids.map((id) => id + ids.length)],
    ['for one call of another batch', (ids: number[]) => [...ids, 1]],
  ])('in a batch (%s) makes all of it malformed', async (_name, change) => {
    const bad = node((request) => {
      const ids = JSON.parse(request.body).map(({ id }: { id: number }) => id)
      const answers = change(ids).map((id) => ({ jsonrpc: '2.0', id, result: '0xevil' }))
      request.write(okAnswer(JSON.stringify(answers)))
    })
    const reply = await relayTo([bad])([call('eth_call'), call('eth_gasPrice', [], 2)])
    expect(reply.status).toBe(502)
    expect(reply.text).not.toContain('0xevil')
    await waitUntil('it is closed', () => bad.openConnections() === 0)
  })
})

test('a surplus answer on a kept connection reaches nobody, and shifts no later one', async () => {
  const results: string[] = []
  const one = node((request) => {
    const { id, params } = JSON.parse(request.body)
    const answer = okAnswer(JSON.stringify({ jsonrpc: '2.0', id, result: params[0] }))
    request.write(answer)
    setTimeout(() => request.write(answer), Math.random() * 3)
  })
  const post = relayTo([one, node((request) => request.write(answerTo(request, `"result":"other"`)))])
  for (let n = 0; n < 200; n++) {
    const { text } = await post(call('eth_call', [`own-${n}`]))
    if (!text.includes(`"own-${n}"`) && !text.includes('"other"')) results.push(text)
  }
  expect(results).toEqual([])
})

test('bytes that come while a connection is idle close it', async () => {
  const one = node()
  const post = relayTo([one])
  await post(call('eth_call'))
  one.requests[0]?.write('H')
  await waitUntil('it is closed', () => one.openConnections() === 0)
  expect((await post(call('eth_call'))).status).toBe(200)
  expect(one.connections()).toBe(2)
})
