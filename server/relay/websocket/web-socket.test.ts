import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'

import { type Anvil, startAnvil } from '../../../scripts/world/anvil.ts'
import { findFreePort } from '../../../scripts/world/free-port.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import {
  keyValue,
  type RunningRelay,
  startRelay,
  testPrice,
  type World,
} from '../test-support/relay-under-test.ts'
import { closeSocketClients, connectSocket } from './test-support/socket-client.ts'

let anvil: Anvil
const relays: RunningRelay[] = []
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 31_337, timestamp: 1_700_000_000, blocks: 'on-demand' })
})
afterAll(() => anvil?.stop())
afterEach(async () => {
  closeSocketClients()
  await Promise.all(relays.splice(0).map((relay) => relay.stop()))
})

function start(world: Partial<World> = {}): RunningRelay {
  const relay = startRelay({ upstreams: [{ url: anvil.url }], ...world })
  relays.push(relay)
  return relay
}

let mined = 1_700_000_100
const mine = () => anvil.mine([mined++])

describe('calls by WebSocket', () => {
  test('[query-keys-give-access] are answered, metered and priced as calls by HTTP are', async () => {
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
    const call = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId"}`
    socket.send(`[${call(1)},${call(2)},{"jsonrpc":"2.0","method":"eth_chainId"}]`)
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
    const relay = start({ settings: { messagesUnderWay: 2 } })
    const socket = await connectSocket(relay.webSocketUrl)
    const answers = await Promise.all(Array.from({ length: 100 }, () => socket.call('eth_blockNumber')))
    expect(answers.every(({ result }) => typeof result === 'string')).toBe(true)
    expect(relay.metered).toHaveLength(100)
  })
})

