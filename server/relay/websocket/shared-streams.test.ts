import { afterEach, describe, expect, test } from 'bun:test'

import { WebSocketProvider } from 'ethers'

import { type Anvil, startAnvil } from '../../../scripts/world/anvil.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { type RelayScenario, startTestRelay, type TestRelay } from '../test-support/relay-under-test.ts'
import {
  notificationText,
  resultText,
  type ScriptedNode,
  startScriptedNode,
} from './test-support/scripted-node.ts'
import { closeSocketClients, connectSocket, type SocketClient } from './test-support/socket-client.ts'

/** Callers who want the same share one stream of a node. */

const relays: TestRelay[] = []
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  closeSocketClients()
  await Promise.all(relays.splice(0).map((relay) => relay.stop()))
  for (const stop of stops.splice(0).toReversed()) await stop()
})

function start(world: Pick<RelayScenario, 'upstreams'> & Partial<RelayScenario>): TestRelay {
  const relay = startTestRelay(world)
  relays.push(relay)
  return relay
}

const headOf = (number: number) => ({
  number: `0x${number.toString(16)}`,
  hash: `0xh${number}`,
  parentHash: `0xh${number - 1}`,
})

interface HeadNode extends ScriptedNode {
  readonly calls: [string, unknown][]
  tell(subscription: string, result: unknown): void
  sendText(text: string): void
}

/** A node that gives its streams the names `0x1`, `0x2` and so on, and has one block. `refuses`: subscriptions. */
function startHeadNode({
  refuses = '',
  logs,
}: { refuses?: string; logs?: readonly unknown[] } = {}): HeadNode {
  const calls: [string, unknown][] = []
  let streams = 0
  let open: { send(text: string): unknown } | null = null
  const node = startScriptedNode((socket, id, method, params) => {
    const error = { code: -32602, message: 'too many addresses' }
    if (method === 'eth_subscribe' && JSON.stringify(params) === refuses) {
      return void socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }))
    }
    calls.push([method, params])
    open = socket
    if (method === 'eth_subscribe') socket.send(resultText(id, `0x${++streams}`))
    else if (method === 'eth_getLogs') socket.send(resultText(id, logs ?? headOf(1)))
    else socket.send(resultText(id, method === 'eth_unsubscribe' ? true : headOf(1)))
  })
  stops.push(() => node.stop())
  return Object.assign(node, {
    calls,
    tell: (subscription: string, result: unknown) => void open?.send(notificationText(subscription, result)),
    sendText: (text: string) => void open?.send(text),
  })
}

const subscribesTo = ({ calls }: HeadNode) =>
  calls.filter(([method]) => method === 'eth_subscribe').map(([, params]) => params)

const connectAll = (relay: TestRelay, count: number) =>
  Promise.all(Array.from({ length: count }, () => connectSocket(relay.webSocketUrl)))

describe('new blocks', () => {
  test('come to all by one stream, each under an id of its own; the last to leave closes it', async () => {
    const node = startHeadNode()
    const relay = start({ upstreams: [{ url: node.url }] })
    const sockets = await connectAll(relay, 20)
    const ids = await Promise.all(
      sockets.map(async (socket) => (await socket.call('eth_subscribe', ['newHeads'])).result),
    )
    expect(new Set(ids).size).toBe(20)
    expect(subscribesTo(node)).toEqual([['newHeads']])
    node.tell('0x1', headOf(2))
    await waitUntil('all are told', () => sockets.every((socket) => socket.notifications().length === 1))
    expect(sockets.map((socket) => socket.notifications()[0]?.params?.subscription)).toEqual(ids as string[])
    expect(relay.metered.filter(({ calls }) => calls[0]?.method === 'eth_subscription')).toHaveLength(20)

    const [first, ...others] = sockets
    expect(await first?.call('eth_unsubscribe', [ids[1]])).toMatchObject({ error: { code: -32002 } })
    for (const socket of others) socket.close()
    node.tell('0x1', headOf(3))
    await waitUntil('who stays is told', () => first?.notifications().length === 2)
    expect(await first?.call('eth_unsubscribe', [ids[0]])).toMatchObject({ result: true })
    await waitUntil('it is closed', () => node.calls.some(([method]) => method === 'eth_unsubscribe'))
  })

  test('come twice to who subscribes twice', async () => {
    const node = startHeadNode()
    const [socket] = await connectAll(start({ upstreams: [{ url: node.url }] }), 1)
    const one = await socket?.call('eth_subscribe', ['newHeads'])
    const other = await socket?.call('eth_subscribe', ['newHeads'])
    node.tell('0x1', headOf(2))
    await waitUntil('both are told', () => socket?.notifications().length === 2)
    const told = socket?.notifications().map(({ params }) => params?.subscription)
    expect(told?.toSorted()).toEqual([String(one?.result), String(other?.result)].toSorted())
  })
})

