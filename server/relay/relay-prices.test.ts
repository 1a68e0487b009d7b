import { expect, test } from 'bun:test'

import { closedAfterEach } from '../../tests/support/closed-after-each.ts'
import { startChainNode } from './test-support/chain-node.ts'
import { startTestRelay, testPrice } from './test-support/relay-under-test.ts'

const opened = closedAfterEach()

const hex = (height: number): string => `0x${height.toString(16)}`

function relayWith(prices: { cached: number | null; logsPer1000Blocks: number }, heads: readonly number[]) {
  const nodes = heads.map((head, index) => startChainNode(`node-${index}`, head))
  const relay = startTestRelay({
    upstreams: nodes.map(({ url }) => ({ url })),
    endpoint: { conditionalPrices: prices },
    credits: { units: 1_000, period: 'hour' },
  })
  opened.push(relay.stop, ...nodes.map(({ stop }) => stop))
  async function creditsOf(...calls: readonly (readonly [method: string, ...params: unknown[]])[]) {
    const batch = calls.map(([method, ...params], id) => ({ jsonrpc: '2.0', id, method, params }))
    const response = await fetch(relay.url, {
      method: 'POST',
      body: JSON.stringify(batch.length === 1 ? batch[0] : batch),
    })
    await response.json()
    return Number(response.headers.get('x-rpc-credits'))
  }
  return { relay, creditsOf }
}

const chainId = ['eth_chainId'] as const

test.each([
  ['the same as any other where nothing is said', null, testPrice],
  ['what is said', 5, 5],
  ['nothing if that is said', 0, 0],
  ['never more than any other', 90, testPrice],
])('a call that the cache answers costs %s', async (_, cached, expected) => {
  const { relay, creditsOf } = relayWith({ cached, logsPer1000Blocks: 0 }, [1_000])
  expect(await creditsOf(chainId)).toBe(testPrice)
  expect(await creditsOf(chainId)).toBe(expected)
  expect(await creditsOf(chainId, chainId)).toBe(2 * expected)
  expect(await creditsOf(chainId, ['eth_gasPrice'])).toBe(expected + testPrice)
  expect(relay.metered.at(1)).toMatchObject({ creditsBack: [testPrice - expected] })
})

const logs = (fromBlock: string, toBlock: string) => ['eth_getLogs', { fromBlock, toBlock }] as const

test.each([[[9_999]], [[9_999, 9_990]]])(
  'calls for logs cost more by the thousand blocks, heads %j',
  async (heads) => {
    const { creditsOf } = relayWith({ cached: null, logsPer1000Blocks: 7 }, heads)
    expect(await creditsOf(['eth_blockNumber'])).toBe(testPrice)
    for (const [from, to, thousands] of [
      [5, 5, 0],
      [1, 1_000, 0],
      [1, 1_001, 1],
      [1, 3_000, 2],
      [1, 3_001, 3],
      [9, 1, 0],
    ] as const) {
      expect(await creditsOf(logs(hex(from), hex(to)))).toBe(testPrice + thousands * 7)
    }
    expect(await creditsOf(logs('earliest', hex(1_999)))).toBe(testPrice + 7)
    expect(await creditsOf(logs(hex(7_990), 'latest'))).toBe(testPrice + 2 * 7)
  },
)
