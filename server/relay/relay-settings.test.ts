import { expect, test } from 'bun:test'

import { closedAfterEach } from '../../tests/support/closed-after-each.ts'
import {
  answerTo,
  type RawRequest,
  type RawUpstream,
  startRawUpstream,
} from '../../scripts/world/raw-upstream.ts'
import { EndpointSettings } from '../../shared/call-settings.ts'
import { startTestRelay } from './test-support/relay-under-test.ts'

/** What an endpoint sets for its calls and for some of its methods, seen from outside. */

const opened = closedAfterEach()

const ok = (request: RawRequest): void => request.write(answerTo(request, '"result":"0x1"'))
const silent = (): void => undefined

function node(answer: (request: RawRequest) => void): RawUpstream {
  const raw = startRawUpstream(answer)
  opened.push(raw.stop)
  return raw
}

const bad = (): RawUpstream =>
  node((request) => request.write('HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n'))

function relayTo(nodes: readonly RawUpstream[], settings: object) {
  const relay = startTestRelay({
    upstreams: nodes.map(({ url }) => ({ url })),
    endpoint: { settings: EndpointSettings.parse(settings), chain: undefined },
  })
  opened.push(relay.stop)
  const send = async (body: string) => {
    const response = await fetch(relay.url, { method: 'POST', body })
    return { status: response.status, text: await response.text() }
  }
  const call = (method: string, params: unknown[] = []) =>
    send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  return { relay, send, call }
}

const attemptsOf = ({ relay }: ReturnType<typeof relayTo>) => relay.logged.at(-1)?.attempts ?? []

test('the time to first byte is that of the method', async () => {
  const hung = node(silent)
  const world = relayTo([hung], { hedge: 'off', byMethod: { eth_call: { firstByteMs: 100, attempts: 1 } } })
  const { status, text } = await world.call('eth_call')
  expect(status).toBe(504)
  expect(text).toContain('"reason":"upstream_timeout"')
  expect(attemptsOf(world)).toHaveLength(1)
  expect(attemptsOf(world)[0]?.class).toBe('timeout')
  expect(attemptsOf(world)[0]?.ms).toBeWithin(90, 5_000) // the built-in time is 10 s
  expect(world.relay.metered[0]?.creditsBack).toEqual([20])
})

test('the total time ends all attempts of a method, and no other call', async () => {
  const nodes = [node(silent), node(silent), node(silent)]
  const world = relayTo(nodes, { hedge: 'off', byMethod: { 'eth_*': { totalMs: 150 } } })
  expect((await world.call('eth_call')).status).toBe(504)
  expect(attemptsOf(world)).toHaveLength(1)
  for (const each of nodes) each.answer((request) => void setTimeout(() => ok(request), 400))
  expect((await world.call('net_version')).status).toBe(200)
})

test('attempts are as many as the method has', async () => {
  const world = relayTo([bad(), bad(), bad(), bad()], {
    attempts: 4,
    byMethod: { net_version: { attempts: 2 } },
  })
  await world.call('eth_call')
  expect(attemptsOf(world)).toHaveLength(4)
  await world.call('net_version')
  expect(attemptsOf(world)).toHaveLength(2)
})

test('a slow read is hedged after the time of its method, or never', async () => {
  const nodes = [node(silent), node(silent)]
  let asked = 0
  for (const each of nodes) each.answer((request) => (asked++ === 0 ? undefined : ok(request)))
  const world = relayTo(nodes, {
    firstByteMs: 2_000,
    hedge: 'off',
    byMethod: { eth_call: { hedge: 50 }, net_version: { attempts: 1 } },
  })
  expect((await world.call('eth_call')).status).toBe(200)
  expect(world.relay.logged.at(-1)?.tookMs).toBeWithin(45, 1_900)
  asked = 0
  expect((await world.call('net_version')).status).toBe(504)
  expect(asked).toBe(1)
})

test('an answer that is larger than its method may have has an error of its own, once, and the node is not blamed', async () => {
  const long = `"result":"0x${'ab'.repeat(3_000)}"`
  const nodes = [1, 2].map(() => node((request) => request.write(answerTo(request, long))))
  const world = relayTo(nodes, { hedge: 'off', byMethod: { eth_getCode: { answerBytes: 4_096 } } })
  for (let n = 0; n < 8; n++) {
    const { status, text } = await world.call('eth_getCode', [n])
    expect([status, JSON.parse(text).error.data]).toEqual([502, { reason: 'answer_too_large' }])
  }
  expect(nodes[0]!.requests.length + nodes[1]!.requests.length).toBe(8)
  expect(world.relay.logged.at(-1)).toMatchObject({ class: 'too-large', attempts: [{ class: 'too-large' }] })
  expect(world.relay.metered.flatMap(({ creditsBack }) => creditsBack)).toEqual(Array(8).fill(20))
  expect((await world.call('eth_call')).status).toBe(200)
  expect(await world.relay.metrics.render()).not.toContain('class="node-failure"')
})

test('a request with six blobs passes, and its length is that of its methods', async () => {
  const one = node(ok)
  const six = `0x${'ab'.repeat(6 * (131_072 + 48 + 48))}`
  const world = relayTo([one], { byMethod: { eth_call: { bodyBytes: 2_048 } } })
  expect((await world.call('eth_sendRawTransaction', [six])).status).toBe(200)
  const { status, text } = await world.call('eth_call', ['x'.repeat(3_000)])
  expect(status).toBe(413)
  expect(text).toContain('at most 2048 bytes')
  const tooLong = await world.send(' '.repeat(5_242_881))
  expect([tooLong.status, tooLong.text.includes('at most 5242880 bytes')]).toEqual([413, true])
  expect(world.relay.metered).toHaveLength(1)
})
