import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { type Anvil, startAnvil } from '../../../scripts/world/anvil.ts'
import { findFreePort } from '../../../scripts/world/free-port.ts'
import { parseDomainRule } from '../../../shared/allowed-domains.ts'
import { callBounds } from '../../../shared/call-settings.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import {
  keyValue,
  type TestRelay,
  startTestRelay,
  testPrice,
  type RelayScenario,
} from '../test-support/relay-under-test.ts'
import { startScriptedNode } from './test-support/scripted-node.ts'
import { closeSocketClients, connectSocket } from './test-support/socket-client.ts'
import { covers } from '../../../tests/support/covers.ts'

let anvil: Anvil
const relays: TestRelay[] = []
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, timestamp: 1_700_000_000, blocks: 'on-demand' })
})
afterAll(() => anvil?.stop())
afterEach(async () => {
  closeSocketClients()
  await Promise.all(relays.splice(0).map((relay) => relay.stop()))
})

function start(world: Partial<RelayScenario> = {}): TestRelay {
  const relay = startTestRelay({ upstreams: [{ url: anvil.url }], ...world })
  relays.push(relay)
  return relay
}

const openSockets = async (relay: TestRelay): Promise<number> =>
  Number(/^gatehouse_relay_web_sockets (\d+)$/m.exec(await relay.metrics.render())?.[1] ?? Number.NaN)

describe('calls by WebSocket', () => {
  test('are answered, metered and priced as calls by HTTP are', async () => {
    covers('query-keys-give-access')
    const relay = start()
    const socket = await connectSocket(relay.webSocketUrl)
    const text = '{"jsonrpc":"2.0","id":7.0,"method":"eth_chainId"}'
    socket.send(text)
    await waitUntil('it is answered', () => socket.received.length === 1)
    expect(socket.received).toEqual(['{"jsonrpc":"2.0","id":7.0,"result":"0x7a69"}'])
    expect(relay.metered).toMatchObject([
      {
        calls: [{ method: 'eth_chainId', credits: testPrice }],
        bytesIn: text.length,
        outcomes: ['ok'],
        creditsBack: [0],
      },
    ])
  })

  test('stand many in a message, which is answered in one', async () => {
    const socket = await connectSocket(start().webSocketUrl)
    const [one, two] = [1, 2].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`)
    socket.send(`[${one},${two},{"jsonrpc":"2.0","method":"eth_chainId"}]`)
    await waitUntil('it is answered', () => socket.received.length === 1)
    expect(JSON.parse(socket.received[0] ?? '')).toMatchObject([{ id: 1 }, { id: 2 }])
  })

  test('with the key in a header', async () => {
    const relay = start()
    const url = relay.webSocketUrl.replace(`/${keyValue}`, '')
    for (const headers of [{ authorization: `Bearer ${keyValue}` }, { 'x-api-key': keyValue }]) {
      const socket = await connectSocket(url, headers)
      expect(await socket.call('eth_chainId')).toMatchObject({ result: '0x7a69' })
    }
  })

  test.each([
    ['{', -32700],
    ['[]', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"eth_chainId"}', -32600],
    [`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":${'['.repeat(64)}${']'.repeat(64)}}`, -32700],
    ['{"jsonrpc":"2.0","id":1,"method":"debug_x"}', -32601],
  ])('that cannot be read are answered by an error, and cost nothing: %s', async (text, code) => {
    const relay = start({ denied: ['debug_x'] })
    const socket = await connectSocket(relay.webSocketUrl)
    socket.send(text)
    await waitUntil('it is answered', () => socket.received.length === 1)
    expect(JSON.parse(socket.received[0] ?? '')).toMatchObject({ error: { code } })
    expect(relay.metered).toEqual([])
    expect(await socket.call('eth_chainId')).toMatchObject({ result: '0x7a69' })
  })

  test('beyond a limit are answered by an error that says when to ask again', async () => {
    const relay = start({ rate: { units: 2, period: 'minute' } })
    const socket = await connectSocket(relay.webSocketUrl)
    const answers = await Promise.all([1, 2, 3].map(() => socket.call('eth_chainId')))
    expect(answers.map(({ error }) => error?.code ?? 0)).toEqual([0, 0, -32005])
    expect(answers[2]?.error?.data).toMatchObject({ reason: 'rate', retryAfterMs: expect.any(Number) })
    expect(relay.refused).toEqual([{ calls: 1, limit: 'rate' }])
  })

  test('that no node answers cost nothing', async () => {
    const port = await findFreePort()
    const relay = start({ upstreams: [{ url: `http://127.0.0.1:${port}` }] })
    const socket = await connectSocket(relay.webSocketUrl)
    expect(await socket.call('eth_call')).toMatchObject({ error: { code: -32002 } })
    expect(await socket.call('eth_subscribe', ['newHeads'])).toMatchObject({ error: { code: -32002 } })
    expect(relay.metered.map(({ outcomes, creditsBack }) => [outcomes, creditsBack])).toEqual([
      [['unanswered'], [testPrice]],
      [['unanswered'], [testPrice]],
    ])
  })

  test('many at once wait for each other', async () => {
    const relay = start({ settings: { messagesInFlight: 2 } })
    const socket = await connectSocket(relay.webSocketUrl)
    const answers = await Promise.all(Array.from({ length: 100 }, () => socket.call('eth_blockNumber')))
    expect(answers.every(({ result }) => typeof result === 'string')).toBe(true)
    expect(relay.metered).toHaveLength(100)
  })
})

