import { describe, expect, test } from 'bun:test'

import { closedAfterEach } from '../../tests/support/closed-after-each.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { Decision } from '../../shared/health.ts'
import { type ScriptedChainNode, startChainNode } from './test-support/chain-node.ts'
import { type RelayScenario, startTestRelay } from './test-support/relay-under-test.ts'

const opened = closedAfterEach()

const hex = (height: number): string => `0x${height.toString(16)}`
const head = 1_000
const address = `0x${'11'.repeat(20)}`

/** Starts a relay before monitored nodes, each with the oldest block whose state it has. */
function relayTo(lowest: readonly (number | null)[], scenario: Partial<RelayScenario> = {}) {
  const nodes = lowest.map((_, index) => startChainNode(`node-${index}`, head))
  const relay = startTestRelay({
    upstreams: nodes.map(({ url }, index) => ({ url, serviceId: `service-${index}` })),
    serviceHeads: { of: () => ({ height: head, at: performance.now() }) },
    nodeBounds: (id) => ({ lowestState: () => lowest[Number(id.at(-1))] ?? null, logBlocks: () => null }),
    ...scenario,
    settings: { hedgeAfterMs: null, ...scenario.settings },
  })
  opened.push(relay.stop, ...nodes.map(({ stop }) => stop))
  const call = async (method: string, ...params: unknown[]) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(relay.url, { method: 'POST', body })
    return (await response.json()) as { result: unknown }
  }
  const asked = (method: string): number[] => nodes.map((node) => node.paramsOf(method).length)
  return { nodes, relay, call, asked }
}

type Called = ReturnType<typeof relayTo>

/** Resolves once the relay knows the heads of its nodes, and with them their oldest state. */
const untilKnown = ({ call, nodes }: Called): Promise<unknown> =>
  waitUntil('heads are read', async () => {
    await call('eth_getBalance', address, 'latest')
    return nodes.some((node: ScriptedChainNode) =>
      node.paramsOf('eth_getBalance').some(([, at]) => at === hex(head)),
    )
  })

/** Different ones, so that no answer serves two. */
async function callTimes(
  { call }: Called,
  method: string,
  paramsOf: (index: number) => unknown[],
): Promise<void> {
  for (let index = 0; index < 24; index++) await call(method, ...paramsOf(index))
}

/** Calls until each node was asked: one that was slow once is so seldom that a number of calls would not do. */
async function callUntilAllAreAsked(
  { call, asked }: Called,
  method: string,
  paramsOf: (index: number) => unknown[],
): Promise<void> {
  let index = 0
  await waitUntil('all nodes are asked', async () => {
    await call(method, ...paramsOf(index++))
    return asked(method).every((count) => count > 0)
  })
}

describe('a call that names an old block', () => {
  test.each([
    ['eth_call', (index: number) => [{ to: hex(index) }, hex(100)]],
    ['eth_getStorageAt', (index: number) => [address, hex(index), { blockNumber: hex(100) }]],
    ['debug_traceBlockByNumber', (index: number) => [hex(100 + index), {}]],
  ])('goes to nodes that have its state: %s', async (method, paramsOf) => {
    const world = relayTo([900, 0, 899])
    await untilKnown(world)
    await callTimes(world, method, paramsOf)
    expect(world.asked(method)).toEqual([0, 24, 0])
  })

  test('goes to any node that may have it where state is not what is asked for', async () => {
    const world = relayTo([900, 0])
    await untilKnown(world)
    await callUntilAllAreAsked(world, 'eth_getBlockByNumber', (index) => [hex(100 + (index % 900)), false])
    await callUntilAllAreAsked(world, 'eth_call', (index) => [{ to: hex(index) }, hex(901)])
  })

  test('goes to a node of which nothing is known, and to a pruned one where nobody else is well', async () => {
    const decisions: Decision[] = ['UP', 'UP', 'UP']
    const world = relayTo([900, null, 0], { decisionOf: (id) => decisions[Number(id.at(-1))] ?? 'UP' })
    await untilKnown(world)
    await callTimes(world, 'eth_call', (index) => [{ to: hex(index) }, hex(5)])
    const [pruned, unknown, archive] = world.asked('eth_call')
    expect([pruned, (unknown ?? 0) > 0, (archive ?? 0) > 0]).toEqual([0, true, true])
    decisions.splice(1, 2, 'DOWN', 'DOWN')
    expect((await world.call('eth_call', { to: hex(99) }, hex(5))).result).toBe('node-0')
  })
})

