import { describe, expect, test } from 'bun:test'

import { tableFacts } from '../methods/method-facts.ts'
import { createCacheableResults, createResultCache } from './shared-results.ts'

const callOf = (method: string, params = '[]') => ({
  method,
  cacheKey: `${method}\n${params}`,
  facts: { access: 'allowed' as const, credits: 1, ...tableFacts('evm', method) },
})

const receipt = callOf('eth_getTransactionReceipt', '["0xaa"]')
const receiptAt = (height: number) => `{"blockNumber":"0x${height.toString(16)}"}`
const head = (height: number) => `"0x${height.toString(16)}"`

function cacheable(finalityDepth: number | null = 64) {
  const clock = { now: 0 }
  const cache = createResultCache(100_000)
  const results = createCacheableResults({ cache, prefix: 'a ', finalityDepth, now: () => clock.now })
  return { clock, cache, results }
}

describe('what a hash names is kept', () => {
  test('once its block is final by the lowest head that an upstream told', () => {
    const { results } = cacheable()
    results.store(receipt, receiptAt(900), 0)
    expect(results.find(receipt)).toBeNull()
    results.store(callOf('eth_blockNumber'), head(1_000_000), 1)
    results.store(callOf('eth_blockNumber'), head(963), 0)
    results.store(receipt, receiptAt(900), 0)
    expect(results.find(receipt)).toBeNull()
    results.store(callOf('eth_blockNumber'), head(964), 0)
    results.store(receipt, receiptAt(900), 0)
    expect(results.find(receipt)).toBe(receiptAt(900))
  })

  test('never where nobody knows when a block is final, or where there is none', () => {
    const { results } = cacheable(null)
    results.store(callOf('eth_blockNumber'), head(1_000_000), 0)
    results.store(receipt, receiptAt(1), 0)
    expect(results.find(receipt)).toBeNull()
    const known = cacheable().results
    known.store(callOf('eth_blockNumber'), head(1_000_000), 0)
    known.store(receipt, 'null', 0)
    known.store(receipt, '{"blockNumber":null}', 0)
    expect(known.find(receipt)).toBeNull()
  })

  test('for ten minutes; the chain id for one', () => {
    const { clock, results } = cacheable()
    results.store(callOf('eth_blockNumber'), head(1_000), 0)
    results.store(receipt, receiptAt(1), 0)
    results.store(callOf('eth_chainId'), '"0x1"', 0)
    clock.now = 59_999
    expect(results.find(callOf('eth_chainId'))).toBe('"0x1"')
    clock.now = 60_000
    expect(results.find(callOf('eth_chainId'))).toBeNull()
    expect(results.find(receipt)).not.toBeNull()
    clock.now = 600_000
    expect(results.find(receipt)).toBeNull()
  })
})

test('what changes is never kept', () => {
  const { results } = cacheable()
  const balance = callOf('eth_getBalance', '["0xaa","0x1"]')
  results.store(callOf('eth_blockNumber'), head(1_000), 0)
  results.store(balance, '"0x5"', 0)
  expect(results.find(balance)).toBeNull()
  expect(results.find(callOf('eth_blockNumber'))).toBeNull()
})

describe('the cache', () => {
  test('is bounded, and forgets first what nobody asked for', () => {
    const cache = createResultCache(10_000)
    for (let n = 0; n < 100; n++) {
      cache.put(`key-${n}`, 'a'.repeat(1_000), 0, 1_000)
      cache.get('key-0', 0)
    }
    const kept = Array.from({ length: 100 }, (_, n) => n).filter((n) => cache.get(`key-${n}`, 0) !== null)
    const latest = Array.from({ length: kept.length - 1 }, (_, n) => 100 - kept.length + 1 + n)
    expect(kept).toEqual([0, ...latest])
    expect(kept.length).toBeLessThanOrEqual(8)
    expect(kept.length).toBeGreaterThan(5)
  })

  test('keeps one endpoint from another, and one form of an endpoint from the next', () => {
    const { cache, results } = cacheable()
    results.store(callOf('eth_chainId'), '"0x1"', 0)
    const other = createCacheableResults({ cache, prefix: 'b ', finalityDepth: 64, now: () => 0 })
    expect(other.find(callOf('eth_chainId'))).toBeNull()
  })
})
