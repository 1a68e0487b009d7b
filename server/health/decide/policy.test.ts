import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { families } from '../../../shared/chains.ts'
import { Policy } from '../../../shared/health.ts'
import { policy as draftPolicy } from './test-support/arbitraries.ts'
import { defaultPolicy, policyProblem, resolvePolicy, withoutContradictions } from './policy.ts'

const ethereum = { blockMs: 12_000 }

/** The table "Default thresholds from block time" of the design. The formula gives every row: none deviates. */
const designTable: [chain: string, blockSec: number, enterSec: number, enterBlocks: number][] = [
  ['Ethereum', 12, 60, 5],
  ['Solana', 0.4, 30, 75],
  ['Arbitrum', 0.25, 30, 120],
  ['BSC', 0.75, 30, 40],
  ['Polygon', 2, 30, 15],
  ['NEAR', 1, 30, 30],
  ['Cosmos Hub', 6, 30, 5],
  ['Starknet at its fastest', 20, 100, 5],
  ['Starknet at its slowest', 30, 150, 5],
  ['Filecoin', 30, 150, 5],
  ['Polkadot', 6, 30, 5],
  ['Bitcoin', 600, 1_800, 3],
]

/** [enterBlocks, enterSec] */
const thresholds = (blockMs: number) => {
  const { enterBlocks, enterSec } = defaultPolicy({ blockMs }, 'bitcoin')
  return [enterBlocks, enterSec]
}

/** [freshMs, timeoutMs] */
const fit = (intervalMs: number) => {
  const policy = Policy.parse(resolvePolicy(ethereum, 'evm', { intervalMs }))
  return [policy.freshMs, policy.timeoutMs]
}

describe('default thresholds', () => {
  test.each(designTable)('%s: block time %d s', (_chain, blockSec, enterSec, enterBlocks) => {
    expect(defaultPolicy({ blockMs: blockSec * 1000 }, 'evm')).toMatchObject({ enterSec, enterBlocks })
  })

  test('between the rows of the table', () => {
    expect(thresholds(60_000)).toEqual([5, 300]) // Dogecoin
    expect(thresholds(150_000)).toEqual([5, 750]) // Litecoin
    expect(thresholds(360_000)).toEqual([5, 1_800])
    expect(thresholds(450_000)).toEqual([4, 1_800])
    expect(thresholds(1_200_000)).toEqual([3, 3_600])
    expect(thresholds(7_000)).toEqual([5, 35])
    expect(thresholds(4_000)).toEqual([8, 30]) // 7.5 blocks
    expect(thresholds(6_500)).toEqual([5, 33]) // 32.5 s
  })

  test('for any block time: valid, at least 30 s and three blocks, and slower chains get no less time', () => {
    const blockMs = fc.integer({ min: 10, max: 86_400_000 })
    fc.assert(
      fc.property(blockMs, blockMs, (a, b) => {
        const faster = Policy.parse(defaultPolicy({ blockMs: Math.min(a, b) }, 'evm'))
        const slower = Policy.parse(defaultPolicy({ blockMs: Math.max(a, b) }, 'evm'))
        expect(faster.enterSec).toBeGreaterThanOrEqual(30)
        expect(faster.enterBlocks).toBeGreaterThanOrEqual(3)
        expect(slower.enterSec).toBeGreaterThanOrEqual(faster.enterSec)
        expect(slower.enterBlocks).toBeLessThanOrEqual(faster.enterBlocks)
      }),
    )
  })
})

describe('the other defaults', () => {
  test('are those of the design', () => {
    expect(defaultPolicy(ethereum, 'evm')).toEqual({ ...draftPolicy, minLive: null, freshMs: 32_000 })
  })

  test('slow answers matter for http and mcp alone', () => {
    for (const family of families) {
      const isChainless = family === 'http' || family === 'mcp'
      const policy = defaultPolicy(isChainless ? null : ethereum, family)
      expect(policy.maxRttMs).toBe(isChainless ? 3_000 : null)
      expect(Policy.safeParse(policy).success).toBe(true)
    }
  })

  test('freshness and time-out follow the interval, so that a probe and its retry fit into it', () => {
    expect(fit(10_000)).toEqual([32_000, 4_000])
    expect(fit(60_000)).toEqual([182_000, 4_000])
    expect(fit(1_000)).toEqual([5_000, 500])
    expect(fit(333)).toEqual([2_999, 166])
    expect(fit(100)).toEqual([2_300, 100]) // the schema's lower bound of the time-out
    expect(fit(600_000)).toEqual([1_802_000, 4_000])
  })
})

describe('precedence', () => {
  test('service before chain before formula', () => {
    const chain = { enterBlocks: 8, enterSec: 90 }
    expect(resolvePolicy(ethereum, 'evm', {})).toEqual(defaultPolicy(ethereum, 'evm'))
    expect(resolvePolicy(ethereum, 'evm', {}, chain)).toMatchObject(chain)
    const both = resolvePolicy(ethereum, 'evm', { enterBlocks: 2 }, chain)
    expect(both).toMatchObject({ enterBlocks: 2, enterSec: 90, freshMs: 32_000 })
  })

  test('an interval set by the chain moves what follows from it, unless that is set too', () => {
    const chain = { intervalMs: 2_000 }
    expect(resolvePolicy(ethereum, 'evm', {}, chain)).toMatchObject({ intervalMs: 2_000, freshMs: 8_000 })
    expect(resolvePolicy(ethereum, 'evm', { freshMs: 9_000 }, chain).freshMs).toBe(9_000)
    expect(resolvePolicy(ethereum, 'evm', { intervalMs: 5_000 }, chain).freshMs).toBe(17_000)
  })

  test('null is a value, undefined is none', () => {
    const silent = resolvePolicy(null, 'http', { maxRttMs: null, downForMs: undefined }, { downForMs: 1_000 })
    expect(silent).toMatchObject({ maxRttMs: null, downForMs: 1_000 })
    expect(resolvePolicy(ethereum, 'evm', { minLive: null }, { minLive: 3 }).minLive).toBeNull()
  })
})

describe('settings that contradict each other', () => {
  const contradicting: [string, Partial<Policy>, keyof Policy, string][] = [
    ['fresh for less than three intervals and the way', { freshMs: 31_999 }, 'freshMs', 'at least 32000'],
    ['a short interval with its old freshness', { intervalMs: 100, freshMs: 300 }, 'freshMs', 'at least 2300'],
    ['a time-out beyond the interval', { intervalMs: 1_000, timeoutMs: 1_001 }, 'timeoutMs', 'at most the interval of 1000'],
    ['a bound below what it bounds', { upForMs: 60_000, maxUpForMs: 59_999 }, 'maxUpForMs', 'at least upForMs (60000)'],
    ['deep probes more often than probes', { intervalMs: 600_000, deepIntervalMs: 300_000 }, 'deepIntervalMs', 'at least the interval of 600000'],
  ] // prettier-ignore
  test.each(contradicting)('%s', (_, overrides, setting, message) => {
    const policy = resolvePolicy(ethereum, 'evm', overrides)
    expect(policyProblem(policy)).toEqual({ setting, message: expect.stringContaining(message) })
    expect(policyProblem(withoutContradictions(policy))).toBeNull()
  })

  test('are none by default', () => {
    for (const intervalMs of [100, 333, 10_000, 300_000]) {
      const policy = defaultPolicy(ethereum, 'evm', intervalMs)
      expect(policyProblem(policy)).toBeNull()
      expect(withoutContradictions(policy)).toEqual(policy)
    }
  })
})
