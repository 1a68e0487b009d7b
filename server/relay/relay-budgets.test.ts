import { expect, test } from 'bun:test'

import { closedAfterEach } from '../../tests/support/closed-after-each.ts'
import {
  answerTo,
  type RawRequest,
  type RawUpstream,
  startRawUpstream,
} from '../../scripts/world/raw-upstream.ts'
import type { Upstream } from '../endpoints/endpoints.ts'
import { startTestRelay } from './test-support/relay-under-test.ts'

/** Tiers and budgets of upstreams, seen from outside. */

const opened = closedAfterEach()

const ok = (request: RawRequest): void => request.write(answerTo(request, '"result":"0x1"'))
const broken = (request: RawRequest): void => request.write('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n')
const limited = (request: RawRequest): void =>
  request.write('HTTP/1.1 429 Too Many\r\nretry-after: 2\r\ncontent-length: 0\r\n\r\n')

function node(answer: (request: RawRequest) => void = ok): RawUpstream {
  const raw = startRawUpstream(answer)
  opened.push(raw.stop)
  return raw
}

function relayTo(nodes: readonly [RawUpstream, Partial<Upstream>][], hedgeAfterMs: number | null = null) {
  const relay = startTestRelay({
    upstreams: nodes.map(([{ url }, more]) => ({ url, ...more })),
    endpoint: { chain: undefined },
    settings: { hedgeAfterMs },
  })
  opened.push(relay.stop)
  const send = async (body: unknown) => {
    const response = await fetch(relay.url, { method: 'POST', body: JSON.stringify(body) })
    const { status, headers } = response
    return { status, headers, answer: await response.json() }
  }
  const call = (n: number, method = 'eth_call') => send({ jsonrpc: '2.0', id: 1, method, params: [n] })
  return { relay, send, call }
}

const counts = (...nodes: RawUpstream[]): number[] => nodes.map(({ requests }) => requests.length)

test('a node of tier 1 gets nothing while one of tier 0 answers, and everything while none does', async () => {
  const [own, paid] = [node(), node()]
  const { call } = relayTo([
    [paid, { tier: 1 }],
    [own, {}],
  ])
  for (let n = 0; n < 20; n++) expect((await call(n)).status).toBe(200)
  expect(counts(own, paid)).toEqual([20, 0])
  own.answer(broken)
  for (let n = 20; n < 40; n++) expect((await call(n)).status).toBe(200)
  expect(paid.requests.length).toBe(20)
  expect(own.requests.length).toBeLessThan(30) // its circuit breaker is open
})

test('a slow read of tier 0 is not hedged with a node of tier 1', async () => {
  const [slow, paid] = [node((request) => void setTimeout(() => ok(request), 300)), node()]
  const nodes: [RawUpstream, Partial<Upstream>][] = [
    [slow, {}],
    [paid, { tier: 1 }],
  ]
  const { call } = relayTo(nodes, 30)
  expect((await call(1)).status).toBe(200)
  expect(counts(slow, paid)).toEqual([1, 0])
})

test('a transaction goes to the nodes of tier 0 alone', async () => {
  const nodes = [node(), node(), node()] as const
  const { call } = relayTo([
    [nodes[0], {}],
    [nodes[1], {}],
    [nodes[2], { tier: 1 }],
  ])
  expect((await call(1, 'eth_sendRawTransaction')).status).toBe(200)
  expect(counts(...nodes)).toEqual([1, 1, 0])
})

test('a node whose budget is spent is left alone, and all spent is 503 with its reason at no cost', async () => {
  const [small, other] = [node(), node()]
  const { relay, call } = relayTo([
    [small, { budget: { requests: 3, per: 'day' } }],
    [other, { tier: 1, budget: { credits: 40, per: 'month' } }],
  ])
  for (let n = 0; n < 5; n++) expect((await call(n)).status).toBe(200)
  expect(counts(small, other)).toEqual([3, 2])
  const { status, headers, answer } = await call(9)
  expect(status).toBe(503)
  expect(answer.error.data.reason).toBe('upstream_budget_spent')
  expect(Number(headers.get('retry-after'))).toBeWithin(1, 86_401)
  expect(headers.get('x-rpc-credits')).toBe('0')
  expect(relay.logged.at(-1)).toMatchObject({ class: 'upstream-limited', attempts: [], credits: 0 })
  const metrics = await relay.metrics.render()
  expect(metrics).toContain('upstream_budget_used{endpoint="testnet",upstream="upstream-1"} 3')
  expect(metrics).toContain('upstream_budget_limit{endpoint="testnet",upstream="upstream-2"} 40')
})

const answerAll = (request: RawRequest): void => {
  const calls: { id: unknown }[] = JSON.parse(request.body)
  const text = JSON.stringify(calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' })))
  request.write(`HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`)
}

const batch = (from: number) =>
  [0, 1, 2].map((n) => ({ jsonrpc: '2.0', id: n, method: 'eth_call', params: [from + n] }))

test('each call of a batch is a request, and a batch that does not fit goes elsewhere', async () => {
  const [small, other] = [node(), node()]
  for (const each of [small, other]) each.answer(answerAll)
  const { send } = relayTo([
    [small, { budget: { requests: 5, per: 'day' } }],
    [other, { tier: 1 }],
  ])
  expect((await send(batch(0))).status).toBe(200)
  expect((await send(batch(10))).status).toBe(200)
  expect(counts(small, other)).toEqual([1, 1])
})

test('with auto, what a node takes is learned from its refusals', async () => {
  let taken = 0
  const metered = node((request) => (++taken > 10 ? limited(request) : ok(request)))
  const { relay, call } = relayTo([
    [metered, { budget: 'auto' }],
    [node(), { tier: 1 }],
  ])
  for (let n = 0; n < 30; n++) expect((await call(n)).status).toBe(200)
  expect(metered.requests.length).toBe(11)
  expect(await relay.metrics.render()).toContain(
    'upstream_budget_limit{endpoint="testnet",upstream="upstream-1"} 9',
  )
})