describe('a WebSocket is not opened', () => {
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

  test('with a wrong key, by a wrong page, or for an endpoint that is gone', async () => {
    const relay = start({ key: { allowedDomains: ['good.example'] } })
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

describe('subscriptions', () => {
  test('are told of what happens, by a real node, and cost credits', async () => {
    const relay = start()
    const socket = await connectSocket(relay.webSocketUrl)
    const { result: id } = await socket.call('eth_subscribe', ['newHeads'])
    expect(id).toMatch(/^0x/)
    await mine()
    await mine()
    await waitUntil('two are told', () => socket.notifications().length === 2)
    const [first, second] = socket.notifications()
    expect([first?.params?.subscription, second?.params?.subscription]).toEqual([id, id] as string[])
    expect(first?.params?.result).toMatchObject({ number: expect.stringMatching(/^0x/) })
    expect(relay.metered.map(({ calls, outcomes }) => [calls[0]?.method, outcomes])).toEqual([
      ['eth_subscribe', ['ok']],
      ['eth_subscription', ['ok']],
      ['eth_subscription', ['ok']],
    ])
    expect(await socket.call('eth_unsubscribe', [id])).toMatchObject({ result: true })
    await mine()
    expect(await socket.call('eth_unsubscribe', [id])).toMatchObject({
      error: { message: expect.stringContaining('no such subscription') },
    })
    expect(socket.notifications()).toHaveLength(2)
  })

  test('of several connections do not meet, also in one message with other calls', async () => {
    const relay = start()
    const [one, other] = [await connectSocket(relay.webSocketUrl), await connectSocket(relay.webSocketUrl)]
    one?.send(
      '[{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]},{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]',
    )
    await waitUntil('it is answered', () => one?.received.length === 1)
    expect(JSON.parse(one?.received[0] ?? '')).toMatchObject([
      { id: 1, result: expect.any(String) },
      { id: 2 },
    ])
    await mine()
    await waitUntil('it is told', () => one?.notifications().length === 1)
    expect(other?.received).toEqual([])
  })

  test('that the node refuses are answered as it says', async () => {
    const socket = await connectSocket(start().webSocketUrl)
    expect(await socket.call('eth_subscribe', ['nonsense'])).toMatchObject({ error: { code: -32602 } })
    expect(await socket.call('eth_unsubscribe', ['0x1'])).toMatchObject({ error: { code: -32002 } })
    expect(await socket.call('eth_unsubscribe', {})).toMatchObject({ error: { code: -32002 } })
  })

  test('are at most so many', async () => {
    const socket = await connectSocket(start({ settings: { subscriptions: 1 } }).webSocketUrl)
    await socket.call('eth_subscribe', ['newHeads'])
    expect(await socket.call('eth_subscribe', ['newHeads'])).toMatchObject({ error: { code: -32005 } })
  })

  test('end with a reason when notifications are beyond the limit, and none is lost without a sign', async () => {
    const relay = start({ credits: { units: 2 * testPrice, period: 'hour' } })
    const socket = await connectSocket(relay.webSocketUrl)
    await socket.call('eth_subscribe', ['newHeads'])
    await mine()
    await waitUntil('one is told', () => socket.notifications().length === 1)
    await mine()
    expect(await socket.untilClosed()).toMatchObject({
      code: 1008,
      reason: expect.stringContaining('credits'),
    })
    expect(relay.refused).toEqual([{ calls: 1, limit: 'credits' }])
  })
})

describe('an upstream', () => {
  test('that dies ends the connection with 1012, so that clients subscribe again elsewhere', async () => {
    const dying = await startAnvil({ chainId: 31_337, timestamp: 1_700_000_000, blocks: 'on-demand' })
    try {
      const relay = start({ upstreams: [{ url: dying.url, weight: 1_000 }, { url: anvil.url }] })
      const idle = await connectSocket(relay.webSocketUrl)
      // By weight nearly all go to the one that dies.
      const sockets = await Promise.all(Array.from({ length: 5 }, () => connectSocket(relay.webSocketUrl)))
      await Promise.all(sockets.map((socket) => socket.call('eth_subscribe', ['newHeads'])))
      await dying.stop()
      const endings = await Promise.all(
        sockets.map((socket) => Promise.race([socket.untilClosed(), Bun.sleep(2_000)])),
      )
      expect(endings.filter((ending) => ending !== undefined).map(({ code }) => code)).toContain(1012)
      const again = await connectSocket(relay.webSocketUrl)
      expect(await again.call('eth_subscribe', ['newHeads'])).toMatchObject({ result: expect.any(String) })
      await mine()
      await waitUntil('it is told by the other', () => again.notifications().length === 1)
      expect(idle.ending()).toBeNull()
    } finally {
      await dying.stop()
    }
  })

  test('that is DOWN, or is none any more, ends the connection with 1012 when there is a better one', async () => {
    const decisions = { 'node-a': 'UP', 'node-b': 'DOWN' } as Record<string, 'UP' | 'DOWN'>
    let upstreams = 2
    const relay = start({
      upstreams: ['node-a', 'node-b'].map((serviceId) => ({
        url: anvil.url,
        headers: { x: serviceId },
        serviceId,
      })),
      decisionOf: (id) => decisions[id] ?? null,
      findEndpoint: (endpoint) => ({ ...endpoint, upstreams: endpoint.upstreams.slice(-upstreams) }),
      settings: { recheckMs: 50 },
    })
    const first = await connectSocket(relay.webSocketUrl)
    await first.call('eth_subscribe', ['newHeads'])
    decisions['node-a'] = 'DOWN'
    decisions['node-b'] = 'UP'
    expect(await first.untilClosed()).toMatchObject({ code: 1012 })
    decisions['node-a'] = 'UP'
    decisions['node-b'] = 'DOWN'
    const second = await connectSocket(relay.webSocketUrl)
    await second.call('eth_subscribe', ['newHeads'])
    upstreams = 1
    expect(await second.untilClosed()).toMatchObject({ code: 1012 })
  })
})

describe('a connection is closed within a second', () => {
  test.each([
    ['its key is revoked, disabled or expired', { kind: 'invalid' }, 'may not be used here any more'],
    ['its address is not allowed any more', { kind: 'ip_not_allowed' }, 'from this address'],
    ['its page is not allowed any more', { kind: 'domain_not_allowed' }, 'by this page'],
  ] as const)('when %s, silent as it may be (1008)', async (_, refused, reason) => {
    let isRefused = false
    const relay: RunningRelay = start({
      authorize: () => (isRefused ? refused : { kind: 'allowed', key: relay.key }),
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
  let rate: World['rate'] = null
  const relay: RunningRelay = start({
    authorize: () => ({ kind: 'allowed', key: { ...relay.key, rate: rate ?? null } }),
  })
  const socket = await connectSocket(relay.webSocketUrl)
  await socket.call('eth_chainId')
  rate = { units: 1, period: 'hour' }
  const answers = [await socket.call('eth_chainId'), await socket.call('eth_chainId')]
  expect(answers.map(({ error }) => error?.code ?? 0)).toEqual([0, -32005])
})

describe('nobody takes more than their share', () => {
  test('a message that is too long ends the connection', async () => {
    const socket = await connectSocket(start().webSocketUrl)
    socket.send('x'.repeat(1_048_577))
    expect(await socket.untilClosed()).toMatchObject({ code: 1009 })
  })

  test('so do too many that wait', async () => {
    const relay = start({ settings: { messagesUnderWay: 1, messagesWaiting: 10 } })
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
  const left = relay.relay.leaveSockets()
  expect(await answered).toMatchObject({ result: expect.any(String) })
  expect(await idle?.untilClosed()).toMatchObject({ code: 1001 })
  expect(await busy?.untilClosed()).toMatchObject({ code: 1001 })
  await left
  await expect(connectSocket(relay.webSocketUrl)).rejects.toThrow('not opened')
})
