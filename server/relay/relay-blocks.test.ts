import { afterEach, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { Decision } from '../../shared/health.ts'
import { type ScriptedChainNode, startChainNode } from './test-support/chain-node.ts'
import { relayedChain, type RelayScenario, startTestRelay } from './test-support/relay-under-test.ts'
import { closeSocketClients, connectSocket } from './websocket/test-support/socket-client.ts'

const opened: (() => unknown)[] = []

afterEach(async () => {
  closeSocketClients()
  for (const close of opened.splice(0).toReversed()) await close()
})

interface Answer<Result> {
  readonly result: Result
  readonly error?: { readonly code: number; readonly message: string }
}

interface NamedBlock {
  readonly number: string
  readonly by: string
}

const hex = (height: number): string => `0x${height.toString(16)}`

/** Starts a relay before nodes with these heads. */
function relayTo(heads: readonly number[], scenario: Partial<RelayScenario> = {}) {
  const nodes = heads.map((head, index) => startChainNode(`node-${index}`, head))
  const relay = startTestRelay({
    upstreams: nodes.map(({ url }, index) => ({ url, serviceId: `service-${index}` })),
    ...scenario,
    settings: { hedgeAfterMs: null, ...scenario.settings },
  })
  opened.push(relay.stop, ...nodes.map(({ stop }) => stop))
  async function post<Result>(body: unknown): Promise<Result> {
    const response = await fetch(relay.url, { method: 'POST', body: JSON.stringify(body) })
    return (await response.json()) as Result
  }
  const call = <Result = unknown>(method: string, ...params: unknown[]) =>
    post<Answer<Result>>({ jsonrpc: '2.0', id: 1, method, params })
  return {
    nodes,
    relay,
    post,
    call,
    blockNumber: async () => Number((await call('eth_blockNumber')).result),
    /** Has every node tell its newest block. */
    learn: () =>
      waitUntil('every node was asked', async () => {
        await call('eth_blockNumber')
        return nodes.every((node) => node.paramsOf('eth_blockNumber').length > 0)
      }),
  }
}

/** What a node told is soon no news at this chain. */
const fastChain = { ...relayedChain, blockMs: 20 }

const times = <Value>(count: number, work: (index: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const sentTo = (node: ScriptedChainNode | undefined, method: string): number =>
  node?.paramsOf(method).length ?? -1

/** Nodes with the same block, whose tags go as they are. */
async function relayWithTagsAsTheyAre() {
  const { nodes, call, learn } = relayTo([100, 100, 100], { endpoint: { chain: fastChain } })
  await learn()
  let asked = 0
  await waitUntil('the next block is due', async () => {
    await call('eth_call', { to: hex(++asked) }, 'latest')
    return nodes.some((node) => node.paramsOf('eth_call').some(([, tag]) => tag === 'latest'))
  })
  const [first] = nodes
  if (first) first.head = 101
  return { nodes, call }
}

describe('with several nodes', () => {
  test('a tag is sent as the newest block that was told, to a node that has it', async () => {
    const { nodes, call, learn } = relayTo([100, 97, 100])
    await learn()
    const answers = await times(30, (index) => call('eth_call', { to: hex(index) }, 'latest'))
    expect(answers.every(({ result }) => result === 'node-0' || result === 'node-2')).toBe(true)
    expect(new Set(nodes.flatMap((node) => node.paramsOf('eth_call').map(([, tag]) => tag)))).toEqual(
      new Set([hex(100)]),
    )
  })

  test('what is older may come from any of them', async () => {
    const { nodes, call, learn } = relayTo([100, 97])
    await learn()
    let asked = 0
    // One that was slow at first, on a busy machine, gets few calls.
    await waitUntil('both were asked', async () => {
      await call('eth_call', { to: hex(++asked) }, hex(90))
      return nodes.every((node) => sentTo(node, 'eth_call') > 0)
    })
  })

  test('an answer with an older block than was told is not passed on', async () => {
    const { nodes, call, learn, blockNumber } = relayTo([100, 100])
    await learn()
    for (const node of nodes) node.head = 99
    const [first] = nodes
    if (first) first.head = 100
    for (const height of await times(20, blockNumber)) expect(height).toBe(100)
    const blocks = await times(20, () => call<NamedBlock>('eth_getBlockByNumber', 'latest', false))
    for (const { result } of blocks) expect(result.number).toBe(hex(100))
  })

  test('nothing at a node that is behind is asked again at one that is not', async () => {
    const { nodes, call, learn } = relayTo([100, 97])
    await learn()
    const receipts = await times(20, () => call<NamedBlock>('eth_getTransactionReceipt', hex(99)))
    for (const { result } of receipts) expect(result?.by).toBe('node-0')
    const before = nodes.map((node) => sentTo(node, 'eth_getTransactionReceipt'))
    expect((await call('eth_getTransactionReceipt', hex(500))).result).toBeNull()
    expect(sentTo(nodes[0], 'eth_getTransactionReceipt')).toBe((before[0] ?? 0) + 1)
  })

  test('a block that a node has told of that is away since is waited for', async () => {
    const { nodes, call, learn } = relayTo([100, 98])
    await learn()
    const [first, second] = nodes
    await first?.stop()
    const asked = Promise.all([
      call<NamedBlock>('eth_getBlockByNumber', hex(100), false),
      call<NamedBlock>('eth_getTransactionReceipt', hex(100)),
      call('eth_getLogs', { fromBlock: hex(99), toBlock: hex(100) }),
    ])
    setTimeout(() => void (second && (second.head = 100)), 300)
    const [block, receipt, logs] = await asked
    expect([block.result.by, receipt.result.by]).toEqual(['node-1', 'node-1'])
    expect(heightsOf(logs)).toEqual([99, 100])
  })

  test('a node that answers for its own pending block has not shown that it has the newest one', async () => {
    const { nodes, call, learn } = relayTo([100, 98])
    await learn()
    const [first, second] = nodes
    await first?.stop()
    expect((await call('eth_getTransactionCount', '0x1', 'pending')).result).toBe('node-1')
    const asked = call('eth_getLogs', { fromBlock: hex(99), toBlock: hex(100) })
    setTimeout(() => void (second && (second.head = 100)), 100)
    expect(heightsOf(await asked)).toEqual([99, 100])
  })

  test('what verifiers see of the nodes counts before any call does', async () => {
    const heads: Record<string, number> = { 'service-0': 90, 'service-1': 100, 'service-2': 100 }
    const serviceHeads = { of: (id: string) => ({ height: heads[id] ?? 0, at: performance.now() }) }
    const { nodes, call } = relayTo([90, 100, 100], { serviceHeads })
    await waitUntil('heads are read', async () => {
      await call('eth_call', {}, 'latest')
      return nodes.some((node) => node.paramsOf('eth_call').some(([, tag]) => tag === hex(100)))
    })
    const before = sentTo(nodes[0], 'eth_call')
    await times(20, (index) => call('eth_call', { to: hex(index) }, 'latest'))
    expect(sentTo(nodes[0], 'eth_call')).toBe(before)
  })

  test('a node that is DOWN does not say what the newest block is', async () => {
    const decisions: Decision[] = ['DOWN', 'UP', 'UP']
    const { call, blockNumber } = relayTo([30_000_000, 100, 100], {
      decisionOf: (id) => decisions[Number(id.at(-1))] ?? 'UNKNOWN',
      serviceHeads: {
        of: (id) => (id === 'service-0' ? { height: 30_000_000, at: performance.now() } : null),
      },
    })
    await times(10, () => call('eth_blockNumber'))
    expect(await blockNumber()).toBe(100)
  })

  test('a block that a subscription has told of is the newest one', async () => {
    const { nodes, relay, blockNumber, learn } = relayTo([100, 100])
    await learn()
    const socket = await connectSocket(relay.webSocketUrl)
    await socket.call('eth_subscribe', ['newHeads'])
    for (const node of nodes) node.head = 101
    for (const node of nodes) node.announce()
    for (const node of nodes) node.head = 100
    await waitUntil('the block is told', () => socket.notifications().length > 0)
    for (const height of await times(10, blockNumber)) expect(height).toBe(101)
  })

  test('pending state and nonces of a key come from one node, while it is well', async () => {
    const decisions: Decision[] = ['UP', 'UP', 'UP']
    const { call, learn } = relayTo([100, 100, 100], {
      decisionOf: (id) => decisions[Number(id.at(-1))] ?? 'UNKNOWN',
    })
    await learn()
    const ask = async () => {
      const pending = await times(10, (index) => call('eth_getBalance', hex(index), 'pending'))
      const nonces = await times(10, (index) => call('eth_getTransactionCount', hex(index), 'latest'))
      return new Set([...pending, ...nonces].map(({ result }) => String(result)))
    }
    const [one, ...others] = await ask()
    expect(others).toEqual([])
    decisions[Number(one?.at(-1))] = 'DOWN'
    const [other, ...more] = await ask()
    expect(more).toEqual([])
    expect(other).not.toBe(one)
  })

  test('a call does not share the answer to an equal one that was sent before its block was told', async () => {
    const { nodes, call, learn, blockNumber } = relayTo([100, 100])
    await learn()
    const { promise, resolve } = Promise.withResolvers<void>()
    for (const node of nodes) node.held = promise
    const asked = () => nodes.reduce((sum, node) => sum + sentTo(node, 'eth_getTransactionReceipt'), 0)
    const early = call('eth_getTransactionReceipt', hex(101))
    await waitUntil('it is asked for', () => asked() === 1)
    for (const node of nodes) Object.assign(node, { held: null, head: 101 })
    expect(await blockNumber()).toBe(101)
    const late = call<NamedBlock>('eth_getTransactionReceipt', hex(101))
    await waitUntil('it is asked for again', () => asked() === 2, 2_000)
    resolve()
    expect((await late).result).toMatchObject({ blockNumber: hex(101) })
    await early
  })

  test('they do so before anything is known of the chain, too', async () => {
    const { call } = relayTo([100, 100, 97])
    const nonces = await times(20, (index) => call('eth_getTransactionCount', hex(index), 'pending'))
    expect(new Set(nonces.map(({ result }) => result)).size).toBe(1)
  })

  test('a tag goes as it is to nodes that are known to have the newest block, not to those that may have it', async () => {
    const { nodes, call, learn } = relayTo([100, 97], { endpoint: { chain: fastChain } })
    await learn()
    let asked = 0
    await waitUntil('the next block is due', async () => {
      await call('eth_call', { to: hex(++asked) }, 'latest')
      return nodes.some((node) => node.paramsOf('eth_call').some(([, tag]) => tag === 'latest'))
    })
    const balances = await times(20, (index) => call('eth_getBalance', hex(index), 'latest'))
    expect(new Set(balances.map(({ result }) => result))).toEqual(new Set(['node-0']))
    expect(sentTo(nodes[1], 'eth_getBalance')).toBe(0)
  })

  describe('while the next block is due', () => {
    test('a block of which logs have told is there, and what is in it', async () => {
      const { call } = await relayWithTagsAsTheyAre()
      await waitUntil('a log of it is told', async () =>
        heightsOf(await call('eth_getLogs', { fromBlock: hex(100), toBlock: 'latest' })).includes(101),
      )
      const blocks = await times(20, () => call<NamedBlock>('eth_getBlockByNumber', hex(101), false))
      const receipts = await times(20, () => call<NamedBlock>('eth_getTransactionReceipt', hex(101)))
      for (const { result } of [...blocks, ...receipts]) expect(result?.by).toBe('node-0')
    })

    test('so is one of which nothing here has told, and others are null at once', async () => {
      const { nodes, call } = await relayWithTagsAsTheyAre()
      for (let turn = 0; turn < 20; turn++) {
        const { result } = await call<NamedBlock>('eth_getBlockByNumber', hex(101), turn % 2 === 0)
        expect(result?.by).toBe('node-0')
      }
      const asked = () => nodes.reduce((sum, node) => sum + sentTo(node, 'eth_getBlockByNumber'), 0)
      const before = asked()
      expect((await call('eth_getBlockByNumber', hex(500), false)).result).toBeNull()
      expect(asked()).toBe(before + 1)
    })
  })

  test('a slow answer is not overtaken by that of a node that is behind', async () => {
    const { nodes, call, learn } = relayTo([100, 97], {
      endpoint: { chain: fastChain },
      settings: { hedgeAfterMs: 20 },
    })
    await learn()
    const [first] = nodes
    const { promise, resolve } = Promise.withResolvers<void>()
    if (first) first.held = promise
    const newest = call('eth_getTransactionCount', hex(1), 'pending')
    await waitUntil('it was sent', () => sentTo(first, 'eth_getTransactionCount') === 1)
    // Whoever asks for an old block is answered by the other node, later than the call above would be.
    await waitUntil('a later call is hedged', async () => {
      await call('eth_call', {}, hex(90))
      return sentTo(first, 'eth_call') > 0
    })
    resolve()
    resolve()
    expect((await newest).result).toBe('node-0')
  })

  test('a batch goes to a node that has the blocks of all its calls', async () => {
    const { post, learn } = relayTo([100, 97])
    await learn()
    const batch = [hex(90), hex(99), 'latest'].map((tag, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getBlockByNumber',
      params: [tag, false],
    }))
    const answers = await post<Answer<NamedBlock>[]>(batch)
    expect(answers.map(({ result }) => result.number)).toEqual([hex(90), hex(99), hex(100)])
  })
})

describe('with one node, and at chains that nobody describes', () => {
  test.each<[string, number[], Partial<RelayScenario>]>([
    ['one node', [100], {}],
    ['no chain', [100, 100], { endpoint: { chain: undefined } }],
    ['another family', [100, 100], { endpoint: { family: 'filecoin' } }],
  ])('%s: everything is sent as it came', async (_, heads, scenario) => {
    const { nodes, call, blockNumber } = relayTo(heads, scenario)
    await blockNumber()
    await call('eth_call', {}, 'latest')
    await call('eth_getBlockByNumber', 'latest', false)
    const params = nodes.flatMap((node) =>
      node.calls.map((one) => JSON.stringify([one.method, ...one.params])),
    )
    expect(params.toSorted()).toEqual([
      '["eth_blockNumber"]',
      '["eth_call",{},"latest"]',
      '["eth_getBlockByNumber","latest",false]',
    ])
  })
})

const heightsOf = ({ result }: Answer<unknown>) =>
  (result as { blockNumber: string }[]).map(({ blockNumber }) => Number(blockNumber))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe('logs', () => {
  test.each([
    ['query returned more than 10000 results', [100]],
    ['eth_getLogs is limited to a 10 block range', [100]],
    ['block range is too wide', [100, 100]],
    ['eth_getLogs is limited to a 10 block range', [100, 97, 100]],
  ])('of a range that is too large come in parts: %s, heads %j', async (says, heads) => {
    const { nodes, relay, call, learn } = relayTo(heads)
    await learn()
    for (const node of nodes) node.logLimit = { blocks: 10, says }
    const asked = { fromBlock: hex(41), toBlock: 'latest' }
    expect(heightsOf(await call('eth_getLogs', asked))).toEqual(range(41, 100))
    expect(heightsOf(await call('eth_getLogs', { fromBlock: hex(1), toBlock: hex(95) }))).toEqual(
      range(1, 95),
    )
    const charged = relay.metered
      .flatMap(({ calls }) => calls)
      .filter(({ method }) => method === 'eth_getLogs')
    expect(charged).toHaveLength(2)
  })

  test('a limit that nodes have told is known to the next call', async () => {
    const { nodes, call } = relayTo([100])
    const [node] = nodes
    if (node) node.logLimit = { blocks: 50, says: 'query exceeds max block range 50' }
    const asked = { fromBlock: hex(1), toBlock: hex(100) }
    await call('eth_getLogs', asked)
    expect(sentTo(node, 'eth_getLogs')).toBe(3)
    expect(heightsOf(await call('eth_getLogs', asked))).toEqual(range(1, 100))
    expect(sentTo(node, 'eth_getLogs')).toBe(5)
  })

  test('the error stays where no range is small enough', async () => {
    const { nodes, call } = relayTo([100])
    const [node] = nodes
    if (node) node.logLimit = { blocks: 0, says: 'query returned more than 10000 results' }
    const answer = await call('eth_getLogs', { fromBlock: hex(1), toBlock: hex(4) })
    expect(answer.error?.message).toBe('query returned more than 10000 results')
  })

  test('of a block that comes while the call waits are complete, and never an empty list', async () => {
    const { nodes, call, learn } = relayTo([100, 97])
    await learn()
    const asking = call('eth_getLogs', { fromBlock: hex(99), toBlock: hex(101) })
    setTimeout(() => nodes.forEach((node) => node.head++), 40)
    expect(heightsOf(await asking)).toEqual([99, 100, 101])
    const far = await call('eth_getLogs', { fromBlock: hex(99), toBlock: hex(102) })
    expect(far.error).toMatchObject({ code: -32_602, data: { reason: 'beyond_head' } })
  })
})
