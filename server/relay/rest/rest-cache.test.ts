import { afterEach, expect, test } from 'bun:test'

import type { MethodSettings } from '../../../shared/call-settings.ts'
import { testPrice } from '../test-support/relay-under-test.ts'
import { startRestRelay } from './test-support/rest-relay.ts'

const opened: (() => unknown)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
const pattern = 'GET /v1/**'

type Answer = (request: Request) => Response

/** A node that answers as the test says, and an endpoint that keeps its answers. */
function world(rule: MethodSettings, answer: Answer = () => Response.json({ at: seenAt() })) {
  const seen: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      seen.push(request.url.slice(server.url.origin.length))
      return answer(request)
    },
  })
  opened.push(() => server.stop(true))
  const relay = startRestRelay([{ url: server.url.origin }], [pattern, 'POST /v1/**'], {
    endpoint: {
      settings: { byMethod: { [pattern]: rule } },
      conditionalPrices: { cached: 1, logsPer1000Blocks: 0 },
    },
  })
  opened.push(relay.stop)
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(relay.url + path, init)
    return [response.headers.get('x-gatehouse-cache'), response] as const
  }
  return { relay, seen, ask }
}

let answers = 0
const seenAt = () => ++answers

test('an answer is kept by its rule, with its headers, for whoever asks the same in any order', async () => {
  const headers = { 'content-type': 'application/octet-stream', 'eth-consensus-version': 'deneb', etag: 'x' }
  const { relay, seen, ask } = world({ cacheFor: 'forever' }, () => new Response(bytes, { headers }))
  const [first] = await ask('/v1/blocks?a=1&b=2')
  const [again, response] = await ask('/v1/blocks?b=2&a=1')
  expect([first, again, response.status]).toEqual(['miss', 'hit', 200])
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  expect(response.headers.get('eth-consensus-version')).toBe('deneb')
  expect([response.headers.get('etag'), response.headers.get('x-rpc-credits')]).toEqual([null, '1'])
  expect(seen).toEqual(['/v1/blocks?a=1&b=2'])
  expect(relay.metered).toMatchObject([
    { outcomes: ['ok'], creditsBack: [0] },
    { outcomes: ['cached'], creditsBack: [testPrice - 1] },
  ])
  expect(relay.logged).toMatchObject([{ class: 'answer' }, { class: 'cache', credits: 1, attempts: [] }])
})

test.each([
  ['another path', '/v1/other', {}],
  ['another query', '/v1/blocks?a=2', {}],
  ['other values of one name', '/v1/blocks?a=2&a=1', {}],
  ['another type', '/v1/blocks?a=1&a=2', { headers: { accept: 'application/octet-stream' } }],
  ['another height', '/v1/blocks?a=1&a=2', { headers: { 'x-cosmos-block-height': '7' } }],
  ['a body', '/v1/blocks?a=1&a=2', { method: 'POST', body: '{}' }],
] as const)('%s is another call', async (_, path, init) => {
  const { seen, ask } = world({ cacheFor: '1h' })
  await ask('/v1/blocks?a=1&a=2')
  expect((await ask(path, init))[0]).toBe('miss')
  expect(seen).toHaveLength(2)
})

test('HEAD and GET are one call', async () => {
  const { seen, ask } = world({ cacheFor: '1h' })
  const [first, head] = await ask('/v1/blocks', { method: 'HEAD' })
  const [again, response] = await ask('/v1/blocks')
  expect([first, again, seen.length]).toEqual(['miss', 'hit', 1])
  const length = (await response.text()).length
  expect([await head.text(), Number(head.headers.get('content-length'))]).toEqual(['', length])
})

test.each([
  ['a status other than 200', () => Response.json({}, { status: 404 })],
  ['206', () => Response.json({}, { status: 206 })],
  ['what its node does not want kept', () => Response.json({}, { headers: { 'cache-control': 'no-store' } })],
  ['what is private', () => Response.json({}, { headers: { 'cache-control': 'max-age=5, private' } })],
] as const)('%s is not kept', async (_, answer: Answer) => {
  const { seen, ask } = world({ cacheFor: 'forever' }, answer)
  for (let count = 0; count < 2; count++) expect((await ask('/v1/blocks'))[0]).toBe('miss')
  expect(seen).toHaveLength(2)
})

test('without a rule, and once its time is over, a node is asked', async () => {
  const none = world({})
  for (let count = 0; count < 2; count++) expect((await none.ask('/v1/blocks'))[0]).toBe('miss')
  const short = world({ cacheFor: '1s' })
  const [, first] = await short.ask('/v1/blocks')
  const told = await first.text()
  const until = performance.now() + 1_000
  let latest = told
  while (latest === told) {
    const [state, response] = await short.ask('/v1/blocks')
    latest = await response.text()
    expect([state, latest === told]).toEqual(latest === told ? ['hit', true] : ['miss', false])
  }
  expect(performance.now()).toBeGreaterThan(until - 50)
})

test('a key that may not call the path gets nothing of what is kept', async () => {
  const { relay, ask } = world({ cacheFor: 'forever' })
  await ask('/v1/blocks')
  expect((await fetch(`${relay.origin}/rpc/testnet/wrong/v1/blocks`)).status).toBe(401)
})
