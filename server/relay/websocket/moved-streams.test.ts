import { afterEach, beforeEach, describe, expect, test } from 'bun:test'

import { type Anvil, startAnvil } from '../../../scripts/world/anvil.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import type { Chain } from '../../../shared/chains.ts'
import { familyDefaults } from '../../chains/family-defaults.ts'
import { type RelayScenario, startTestRelay, type TestRelay } from '../test-support/relay-under-test.ts'
import { closeSocketClients, connectSocket, type SocketClient } from './test-support/socket-client.ts'

/** Two real nodes of one chain. Callers notice nothing when one of them goes. */

const start = 1_700_000_000
let nodes: Anvil[] = []
let relay: TestRelay
let mined = start

const node = () => startAnvil({ chainId: 31_337, timestamp: start, blocks: 'on-demand' })

beforeEach(async () => {
  nodes = await Promise.all([node(), node()])
  mined = start
})
afterEach(async () => {
  closeSocketClients()
  await relay.stop()
  for (const each of nodes) each.resume()
  await Promise.all(nodes.map((each) => each.stop()))
})

const serviceIds = ['a', 'b'] as const
let decisions: Record<string, 'UP' | 'DOWN'> = { a: 'UP', b: 'DOWN' }

/** Streams come from the first node, as the second is DOWN until `isBetter` is called. */
function startRelay(world: Partial<RelayScenario> = {}): TestRelay {
  decisions = { a: 'UP', b: 'DOWN' }
  relay = startTestRelay({
    upstreams: nodes.map(({ url }, index) => ({ url, serviceId: serviceIds[index] ?? 'b' })),
    decisionOf: (id) => decisions[id] ?? 'UNKNOWN',
    settings: { recheckMs: 50 },
    ...world,
  })
  return relay
}

/** Mines the same blocks on these nodes. */
async function mine(count: number, on: readonly (Anvil | undefined)[]): Promise<void> {
  const timestamps = Array.from({ length: count }, () => (mined += 10))
  await Promise.all(on.map((each) => each?.mine(timestamps)))
}

type Told = { readonly number: string; readonly blockNumber: string; readonly removed?: boolean }

const toldTo = (socket: SocketClient): Told[] =>
  socket.notifications().flatMap(({ params }) => (params === undefined ? [] : [params.result as Told]))

const numbersOf = (socket: SocketClient): number[] => toldTo(socket).map(({ number }) => Number(number))

const logHeights = (socket: SocketClient): number[] =>
  toldTo(socket).map(({ blockNumber, removed }) =>
    removed === true ? -Number(blockNumber) : Number(blockNumber),
  )

/** A contract that logs its block number when it is called: `NUMBER PUSH0 PUSH0 LOG1`, behind the code that returns it. */
const logger = '0x63435f5fa15f526004601cf3'

async function deployLogger(on: readonly Anvil[]): Promise<string> {
  const from = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
  for (const each of on) await each.rpc('eth_sendTransaction', [{ from, data: logger, gas: '0xfffff' }])
  await mine(1, on)
  return '0x5fbdb2315678afecb367f032d93f642f64180aa3'
}

