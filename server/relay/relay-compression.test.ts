import { afterEach, expect, test } from 'bun:test'

import { gzipSync } from 'node:zlib'

import { idIn, okAnswer, type RawRequest, startRawUpstream } from '../../scripts/world/raw-upstream.ts'
import { startTestRelay, testPrice } from './test-support/relay-under-test.ts'

const opened: (() => unknown)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

const isAsked = ({ head }: RawRequest): boolean => head.includes('accept-encoding: zstd, br, gzip\r\n')
const isNotAsked = ({ head }: RawRequest): boolean => head.includes('accept-encoding: identity\r\n')

/** Answers with results as long as the parameter of the call says, compressed where that is asked for. */
function answer(request: RawRequest): void {
  const sent: unknown = JSON.parse(request.body)
  if (Array.isArray(sent)) {
    return request.write(
      okAnswer(JSON.stringify(sent.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' })))),
    )
  }
  const length: number = JSON.parse(request.body).params[0]
  const text = `{"jsonrpc":"2.0","id":${idIn(request)},"result":"${'ü'.repeat(length)}"}`
  if (isNotAsked(request)) return request.write(okAnswer(text))
  const bytes = gzipSync(text)
  request.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n\r\n`)
  request.write(bytes)
}

function start(compression: boolean) {
  const node = startRawUpstream(answer)
  const relay = startTestRelay({ upstreams: [{ url: node.url, compression }] })
  opened.push(node.stop, relay.stop)
  const send = async (body: unknown) => {
    const response = await fetch(relay.url, { method: 'POST', body: JSON.stringify(body) })
    return { text: await response.text(), credits: response.headers.get('x-rpc-credits') }
  }
  const call = (method: string, length: number) => send({ jsonrpc: '2.0', id: 1, method, params: [length] })
  return { node, relay, send, call }
}

test('methods that have given long answers are asked for compressed, and no others', async () => {
  const { node, call } = start(true)
  await call('eth_call', 100)
  await call('eth_call', 100)
  expect(node.requests.every(isNotAsked)).toBe(true)
  const long = 'ü'.repeat(5_000)
  for (let count = 0; count < 3; count++) {
    expect((await call('eth_getLogs', long.length)).text).toBe(`{"jsonrpc":"2.0","id":1,"result":"${long}"}`)
  }
  expect(node.requests.slice(2).map(isAsked)).toEqual([false, true, true])
  await call('eth_call', 100)
  expect(node.requests.slice(5).map(isAsked)).toEqual([false])
  expect((await call('eth_getLogs', 0)).text).toBe('{"jsonrpc":"2.0","id":1,"result":""}')
  // A kept connection carries both.
  expect(node.connections()).toBe(1)
})

test('a long batch is asked for compressed, and a short one is not', async () => {
  const { node, send } = start(true)
  for (const length of [19, 20]) {
    await send(Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_call', params: [id] })))
  }
  expect(node.requests.map(isAsked)).toEqual([false, true])
})

test('an upstream without compression is never asked for it', async () => {
  const { node, call } = start(false)
  for (let count = 0; count < 3; count++) await call('eth_getLogs', 5_000)
  expect(node.requests.every(isNotAsked)).toBe(true)
})

test('a bomb has a class of its own and counts against its node, and another node is asked', async () => {
  const bytes = gzipSync(Buffer.alloc(64 << 20, 0x20))
  const bad = startRawUpstream((request) => {
    request.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n\r\n`)
    request.write(bytes)
  })
  const good = startRawUpstream(answer)
  const relay = startTestRelay({
    upstreams: [
      { url: bad.url, serviceId: 'bad' },
      { url: good.url, tier: 1 },
    ],
    settings: { hedgeAfterMs: null },
  })
  opened.push(bad.stop, good.stop, relay.stop)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [2] })
  const response = await fetch(relay.url, { method: 'POST', body })
  expect(await response.json()).toMatchObject({ result: 'üü' })
  expect(response.headers.get('x-rpc-credits')).toBe(String(testPrice))
  expect(relay.logged.at(-1)?.attempts.map((attempt) => attempt.class)).toEqual([
    'decompression-bomb',
    'answer',
  ])
  expect(relay.suspected).toEqual(['bad'])
})
