import { describe, expect, test } from 'bun:test'

import { tableFacts } from '../methods/method-facts.ts'
import { blockUseOf } from '../tip/block-use.ts'
import { type CachedCall, EndpointCache, type SharedSpace } from './endpoint-cache.ts'
import { createResultCache } from './result-cache.ts'

function callOf(method: string, params: unknown[] = [], view: number | null = null): CachedCall {
  const facts = tableFacts('evm', method)
  return {
    method,
    sentParams: JSON.stringify(params),
    facts: { ...facts, blockUse: blockUseOf('evm', method, facts) },
    served: view === null ? null : { view, prepared: { isSticky: method === 'eth_getTransactionCount' } },
  }
}

const hex = (height: number): string => `0x${height.toString(16)}`
const hash = `0x${'ab'.repeat(32)}`
const address = `0x${'11'.repeat(20)}`
const receipt = callOf('eth_getTransactionReceipt', [hash])
const receiptAt = (height: number | null) =>
  JSON.stringify({ transactionHash: hash, blockNumber: height === null ? null : hex(height) })
const logsFilter = (fromBlock: string, toBlock: string) => callOf('eth_getLogs', [{ fromBlock, toBlock }])
const logsOf = (...heights: number[]) =>
  JSON.stringify(heights.map((height) => ({ blockNumber: hex(height) })))

interface World {
  now: number
  lowest: number | null
  view: number | null
}

function cacheOf(
  world: Partial<World> = {},
  finalityDepth: number | null = 64,
  kept: 'all' | 'final' | 'off' = 'all',
  shared: SharedSpace | null = null,
) {
  const state: World = { now: 0, lowest: 1_000, view: null, ...world }
  const memory = createResultCache(() => 1_000_000)
  const create = (prefix: string) =>
    new EndpointCache({
      cache: memory,
      prefix,
      finalityDepth,
      now: () => state.now,
      shared,
      kept,
      chain: { lowestHead: () => state.lowest, view: () => state.view, told: () => undefined },
    })
  return { state, create, cache: create('a ') }
}

/** Stores a result, and returns whether it answers the same call. */
function isKept(
  call: CachedCall,
  result: string,
  world: Partial<World> = {},
  depth: number | null = 64,
): boolean {
  const { cache } = cacheOf(world, depth)
  cache.store(call, result)
  const found = cache.find(call)
  expect([null, result]).toContain(found)
  return found !== null
}

describe('a final result is kept', () => {
  test.each([
    [callOf('eth_getBlockByNumber', [hex(936), false]), JSON.stringify({ number: hex(936) })],
    [callOf('eth_getBlockByHash', [hash, false]), JSON.stringify({ hash, number: hex(936) })],
    [callOf('eth_getBlockReceipts', [hex(5)]), receiptAt(5)],
    [receipt, receiptAt(936)],
    [logsFilter(hex(1), hex(936)), logsOf(3, 800)],
    [callOf('eth_getLogs', [{ blockHash: hash }]), JSON.stringify([{ blockHash: hash, blockNumber: '0x5' }])],
    [callOf('eth_call', [{ to: address }, hex(936)]), '"0x01"'],
    [callOf('eth_call', [{ to: address }, { blockNumber: hex(936) }]), '"0x01"'],
    [callOf('eth_getBalance', [address, hex(1)]), '"0x5"'],
    [callOf('eth_getCode', [address, hex(1)]), '"0x60"'],
    [callOf('eth_getStorageAt', [address, '0x0', hex(1)]), '"0x0"'],
    [callOf('debug_traceBlockByNumber', [hex(900), {}]), '[{"result":{}}]'],
  ])('%p', (call, result) => {
    expect(isKept(call, result)).toBe(true)
    expect(isKept(call, result, { lowest: null })).toBe(false)
    expect(isKept(call, result, {}, null)).toBe(false)
  })

  test('for as long as there is room; the chain id for a minute', () => {
    const { state, cache } = cacheOf()
    cache.store(receipt, receiptAt(1))
    cache.store(callOf('eth_chainId'), '"0x1"')
    state.now = 59_999
    expect(cache.find(callOf('eth_chainId'))).toBe('"0x1"')
    state.now = 1e12
    expect([cache.find(callOf('eth_chainId')), cache.find(receipt)]).toEqual([null, receiptAt(1)])
  })

  test('once the lowest head of the nodes is far enough above it', () => {
    expect(isKept(receipt, receiptAt(900), { lowest: 963 })).toBe(false)
    expect(isKept(receipt, receiptAt(900), { lowest: 964 })).toBe(true)
  })

  test('by the endpoint that it belongs to', () => {
    const { create, cache } = cacheOf()
    cache.store(receipt, receiptAt(1))
    expect(create('b ').find(receipt)).toBeNull()
  })
})