describe('the most blocks of a call for logs', () => {
  test.each([
    ['are those of the endpoint', { endpoint: { settings: { byMethod: {}, logBlocks: 10 } } }],
    [
      'are those that are declared of a node',
      {
        nodeBounds: (id: string) => ({
          lowestState: () => null,
          logBlocks: () => (id === 'service-1' ? 10 : null),
        }),
      },
    ],
  ])('%s', async (_, scenario) => {
    const world = relayTo([null, null], scenario)
    await untilKnown(world)
    const filter = { fromBlock: hex(1), toBlock: hex(25) }
    expect((await world.call('eth_getLogs', filter)).result).toHaveLength(25)
    const asked = world.nodes.flatMap((node) => node.paramsOf('eth_getLogs'))
    const sizes = asked.map(([part]) => {
      const { fromBlock, toBlock } = part as typeof filter
      return Number(toBlock) - Number(fromBlock) + 1
    })
    expect(sizes.toSorted((one, other) => other - one)).toEqual([10, 10, 5])
  })
})

test('what a node proposes for a call with many results is no bound of others', async () => {
  const world = relayTo([null])
  const [node] = world.nodes
  if (node === undefined) throw new Error('no node')
  const says = 'query returned more than 10000 results. Try with this block range [0x1, 0x2].'
  node.logLimit = { blocks: 2, says }
  const logsOf = async (toBlock: number) =>
    (await world.call('eth_getLogs', { fromBlock: hex(1), toBlock: hex(toBlock) })).result
  expect(await logsOf(10)).toHaveLength(10)
  expect(world.asked('eth_getLogs')).toEqual([6])
  node.logLimit = null
  expect(await logsOf(90)).toHaveLength(90)
  expect(world.asked('eth_getLogs')).toEqual([7])
})

test.each([
  [1, 1],
  [2, 2],
  [undefined, 3],
  [5, 4],
])('with transactionNodes %p, %d of four nodes get a transaction', async (transactionNodes, expected) => {
  const settings = { byMethod: {}, ...(transactionNodes !== undefined && { transactionNodes }) }
  const world = relayTo([null, null, null, null], { endpoint: { settings } })
  await world.call('eth_sendRawTransaction', '0x02')
  expect(world.asked('eth_sendRawTransaction').reduce((sum, count) => sum + count, 0)).toBe(expected)
})

test('the setting `cache` of an endpoint says which results are kept', async () => {
  for (const [cache, final, unfinal] of [
    ['all', 1, 1],
    ['final', 1, 3],
    ['off', 3, 3],
  ] as const) {
    const world = relayTo([null, null], { endpoint: { settings: { byMethod: {}, cache } } })
    await untilKnown(world)
    const before = world.asked('eth_getBalance').reduce((sum, count) => sum + count, 0)
    for (let time = 0; time < 3; time++) await world.call('eth_getCode', address, hex(5))
    for (let time = 0; time < 3; time++) await world.call('eth_getBalance', address, hex(head - 1))
    expect([cache, world.asked('eth_getCode').reduce((sum, count) => sum + count, 0)]).toEqual([cache, final])
    const after = world.asked('eth_getBalance').reduce((sum, count) => sum + count, 0)
    expect([cache, after - before]).toEqual([cache, unfinal])
  }
})