const callLogger = (to: string, on: readonly (Anvil | undefined)[]) =>
  Promise.all(
    on.map((each) =>
      each?.rpc('eth_sendTransaction', [
        { from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', to, gas: '0xfffff' },
      ]),
    ),
  )

describe('new blocks', () => {
  test('are told without a gap when their node is killed, under the same id', async () => {
    const socket = await connectSocket(startRelay().webSocketUrl)
    const { result: id } = await socket.call('eth_subscribe', ['newHeads'])
    await mine(2, nodes)
    await waitUntil('two are told', () => numbersOf(socket).length === 2)
    const [first, second] = nodes
    await mine(3, [second]) // The first has not told them when it goes.
    await first?.stop()
    await waitUntil('the others are told', () => numbersOf(socket).length === 5)
    await mine(2, [second])
    await waitUntil('it goes on', () => numbersOf(socket).length === 7)
    expect(numbersOf(socket)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(new Set(socket.notifications().map(({ params }) => params?.subscription))).toEqual(
      new Set([id as string]),
    )
    expect(await socket.call('eth_unsubscribe', [id])).toMatchObject({ result: true })
    expect(socket.ending()).toBeNull()
  })

  test('have the same shape when they were made up for', async () => {
    const socket = await connectSocket(startRelay().webSocketUrl)
    await socket.call('eth_subscribe', ['newHeads'])
    await mine(1, nodes)
    await waitUntil('one is told', () => numbersOf(socket).length === 1)
    await mine(1, [nodes[1]])
    await nodes[0]?.stop()
    await waitUntil('the next is told', () => numbersOf(socket).length === 2)
    const [told, madeUp] = socket.notifications().map(({ params }) => Object.keys(params?.result as object))
    // Anvil tells whole blocks, other nodes their headers.
    const notInHeader = new Set(['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'])
    expect(madeUp?.toSorted()).toEqual(told?.filter((name) => !notInHeader.has(name)).toSorted())
  })

  test('come from another node when theirs is frozen, and only that tells: three block times', async () => {
    const chain: Chain = {
      key: 'testnet',
      name: 'testnet',
      family: 'evm',
      chainId: 31_337,
      genesisHash: null,
      ...familyDefaults.evm,
      blockMs: 100,
      anchors: [],
    }
    const socket = await connectSocket(startRelay({ endpoint: { chain } }).webSocketUrl)
    await socket.call('eth_subscribe', ['newHeads'])
    await mine(1, nodes)
    await waitUntil('one is told', () => numbersOf(socket).length === 1)
    nodes[0]?.pause()
    await mine(2, [nodes[1]])
    await waitUntil('the others are told', () => numbersOf(socket).length === 3)
    expect(numbersOf(socket)).toEqual([1, 2, 3])
    expect(relay.suspected).toContain('a')
  })

  test('come from a better node when theirs is decided to be DOWN, once each', async () => {
    const socket = await connectSocket(startRelay().webSocketUrl)
    await socket.call('eth_subscribe', ['newHeads'])
    await mine(2, nodes)
    await waitUntil('two are told', () => numbersOf(socket).length === 2)
    decisions = { a: 'DOWN', b: 'UP' }
    await mine(1, [nodes[1]])
    await waitUntil('the next is told', () => numbersOf(socket).length === 3)
    await mine(1, nodes)
    await waitUntil('and so on', () => numbersOf(socket).length === 4)
    expect(numbersOf(socket)).toEqual([1, 2, 3, 4])
  })

  test('of a node on another fork are told from the fork on', async () => {
    const socket = await connectSocket(startRelay().webSocketUrl)
    await socket.call('eth_subscribe', ['newHeads'])
    await mine(2, nodes)
    await mine(2, [nodes[0]])
    mined += 1
    await mine(3, [nodes[1]])
    await waitUntil('four are told', () => numbersOf(socket).length === 4)
    await nodes[0]?.stop()
    await waitUntil('the fork is told', () => numbersOf(socket).length === 7)
    expect(numbersOf(socket)).toEqual([1, 2, 3, 4, 3, 4, 5])
  })
})

describe('logs', () => {
  test('are told without a gap and once each, and none of before', async () => {
    const address = await deployLogger(nodes)
    await callLogger(address, nodes)
    await mine(1, nodes)
    const socket = await connectSocket(startRelay().webSocketUrl)
    await socket.call('eth_subscribe', ['logs', { address }])
    await callLogger(address, nodes)
    await mine(1, nodes)
    await waitUntil('one is told', () => logHeights(socket).length === 1)
    const [first, second] = nodes
    for (let block = 0; block < 3; block++) {
      await callLogger(address, [second])
      await mine(1, [second])
    }
    await first?.stop()
    await waitUntil('the others are told', () => logHeights(socket).length === 4)
    await callLogger(address, [second])
    await mine(1, [second])
    await waitUntil('it goes on', () => logHeights(socket).length === 5)
    expect(logHeights(socket)).toEqual([3, 4, 5, 6, 7])
  })

  test('of a fork that is gone are taken back', async () => {
    const address = await deployLogger(nodes)
    const socket = await connectSocket(startRelay().webSocketUrl)
    await socket.call('eth_subscribe', ['logs', { address }])
    await callLogger(address, [nodes[0]])
    await mine(1, [nodes[0]])
    await waitUntil('one is told', () => logHeights(socket).length === 1)
    mined += 1
    await callLogger(address, [nodes[1]])
    await mine(2, [nodes[1]])
    await nodes[0]?.stop()
    await waitUntil('the fork is told', () => logHeights(socket).length === 3)
    expect(logHeights(socket)).toEqual([2, -2, 2])
  })
})

test('other subscriptions go on at another node, with the same id', async () => {
  const socket = await connectSocket(startRelay().webSocketUrl)
  const { result: id } = await socket.call('eth_subscribe', ['newPendingTransactions'])
  const [first, second] = nodes
  await callLogger('0x5fbdb2315678afecb367f032d93f642f64180aa3', [first])
  await waitUntil('it is told', () => socket.notifications().length === 1)
  await first?.stop()
  await waitUntil('the other one is told of', async () => {
    await callLogger('0x5fbdb2315678afecb367f032d93f642f64180aa3', [second])
    return socket.notifications().length > 1
  })
  expect(socket.notifications().at(-1)?.params?.subscription).toBe(id as string)
})