describe('nothing is kept', () => {
  test.each([
    ['of null', receipt, 'null'],
    ['of a transaction that is in no block', receipt, receiptAt(null)],
    [
      'of another block than was asked for',
      callOf('eth_getBlockByNumber', [hex(5), false]),
      '{"number":"0x6"}',
    ],
    [
      'of another hash',
      receipt,
      JSON.stringify({ transactionHash: `0x${'cd'.repeat(32)}`, blockNumber: '0x5' }),
    ],
    ['of no logs, which a node without old ones says', logsFilter(hex(1), hex(9)), '[]'],
    ['of a tag', callOf('eth_call', [{ to: address }, 'latest']), '"0x"'],
    ['of pending state', callOf('eth_getBalance', [address, 'pending']), '"0x5"'],
    ['of the block when none is named', callOf('eth_getBalance', [address]), '"0x5"'],
    ['of a range with a tag', logsFilter(hex(1), 'latest'), logsOf(1)],
    ['of state by a hash, whose height nobody knows', callOf('eth_call', [{}, { blockHash: hash }]), '"0x"'],
    ['of a filter', callOf('eth_newFilter', [{ fromBlock: '0x1', toBlock: '0x2' }]), '"0x1"'],
    ['of the newest block', callOf('eth_blockNumber'), '"0x10"'],
    ['of a write', callOf('eth_sendRawTransaction', [hash]), JSON.stringify(hash)],
    ['of a price', callOf('eth_gasPrice'), '"0x1"'],
  ])('%s', (_, call, result) => {
    expect(isKept(call, result)).toBe(false)
  })
})

describe('what is not final yet', () => {
  const balance = callOf('eth_getBalance', [address, hex(999)], 7)

  test('is kept until the newest block is another one', () => {
    const { state, cache } = cacheOf({ view: 7 })
    cache.store(balance, '"0x5"')
    expect(cache.find(balance)).toBe('"0x5"')
    state.view = 8
    expect(cache.find(balance)).toBeNull()
  })

  test('is not used when the next block is due', () => {
    const { state, cache } = cacheOf({ view: 7 })
    cache.store(balance, '"0x5"')
    state.view = null
    expect(cache.find(balance)).toBeNull()
  })

  test('is not kept of a nonce, of which nodes know more or less', () => {
    const nonce = callOf('eth_getTransactionCount', [address, hex(999)], 7)
    expect(isKept(nonce, '"0x5"', { view: 7 })).toBe(false)
    expect(isKept(nonce, '"0x5"', { view: 7, lowest: 2_000 })).toBe(true)
  })

  test('is not kept when the newest block has changed while the node was asked', () => {
    expect(isKept(balance, '"0x5"', { view: 8 })).toBe(false)
    expect(isKept(balance, '"0x5"', { view: null })).toBe(false)
  })
})

test('all is forgotten when the nodes do not have what was final: it is another chain', () => {
  const { state, cache } = cacheOf()
  const other = callOf('eth_getBalance', [address, hex(3)])
  cache.store(receipt, receiptAt(936))
  cache.store(other, '"0x5"')
  state.lowest = 936
  cache.store(callOf('eth_blockNumber'), '"0x3a8"')
  expect(cache.find(other)).toBe('"0x5"')
  state.lowest = 935
  cache.store(callOf('eth_blockNumber'), '"0x3a7"')
  expect([cache.find(receipt), cache.find(other)]).toEqual([null, null])
})

describe('what another process has kept', () => {
  const balance = callOf('eth_getBalance', [address, hex(3)])
  /** The store, after a process to which block 936 was final. */
  function filledSpace() {
    const kept = new Map([[`${balance.method}\n${balance.sentParams}`, '"0x5"']])
    let finalHeight = 936
    return {
      isOpen: () => true,
      find: async (keys: readonly string[]) => ({
        finalHeight,
        results: keys.map((key) => kept.get(key) ?? null),
      }),
      keep: () => undefined,
      forget() {
        kept.clear()
        finalHeight = -1
      },
    }
  }
  const cacheBefore = (world: Partial<World>) => cacheOf(world, 64, 'all', filledSpace())

  test('is used where the nodes have the blocks that were final there', async () => {
    const { cache } = cacheBefore({ lowest: 936 })
    expect(await cache.findShared([balance, receipt])).toEqual(['"0x5"', null])
  })

  test('is not used where they do not, and is forgotten when the next head says so', async () => {
    const { state, cache } = cacheBefore({ lowest: 300 })
    expect(await cache.findShared([balance])).toEqual([null])
    cache.store(callOf('eth_blockNumber'), '"0x12c"')
    state.lowest = 1_000
    expect(await cache.findShared([balance])).toEqual([null])
  })

  test('is used later where only the head that is known here was old', async () => {
    const { state, cache } = cacheBefore({ lowest: 300 })
    expect(await cache.findShared([balance])).toEqual([null])
    state.lowest = 1_000
    cache.store(callOf('eth_blockNumber'), '"0x3e8"')
    expect(await cache.findShared([balance])).toEqual(['"0x5"'])
  })
})
