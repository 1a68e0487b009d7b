import { afterEach, describe, expect, test } from 'bun:test'

import { WsProvider } from '@polkadot/rpc-provider'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import type { Chain, Family } from '../../../shared/chains.ts'
import { familyDefaults } from '../../chains/family-defaults.ts'
import { relayedChain, startTestRelay, type TestRelay } from '../test-support/relay-under-test.ts'
import { resultText, type ScriptedNode, startScriptedNode } from './test-support/scripted-node.ts'
import { closeSocketClients, connectSocket, type SocketClient } from './test-support/socket-client.ts'

/** Streams of other families than the EVM's, with nodes that answer and tell in the shape of the family. */

const relays: TestRelay[] = []
const nodes: TestNode[] = []
afterEach(async () => {
  closeSocketClients()
  await Promise.all(relays.splice(0).map((relay) => relay.stop()))
  await Promise.all(nodes.splice(0).map((node) => node.stop()))
})

interface TestNode extends ScriptedNode {
  /** Methods and parameters of the calls so far. */
  readonly calls: [string, unknown][]
  /** Tells those who have subscribed. `id` is that of the call that subscribed last. */
  tell(message: (id: number) => string): void
}

/** `results` says what the node answers to a method. */
function startNode(results: Record<string, unknown>): TestNode {
  const calls: [string, unknown][] = []
  let last: { socket: { send(text: string): unknown }; id: number } | null = null
  const node = startScriptedNode((socket, id, method, params) => {
    calls.push([method, params])
    if (/subscribe|follow|submit/i.test(method) && !/un(?:subscribe|follow)/i.test(method))
      last = { socket, id }
    if (method in results) socket.send(resultText(id, results[method]))
    else socket.send(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"no ${method}"}}`)
  })
  const started = {
    ...node,
    calls,
    tell: (message: (id: number) => string) => void last?.socket.send(message(last.id)),
  }
  nodes.push(started)
  return started
}

async function connect(family: Family, upstreams: readonly TestNode[], chain?: Chain) {
  let alive = upstreams.map((_, index) => index === 0)
  const relay = startTestRelay({
    upstreams: upstreams.map(({ url }, index) => ({ url, serviceId: String(index) })),
    endpoint: { family, chain },
    decisionOf: (id) => (alive[Number(id)] === true ? 'UP' : 'DOWN'),
    settings: { recheckMs: 50, resubscribeMs: 1_000 },
  })
  relays.push(relay)
  const socket = await connectSocket(relay.webSocketUrl)
  const move = () => {
    alive = alive.map((isAlive) => !isAlive)
  }
  return { relay, socket, move }
}

const told = (socket: SocketClient): Record<string, unknown>[] =>
  socket.received.map((text) => JSON.parse(text)).filter(({ id }) => id === undefined)

const notification = (method: string, params: object) => () =>
  JSON.stringify({ jsonrpc: '2.0', method, params })

const subscription = 'subscription'
const subscriptionId = 'subscription_id'

describe('a stream is passed through, goes on at another node under the same id, and is closed', () => {
  test.each([
    ['solana', 'slotSubscribe', [], 'slotNotification', 'slotUnsubscribe', [0, 5], subscription, 'number'],
    [
      'solana',
      'accountSubscribe',
      ['CM78', { encoding: 'jsonParsed' }],
      'accountNotification',
      'accountUnsubscribe',
      [23_784, 7],
      subscription,
      'number',
    ],
    [
      'substrate',
      'chain_subscribeNewHeads',
      [],
      'chain_newHead',
      'chain_unsubscribeNewHeads',
      ['Wx7', 'Zq1'],
      subscription,
      'string',
    ],
    [
      'substrate',
      'state_subscribeStorage',
      [['0x26aa']],
      'state_storage',
      'state_unsubscribeStorage',
      ['a', 'b'],
      subscription,
      'string',
    ],
    [
      'starknet',
      'starknet_subscribeNewHeads',
      { block_id: 'latest' },
      'starknet_subscriptionNewHeads',
      'starknet_unsubscribe',
      ['1', '2'],
      subscriptionId,
      'string',
    ],
    [
      'starknet',
      'starknet_subscribeEvents',
      [],
      'starknet_subscriptionReorg',
      'starknet_unsubscribe',
      ['1', '2'],
      subscriptionId,
      'string',
    ],
    [
      'sui',
      'suix_subscribeEvent',
      [{ All: [] }],
      'suix_subscribeEvent',
      'suix_unsubscribeEvent',
      [1, 2],
      subscription,
      'number',
    ],
  ] as const)('%s: %s', async (family, opens, params, tells, closes, names, member, type) => {
    const [first, second] = names.map((name) => startNode({ [opens]: name, [closes]: true }))
    if (first === undefined || second === undefined) throw new Error('no nodes')
    const { relay, socket, move } = await connect(family, [first, second])
    const { result: id } = await socket.call(opens, params)
    expect(id).toBeTypeOf(type)
    first.tell(notification(tells, { [member]: names[0], result: { at: 1 } }))
    await waitUntil('it is told', () => told(socket).length === 1)
    move()
    await waitUntil('the other node is asked', () => second.calls.length === 1)
    second.tell(notification(tells, { [member]: names[1], result: { at: 2 } }))
    second.tell(notification(tells, { [member]: 999, result: 'of nobody' }))
    second.tell(notification('other', { [member]: names[1], result: 'of another kind' }))
    await waitUntil('it goes on', () => told(socket).length === 2)
    expect(told(socket)).toEqual(
      [1, 2].map((at) => ({ jsonrpc: '2.0', method: tells, params: { [member]: id, result: { at } } })),
    )
    expect(first.calls[0]).toEqual([opens, params])
    expect(second.calls).toEqual([[opens, params]])
    const byName = member === subscriptionId
    expect(await socket.call(closes, byName ? { [member]: id } : [id])).toMatchObject({ result: true })
    expect(await socket.call(closes, [id])).toMatchObject({ error: { code: -32002 } })
    await waitUntil('it is closed', () => second.calls.length === 2)
    expect(second.calls[1]).toEqual([closes, byName ? { [member]: names[1] } : [names[1]]])
    expect(relay.metered.map(({ calls, bytesIn }) => [calls[0]?.method, bytesIn > 0])).toEqual([
      [opens, true],
      [tells, false],
      [tells, false],
      [closes, true],
      [closes, true],
    ])
  })
})

describe('CometBFT', () => {
  const query = "tm.event='NewBlock'"
  const event = (id: unknown, height: number) =>
    JSON.stringify({ jsonrpc: '2.0', id, result: { query, data: { height } } })

  test('tells by the id of the request, and closes by the query', async () => {
    const [first, second] = [
      startNode({ subscribe: {}, unsubscribe: {} }),
      startNode({ subscribe: {}, unsubscribe: {} }),
    ]
    const { relay, socket, move } = await connect('cosmos', [first, second])
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'mine', method: 'subscribe', params: { query } }))
    await waitUntil('it is answered', () => socket.received.length === 1)
    first.tell((id) => event(id, 1))
    await waitUntil('it is told', () => socket.received.length === 2)
    move()
    await waitUntil('the other node is asked', () => second.calls.length === 1)
    second.tell((id) => event(id, 2))
    second.tell((id) => event(id + 1, 3)) // A call that was never made.
    await waitUntil('it goes on', () => socket.received.length === 3)
    expect(socket.received).toEqual([
      '{"jsonrpc":"2.0","id":"mine","result":{}}',
      event('mine', 1),
      event('mine', 2),
    ])
    expect(await socket.call('unsubscribe', { query: 'other' })).toMatchObject({ error: { code: -32002 } })
    expect(await socket.call('unsubscribe', { query })).toMatchObject({ result: {} })
    await waitUntil('it is closed', () => second.calls.length === 2)
    expect(second.calls[1]).toEqual(['unsubscribe', { query }])
    expect(relay.metered.map(({ calls }) => calls[0]?.method)).toEqual([
      'subscribe',
      'subscribe_event',
      'subscribe_event',
      'unsubscribe',
      'unsubscribe',
    ])
  })

  test('is found where clients of CometBFT look for it, behind the address', async () => {
    const { relay } = await connect('cosmos', [startNode({ subscribe: {} })])
    const socket = await connectSocket(`${relay.webSocketUrl}/websocket`)
    expect(await socket.call('subscribe', { query })).toMatchObject({ result: {} })
  })

  test('that gives a subscription up says so, and all are closed at once', async () => {
    const node = startNode({ subscribe: {}, unsubscribe: {} })
    const { socket } = await connect('cosmos', [node])
    await socket.call('subscribe', [query])
    node.tell(
      (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"subscription was cancelled"}}`,
    )
    await waitUntil('it is told', () => socket.received.length === 2)
    expect(JSON.parse(socket.received[1] ?? '')).toMatchObject({ id: 'call-1', error: { code: -32000 } })
    await socket.call('subscribe', { query })
    expect(await socket.call('unsubscribe_all', {})).toMatchObject({ result: {} })
    expect(await socket.call('unsubscribe', { query })).toMatchObject({ error: { code: -32002 } })
  })
})

