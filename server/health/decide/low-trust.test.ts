import { describe, expect, test } from 'bun:test'

import type { HeadObservation } from './reference-head.ts'
import { params, now, nowSec } from './test-support/arbitraries.ts'
import { type Gap, followGap, isGrowing, referenceOfOneProvider } from './low-trust.ts'

const enterBlocks = 5
const chain = { ...params, blockMs: 1_000 }

const head = (serviceId: string, height: number, at = now, provider = serviceId): HeadObservation => ({
  serviceId,
  provider,
  verifierId: 'v',
  at,
  height,
  timestamp: Math.floor(at / 1000),
})

/** Follows rounds of two providers, ten seconds apart; the head of the first one stands still. */
function follow(heights: readonly [low: number, high: number][]): { gap: Gap | null; at: number } {
  let gap: Gap | null = null
  let at = now
  for (const [low, high] of heights) {
    at += 10_000
    gap = followGap(
      gap,
      [{ ...head('a', low, at), timestamp: nowSec }, head('b', high, at)],
      at,
      enterBlocks,
      chain,
    )
  }
  return { gap, at }
}
const isBehind = (...heights: [number, number][]): boolean => {
  const { gap, at } = follow(heights)
  return gap !== null && isGrowing(gap, at)
}

describe('two providers', () => {
  test('that drift apart for half a minute: the lower one is behind', () => {
    expect(isBehind([100, 106], [100, 107], [100, 108])).toBe(false)
    expect(isBehind([100, 106], [100, 107], [100, 108], [100, 109])).toBe(true)
    expect(follow([[100, 106], [100, 109]]).gap).toMatchObject({ lower: 'a', blocks: 9, firstBlocks: 6 }) // prettier-ignore
  })

  test('that keep their distance, come closer, or are close: nobody is', () => {
    expect(isBehind([100, 106], [101, 107], [102, 108], [103, 109])).toBe(false)
    expect(isBehind([100, 109], [101, 109], [102, 109], [103, 109])).toBe(false)
    expect(isBehind([100, 101], [100, 102], [100, 103], [100, 105])).toBe(false)
  })

  test('of which one claims what the chain cannot have made: nobody is', () => {
    const rounds = [1, 2, 3, 4].map((round): [number, number] => [100, 1_000_000 * round])
    expect(isBehind(...rounds)).toBe(false)
  })

  test('that take turns: nobody is', () => {
    expect(isBehind([100, 106], [107, 101], [102, 109], [110, 103])).toBe(false)
  })
})

test('three voices and one alone have no gap', () => {
  const three = [head('a', 1), head('b', 90), head('c', 90)]
  expect(followGap(null, three, now, enterBlocks, chain)).toBeNull()
  expect(followGap(null, [head('a', 1)], now, enterBlocks, chain)).toBeNull()
  expect(followGap(null, [], now, enterBlocks, chain)).toBeNull()
})

describe('nodes of one provider', () => {
  test('three of them have a reference: the second highest', () => {
    const owned = [head('a', 90, now, 'own'), head('b', 100, now, 'own'), head('c', 101, now, 'own')]
    expect(referenceOfOneProvider(owned, chain)).toMatchObject({ height: 100 })
  })

  test('two have none, nor have nodes of two providers', () => {
    expect(referenceOfOneProvider([head('a', 1, now, 'own'), head('b', 2, now, 'own')], chain)).toBeNull()
    const mixed = [head('a', 1, now, 'own'), head('b', 2, now, 'own'), head('c', 2, now, 'other')]
    expect(referenceOfOneProvider(mixed, chain)).toBeNull()
    expect(referenceOfOneProvider([], chain)).toBeNull()
  })

  test('two of them are two voices', () => {
    const round = (height: number) => [head('a', 100, now, 'own'), { ...head('b', height, now, 'own') }]
    expect(followGap(null, round(107), now, enterBlocks, chain)).toBeNull() // not in this time
    const stuck = [{ ...head('a', 100, now, 'own'), timestamp: nowSec - 60 }, head('b', 107, now, 'own')]
    expect(followGap(null, stuck, now, enterBlocks, chain)).toMatchObject({ lower: 'a' })
  })
})