test('logs are shared by who has the same filter, and by nobody else', async () => {
  const node = startHeadNode()
  const [one, same, other] = await connectAll(start({ upstreams: [{ url: node.url }] }), 3)
  const address = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
  for (const socket of [one, same]) await socket?.call('eth_subscribe', ['logs', { address }])
  await other?.call('eth_subscribe', ['logs', { address, topics: [null] }])
  expect(subscribesTo(node)).toEqual([
    ['newHeads'],
    ['logs', { address }],
    ['logs', { address, topics: [null] }],
  ])
  const log = { blockNumber: '0x2', blockHash: '0xh2', logIndex: '0x0', removed: false }
  node.tell('0x2', log)
  node.tell('0x2', log)
  node.tell('0x3', { ...log, logIndex: '0x1' })
  const counts = () => [one, same, other].map((socket) => socket?.notifications().length)
  await waitUntil('each is told once', () => counts().every((count) => count === 1))
  expect(other?.notifications()[0]?.params?.result).toMatchObject({ logIndex: '0x1' })
})

describe('a node that sends what nobody has asked for changes nothing', () => {
  test.each([
    ['garbage', 'not JSON'],
    ['an unknown subscription', notificationText('0xffff', headOf(2))],
    ['an answer to no call', resultText(7, true)],
    ['two answers in one', '{"jsonrpc":"2.0","id":7,"result":1,"result":2}'],
    ['a list', '[]'],
    ['a notification of another kind', '{"jsonrpc":"2.0","method":"x","params":{"subscription":"0x1"}}'],
    ['a block that was told', notificationText('0x1', headOf(2))],
  ])('%s', async (_, text) => {
    const node = startHeadNode()
    const [socket] = await connectAll(start({ upstreams: [{ url: node.url }] }), 1)
    await socket?.call('eth_subscribe', ['newHeads'])
    node.tell('0x1', headOf(2))
    node.sendText(text)
    node.tell('0x1', headOf(3))
    await waitUntil('both blocks are told', () => socket?.notifications().length === 2)
    expect(socket?.received).toHaveLength(3)
    expect(node.upgrades).toHaveLength(1)
  })
})

test('who floods with subscriptions is held to their limits, and others are served', async () => {
  const node = startHeadNode()
  const relay = start({
    upstreams: [{ url: node.url }],
    settings: { subscriptions: 10, messagesInFlight: 4 },
  })
  const [flooding, other] = await connectAll(relay, 2)
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => flooding?.call('eth_subscribe', ['newPendingTransactions'])),
  )
  expect(answers.filter((answer) => answer?.error === undefined)).toHaveLength(10)
  expect(answers.filter((answer) => answer?.error?.code === -32005)).toHaveLength(90)
  expect(await other?.call('eth_subscribe', ['newHeads'])).toMatchObject({ result: expect.any(String) })
})

test('a node is left alone when the last caller goes while the streams move to it', async () => {
  const [first, second] = [startHeadNode(), startHeadNode()]
  const relay = start({ upstreams: [{ url: first.url }, { url: second.url, tier: 1 }] })
  const [socket] = await connectAll(relay, 1)
  await socket?.call('eth_subscribe', ['newHeads'])
  const { promise, resolve } = Promise.withResolvers<void>()
  second.held = promise
  first.hangUp()
  await waitUntil('the streams move', () => second.upgrades.length > 0)
  socket?.close()
  await waitUntil('the caller is gone', async () =>
    /^gatehouse_relay_web_sockets 0$/m.test(await relay.metrics.render()),
  )
  resolve()
  await waitUntil('the second node was reached', () => second.calls.length > 0)
  await waitUntil('and left', () => first.open() + second.open() === 0)
})

/** The nodes tell of a block until it is heard, as nobody knows when a stream of new blocks is open at one of them. */
const hearsBlock = (socket: SocketClient | undefined, nodes: readonly HeadNode[]) =>
  waitUntil('the next block is told', () => {
    for (const node of nodes) {
      const place = subscribesTo(node).findLastIndex((params) => JSON.stringify(params) === '["newHeads"]')
      node.tell(`0x${(place + 1).toString(16)}`, headOf(2))
    }
    return socket?.notifications().length === 1
  })