const signatureTold = (value: unknown): string =>
  notification('signatureNotification', { result: { context: { slot: 1 }, value }, subscription: 0 })()

test('Solana’s subscription of a signature ends with its verdict, even when that comes at once', async () => {
  const node = startScriptedNode((socket, id) => {
    socket.cork(() => {
      socket.send(signatureTold('receivedSignature'))
      socket.send(signatureTold({ err: null }))
      socket.send(resultText(id, 0))
    })
  })
  nodes.push({ ...node, calls: [], tell: () => undefined })
  const { socket } = await connect('solana', [{ ...node, calls: [], tell: () => undefined }])
  const { result: id } = await socket.call('signatureSubscribe', ['5VER'])
  await waitUntil('both are told', () => told(socket).length === 2)
  expect(await socket.call('signatureUnsubscribe', [id])).toMatchObject({ error: { code: -32002 } })
})

test('a node is not silent when nobody listens to its blocks any more', async () => {
  const node = startNode({ accountSubscribe: 1, slotSubscribe: 2, slotUnsubscribe: true })
  const chain = { ...relayedChain, ...familyDefaults.solana, family: 'solana' as const }
  const { relay, socket } = await connect('solana', [node], chain)
  await socket.call('accountSubscribe', ['1111'])
  const { result: id } = await socket.call('slotSubscribe')
  const closedAt = performance.now()
  await socket.call('slotUnsubscribe', [id])
  const silentMs = 3 * chain.blockMs + 1_500
  await waitUntil('it would be silent', () => performance.now() - closedAt > silentMs)
  expect([node.upgrades.length, relay.suspected]).toEqual([1, []])
})