const upgrade = (url: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    headers: {
      upgrade: 'websocket',
      connection: 'upgrade',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      ...headers,
    },
  })

function domainRule(text: string) {
  const reading = parseDomainRule(text)
  if (reading.kind === 'refused') throw new Error(reading.why)
  return reading.rule
}

describe('a WebSocket is not opened', () => {
  test('with a wrong key, by a wrong page, or for an endpoint that is gone', async () => {
    const relay = start({ key: { allowedDomains: [domainRule('good.example')] } })
    expect((await upgrade(`${relay.origin}/rpc/testnet/wrong`)).status).toBe(401)
    expect((await upgrade(`${relay.origin}/rpc/testnet`)).status).toBe(401)
    expect((await upgrade(relay.url, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await upgrade(relay.url)).status).toBe(403)
    const gone = start({ findEndpoint: () => undefined })
    expect((await upgrade(gone.url)).status).toBe(404)
    const socket = await connectSocket(relay.webSocketUrl, { origin: 'https://good.example' })
    expect(await socket.call('eth_chainId')).toMatchObject({ result: '0x7a69' })
  })

  test('beyond the most of a key; one that is closed makes room', async () => {
    const relay = start({ settings: { socketsPerKey: 2 } })
    const [first] = [await connectSocket(relay.webSocketUrl), await connectSocket(relay.webSocketUrl)]
    const refused = await upgrade(relay.url)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      error: { message: expect.stringContaining('2 open WebSockets') },
    })
    first?.close()
    await waitUntil('there is room', () =>
      connectSocket(relay.webSocketUrl).then(
        () => true,
        () => false,
      ),
    )
  })
})

describe('a connection is closed within a second', () => {
  test.each([
    ['its key is revoked, disabled or expired', { kind: 'invalid' }, 'may not be used here any more'],
    ['its address is not allowed any more', { kind: 'ip_not_allowed' }, 'from this address'],
    ['its page is not allowed any more', { kind: 'domain_not_allowed' }, 'by this page'],
  ] as const)('when %s, silent as it may be (1008)', async (_, refused, reason) => {
    let isRefused = false
    const relay: TestRelay = start({
      authorize: () => ({ ...(isRefused ? refused : { kind: 'allowed' }), key: relay.key }),
    })
    const silent = await connectSocket(relay.webSocketUrl)
    const busy = await connectSocket(relay.webSocketUrl)
    await busy.call('eth_chainId')
    const at = performance.now()
    isRefused = true
    busy.send('{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}')
    for (const socket of [busy, silent]) {
      expect(await socket.untilClosed()).toMatchObject({
        code: 1008,
        reason: expect.stringContaining(reason),
      })
    }
    expect(performance.now() - at).toBeLessThan(1_000)
    expect(busy.received).toHaveLength(1)
  })

  test('when its endpoint is gone', async () => {
    let isThere = true
    const relay = start({ findEndpoint: (endpoint) => (isThere ? endpoint : undefined) })
    const socket = await connectSocket(relay.webSocketUrl)
    isThere = false
    expect(await socket.untilClosed()).toMatchObject({
      code: 1008,
      reason: expect.stringContaining('endpoint'),
    })
  })
})

test('a changed limit holds for connections that are open', async () => {
  let rate: RelayScenario['rate'] = null
  const relay: TestRelay = start({
    authorize: () => ({ kind: 'allowed', key: { ...relay.key, rate: rate ?? null } }),
  })
  const socket = await connectSocket(relay.webSocketUrl)
  await socket.call('eth_chainId')
  rate = { units: 1, period: 'hour' }
  const answers = [await socket.call('eth_chainId'), await socket.call('eth_chainId')]
  expect(answers.map(({ error }) => error?.code ?? 0)).toEqual([0, -32005])
})

/** RFC 6455 section 5.2: clients mask what they send. */
function maskedFrame(text: string): Uint8Array {
  const payload = new TextEncoder().encode(text)
  return new Uint8Array([0x81, 0x80 | payload.length, 0, 0, 0, 0, ...payload])
}

const callText = (id: number): string => `{"jsonrpc":"2.0","id":${id},"method":"eth_call"}`
const tooLong = { reason: 'payload_too_large' }

const answeredCalls = ({ metered }: TestRelay): number =>
  metered.filter(({ outcomes }) => outcomes !== null).length

function startWithAnswersOf(chars: number) {
  const node = startScriptedNode(
    () => undefined,
    () => 'x'.repeat(chars),
  )
  return { node, relay: start({ upstreams: [{ url: node.url }] }) }
}