test('logs that no node can make up for end alone: blocks go on at the next node', async () => {
  const [first, second] = [startHeadNode(), startHeadNode()]
  const relay = start({ upstreams: [{ url: first.url }, { url: second.url, tier: 1 }] })
  const [ofBlocks, ofLogs] = await connectAll(relay, 2)
  await ofBlocks?.call('eth_subscribe', ['newHeads'])
  await ofLogs?.call('eth_subscribe', ['logs', {}]) // these nodes answer calls for logs with a block
  first.hangUp()
  await waitUntil('the caller for logs is left', () => ofLogs?.ending() !== null)
  expect(ofLogs?.ending()).toMatchObject({ code: 1012 })
  await hearsBlock(ofBlocks, [first, second])
  expect(ofBlocks?.ending()).toBeNull()
})

describe('a filter that a node refuses when streams move to it', () => {
  const filter = { address: '0xmany' }
  const refuses = JSON.stringify(['logs', filter])

  async function moveFromFirst(nodes: readonly HeadNode[]) {
    const relay = start({ upstreams: nodes.map(({ url }, tier) => ({ url, tier })) })
    const [ofLogs, ofBlocks] = await connectAll(relay, 2)
    await ofLogs?.call('eth_subscribe', ['logs', filter])
    await ofBlocks?.call('eth_subscribe', ['newHeads'])
    await nodes[0]?.stop()
    return { ofLogs, ofBlocks }
  }

  test('goes on with the blocks at a node that takes it', async () => {
    const [first, second, third] = [startHeadNode(), startHeadNode({ refuses }), startHeadNode({ logs: [] })]
    const { ofLogs, ofBlocks } = await moveFromFirst([first, second, third])
    await hearsBlock(ofBlocks, [third])
    expect([ofLogs?.ending(), ofBlocks?.ending()]).toEqual([null, null])
  })

  test('ends alone when no other takes it', async () => {
    const [first, second] = [startHeadNode(), startHeadNode({ refuses })]
    const { ofLogs, ofBlocks } = await moveFromFirst([first, second])
    await waitUntil('its caller is told to connect anew', () => ofLogs?.ending() !== null)
    expect(ofLogs?.ending()).toMatchObject({ code: 1012 })
    await hearsBlock(ofBlocks, [second])
    expect(ofBlocks?.ending()).toBeNull()
  })
})

test('a message has the id of its connection and a number in the request log', async () => {
  const node = startHeadNode()
  const relay = start({ upstreams: [{ url: node.url }] })
  const [socket] = await connectAll(relay, 1)
  for (let call = 0; call < 2; call++) await (socket as SocketClient).call('eth_subscribe', ['newHeads'])
  const ids = relay.logged.map(({ requestId }) => requestId ?? '')
  expect(ids.map((id) => id.split('.')[1])).toEqual(['1', '2'])
  expect(new Set(ids.map((id) => id.split('.')[0])).size).toBe(1)
})

test('ethers hears of each block while its node is killed', async () => {
  const settings = { chainId: 31_337, timestamp: 1_700_000_000, blocks: 'on-demand' } as const
  const nodes: Anvil[] = await Promise.all([startAnvil(settings), startAnvil(settings)])
  for (const node of nodes) stops.push(() => node.stop())
  let hasSubscribed = false
  const relay = start({
    upstreams: nodes.map(({ url }, index) => ({ url, serviceId: String(index) })),
    decisionOf: (id) => (id === '0' || hasSubscribed ? 'UP' : 'DOWN'),
  })
  const provider = new WebSocketProvider(relay.webSocketUrl)
  const blocks: number[] = []
  await provider.on('block', (number: number) => blocks.push(number))
  await waitUntil('it has subscribed', () =>
    relay.logged.some(({ method, class: outcome }) => method === 'eth_subscribe' && outcome === 'answer'),
  )
  hasSubscribed = true
  let at = settings.timestamp
  const mine = async (on: readonly Anvil[]) => {
    at += 10
    for (const node of on) await node.mine([at])
  }
  await mine(nodes)
  await waitUntil('the first block is told', () => blocks.length === 1)
  const [first, ...others] = nodes
  await mine(others)
  await first?.stop()
  await waitUntil('the second block is told', () => blocks.length === 2)
  await mine(others)
  await waitUntil('the third block is told', () => blocks.length === 3)
  expect(blocks).toEqual([1, 2, 3])
  expect(await provider.getBlockNumber()).toBe(3)
  await provider.destroy()
})