const followed = (name: string) => ({ chainHead_v1_follow: name, chainHead_v1_header: `0x${name}` })

const newHead = (number: string) => notification('chain_newHead', { subscription: 'aa', result: { number } })

describe('Substrate', () => {
  test('has methods that need the node of a stream; it is told when that node is gone', async () => {
    const [first, second] = [startNode(followed('aa')), startNode(followed('bb'))]
    const { socket, move } = await connect('substrate', [first, second])
    const { result: id } = await socket.call('chainHead_v1_follow', [true])
    expect(await socket.call('chainHead_v1_header', [id, '0x01'])).toMatchObject({ result: '0xaa' })
    expect(first.calls[1]).toEqual(['chainHead_v1_header', ['aa', '0x01']])
    expect(await socket.call('chainHead_v1_header', ['other', '0x01'])).toMatchObject({
      error: { code: -32002 },
    })
    move()
    await waitUntil('it is told', () => told(socket).length === 1)
    expect(told(socket)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'chainHead_v1_followEvent',
        params: { subscription: id, result: { event: 'stop' } },
      },
    ])
    expect(await socket.call('chainHead_v1_follow', [true])).toMatchObject({ result: expect.any(String) })
    expect(second.calls).toEqual([['chainHead_v1_follow', [true]]])
  })

  test('polkadot.js hears of new heads, also from the other node', async () => {
    const head = {
      state_getRuntimeVersion: {},
      chain_subscribeNewHeads: 'aa',
      chain_unsubscribeNewHeads: true,
    }
    const [first, second] = [startNode(head), startNode(head)]
    const { relay, move } = await connect('substrate', [first, second])
    const provider = new WsProvider(relay.webSocketUrl, false)
    await provider.connect()
    await waitUntil('it is connected', () => provider.isConnected)
    const numbers: string[] = []
    const id = await provider.subscribe('chain_newHead', 'chain_subscribeNewHeads', [], (_, block) =>
      numbers.push(block.number),
    )
    first.tell(newHead('0x1'))
    await waitUntil('it is told', () => numbers.length === 1)
    move()
    await waitUntil('the other node has it', () => second.calls.length > 0)
    second.tell(newHead('0x2'))
    await waitUntil('it is told again', () => numbers.length === 2)
    expect(numbers).toEqual(['0x1', '0x2'])
    expect(await provider.unsubscribe('chain_newHead', 'chain_unsubscribeNewHeads', id)).toBe(true)
    await provider.disconnect()
  })

  test('cannot go on watching a transaction elsewhere: the connection ends', async () => {
    const method = 'author_submitAndWatchExtrinsic'
    const [first, second] = [startNode({ [method]: 'x' }), startNode({ [method]: 'y' })]
    const { socket, move } = await connect('substrate', [first, second])
    await socket.call(method, ['0x84'])
    move()
    expect(await socket.untilClosed()).toMatchObject({ code: 1012 })
    expect(second.calls).toEqual([])
  })
})

describe('what is not possible is refused in words', () => {
  test.each([
    ['near', 'eth_subscribe', ['newHeads'], 'not a method that is known here'],
    ['filecoin', 'Filecoin.ChainNotify', [], 'a shape that is not relayed'],
    ['solana', 'slotUnsubscribe', [17], 'no such subscription'],
    ['solana', 'slotUnsubscribe', { id: 1 }, 'no such subscription'],
    ['evm', 'eth_subscribe', ['syncing'], 'no eth_subscribe'],
  ] as const)('%s: %s', async (family, method, params, message) => {
    const { socket } = await connect(family, [startNode({})])
    expect(await socket.call(method, params)).toMatchObject({
      error: { message: expect.stringContaining(message) },
    })
  })

  test('an endpoint whose nodes have no WebSocket', async () => {
    const node = startNode({})
    const relay = startTestRelay({ upstreams: [{ url: node.url, webSocketUrl: null }] })
    relays.push(relay)
    const socket = await connectSocket(relay.webSocketUrl)
    expect(await socket.call('eth_subscribe', ['newHeads'])).toMatchObject({
      error: { message: expect.stringContaining('which subscriptions need') },
    })
    expect(relay.metered).toMatchObject([{ outcomes: ['unanswered'] }])
  })
})