/** Opens a WebSocket that is not read before `read` is called. */
async function connectPaused({ url, port }: TestRelay) {
  let received = 0
  let isReading = false
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(each, chunk) {
        received += chunk.length
        if (!isReading) each.pause()
      },
    },
  })
  socket.write(`GET ${new URL(url).pathname} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n`)
  socket.write(
    'Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  )
  return {
    received: () => received,
    send: (frame: Uint8Array) => void socket.write(frame),
    read() {
      isReading = true
      socket.resume()
    },
    end: () => socket.terminate(),
  }
}

describe('nobody takes more than their share', () => {
  test.each([
    ['short', 30, 1_000_000],
    ['long', 6, 12_000_000],
  ])(
    'who does not read %s answers is cut off, and others are served',
    async (_, calls, chars) => {
      const { relay, node } = startWithAnswersOf(chars)
      const slow = await connectPaused(relay)
      for (let sent = 0; sent < calls; sent++) slow.send(maskedFrame(callText(sent)))
      await waitUntil(
        'the relay has no such connection any more',
        async () => relay.metered.length > calls / 6 && (await openSockets(relay)) === 0,
      )
      const other = await connectSocket(relay.webSocketUrl)
      expect(await other.call('eth_call')).toMatchObject({ result: expect.any(String) })
      slow.end()
      await node.stop()
    },
    20_000,
  )

  test('who takes long over long answers may ask for more meanwhile', async () => {
    const { relay, node } = startWithAnswersOf(12_000_000)
    const slow = await connectPaused(relay)
    for (const id of [1, 2]) slow.send(maskedFrame(callText(id)))
    await waitUntil('both answers are on their way', () => answeredCalls(relay) === 2)
    slow.send(maskedFrame('{"jsonrpc":"2.0","id":3,"method":"eth_gasPrice"}'))
    await waitUntil('the third call is answered, too', () => answeredCalls(relay) === 3)
    slow.read()
    await waitUntil('all has come', () => slow.received() > 3 * 12_000_000)
    expect(await openSockets(relay)).toBe(1)
    slow.end()
    await node.stop()
  }, 20_000)

  test('a message is as long as a body may be; what is longer is refused by its id, and nothing else ends', async () => {
    const relay = start({ endpoint: { bodyBounds: { all: 3_000_000, some: 3_000_000 } } })
    const socket = await connectSocket(relay.webSocketUrl)
    const call = (chars: number) => socket.call('eth_chainId', { long: 'x'.repeat(chars) })
    expect(await call(2_900_000)).not.toMatchObject({ error: { data: { reason: 'payload_too_large' } } })
    const error = { code: -32600, message: expect.stringContaining('3000000'), data: tooLong }
    expect(await call(3_000_000)).toMatchObject({ id: 'call-2', error })
    expect(relay.logged.at(-1)).toMatchObject({ status: 413, class: 'invalid' })
    socket.send(`[${callText(1)},"${'x'.repeat(3_000_000)}"]`)
    await waitUntil('it is answered', () => socket.received.length === 3)
    expect(JSON.parse(socket.received[2] ?? '')).toMatchObject({ id: null, error })
    expect(await socket.call('eth_chainId')).toMatchObject({ result: '0x7a69' })
  })

  test('long messages wait for each other', async () => {
    const relay = start({ settings: { charsInFlight: 1_000 } })
    const socket = await connectSocket(relay.webSocketUrl)
    const long = { long: 'x'.repeat(900) }
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => socket.call('eth_call', long)),
      socket.call('eth_chainId'),
    ])
    expect(answers[3]).toMatchObject({ result: '0x7a69' })
    expect(relay.metered).toHaveLength(4)
  })

  test('a message that is longer than any body may be ends the connection', async () => {
    const socket = await connectSocket(start().webSocketUrl)
    socket.send('x'.repeat(callBounds.bodyBytes.most + 1))
    expect(await socket.untilClosed()).toMatchObject({ code: 1009 })
  })

  test('so do too many that wait', async () => {
    const relay = start({ settings: { messagesInFlight: 1, messagesQueued: 10 } })
    const socket = await connectSocket(relay.webSocketUrl)
    for (let sent = 0; sent < 100; sent++)
      socket.send(`{"jsonrpc":"2.0","id":${sent},"method":"eth_blockNumber"}`)
    expect(await socket.untilClosed()).toMatchObject({
      code: 1008,
      reason: expect.stringContaining('too many messages'),
    })
  })
})

test('when the server goes away, what is under way is answered, and then the connection ends with 1001', async () => {
  const relay = start()
  const [idle, busy] = [await connectSocket(relay.webSocketUrl), await connectSocket(relay.webSocketUrl)]
  const answered = busy?.call('eth_blockNumber')
  await waitUntil('it has arrived', () => relay.metered.length === 1)
  const left = relay.relay.drainSockets()
  expect(await answered).toMatchObject({ result: expect.any(String) })
  expect(await idle?.untilClosed()).toMatchObject({ code: 1001 })
  expect(await busy?.untilClosed()).toMatchObject({ code: 1001 })
  await left
  await expect(connectSocket(relay.webSocketUrl)).rejects.toThrow('not opened')
})
