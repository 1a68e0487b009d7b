import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { decisions } from '../../../shared/health.ts'
import { chooseSticky, chooseUpstream, orderOf, type UpstreamState } from './choose.ts'

const well: UpstreamState = {
  decision: 'UP',
  breaker: 'closed',
  isFull: false,
  tier: 0,
  weight: 1,
  latencyMs: 10,
}
const standing = (change: Partial<UpstreamState>): UpstreamState => ({ ...well, ...change })

const anyStanding = fc.record({
  decision: fc.constantFrom(...decisions, null),
  breaker: fc.constantFrom('closed' as const, 'half-open' as const, 'open' as const),
  isFull: fc.boolean(),
  tier: fc.integer({ min: 0, max: 9 }),
  weight: fc.integer({ min: 1, max: 1_000 }),
  latencyMs: fc.option(fc.double({ min: 0, max: 60_000, noNaN: true })),
})
const standings = fc.array(anyStanding, { minLength: 1, maxLength: 20 })
const roll = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

/** How often each of them is chosen, over evenly spread rolls. */
function shares(of: readonly UpstreamState[], isRead = true): number[] {
  const counts = of.map(() => 0)
  for (let n = 0; n < 1_000; n++) {
    const place = chooseUpstream(of, 0, isRead, n / 1_000)
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts.map((count) => count / 1_000)
}

describe('choosing', () => {
  test('gives one of the best rank that was not tried, as long as there is one', () => {
    fc.assert(
      fc.property(standings, fc.nat(2 ** 20 - 1), fc.boolean(), roll, (all, tried, isRead, at) => {
        const chosen = chooseUpstream(all, tried, isRead, at)
        const left = all.filter((_, place) => ((tried >> place) & 1) === 0)
        if (left.length === 0) return expect(chosen).toBe(-1)
        expect((tried >> chosen) & 1).toBe(0)
        const best = Math.min(...left.map((one) => orderOf(one, isRead)))
        expect(orderOf(all[chosen] ?? well, isRead)).toBe(best)
      }),
    )
  })

  test('prefers what is UP over LATENCY, and both over DOWN; UNKNOWN and unmonitored count as UP', () => {
    expect(shares([standing({ decision: 'LATENCY' }), well])).toEqual([0, 1])
    expect(shares([standing({ decision: 'DOWN' }), standing({ decision: 'LATENCY' })])).toEqual([0, 1])
    expect(shares([standing({ decision: 'UNKNOWN' }), standing({ decision: null }), well])[0]).toBeCloseTo(
      1 / 3,
      1,
    )
  })

  test('asks a higher tier only when nobody of a lower one can be asked', () => {
    const paid = standing({ tier: 1 })
    expect(shares([standing({ decision: 'LATENCY', latencyMs: 900 }), paid])).toEqual([1, 0])
    expect(shares([standing({ decision: 'DOWN' }), paid])).toEqual([0, 1])
    expect(shares([standing({ breaker: 'open' }), paid])).toEqual([0, 1])
    expect(shares([standing({ isFull: true }), paid])).toEqual([0, 1])
    expect(shares([standing({ tier: 2 }), paid, standing({ decision: 'DOWN' })])).toEqual([0, 1, 0])
    expect(chooseUpstream([well, paid], 1, true, 0)).toBe(1)
    expect(shares([standing({ decision: 'DOWN' }), standing({ tier: 1, decision: 'DOWN' })])).toEqual([1, 0])
    const full = [standing({ decision: 'DOWN' }), standing({ tier: 1, isFull: true })]
    expect(shares(full)).toEqual([0, 1])
  })

  test('keeps calls of a key that belong together in the lowest tier that can be reached', () => {
    const keys = Array.from({ length: 50 }, (_, n) => `key-${n}`)
    const of = (states: readonly UpstreamState[]) =>
      new Set(keys.map((key) => chooseSticky(key, ['a', 'b', 'c'], states)))
    expect(of([well, standing({ tier: 1 }), well])).toEqual(new Set([0, 2]))
    expect(of([standing({ decision: 'DOWN' }), standing({ tier: 1 }), standing({ tier: 2 })])).toEqual(
      new Set([1]),
    )
  })

  test('tries those that are DOWN when all are', () => {
    expect(shares([standing({ decision: 'DOWN' }), standing({ decision: 'DOWN' })])).toEqual([0.5, 0.5])
  })

  test('leaves alone what fails, and what is full, while another one is there', () => {
    expect(shares([standing({ breaker: 'open' }), standing({ isFull: true })])).toEqual([0, 1])
    expect(shares([standing({ isFull: true }), standing({ decision: 'LATENCY' })])).toEqual([0, 1])
  })

  test('tries with a read, and not with a write, whether an upstream is well again', () => {
    const all = [standing({ breaker: 'half-open' }), standing({ decision: 'LATENCY' })]
    expect(shares(all, true)).toEqual([1, 0])
    expect(shares(all, false)).toEqual([0, 1])
  })

  test('shares by weight and by speed', () => {
    expect(shares([standing({ weight: 3 }), well])).toEqual([0.75, 0.25])
    expect(shares([standing({ latencyMs: 30 }), well])).toEqual([0.25, 0.75])
    const [unknown] = shares([standing({ latencyMs: null }), well])
    expect(unknown).toBe(0.5)
  })
})

describe('choosing for a key', () => {
  const ids = ['upstream-1', 'upstream-2', 'upstream-3']
  const all = ids.map(() => well)
  const keys = Array.from({ length: 300 }, (_, place) => `key-${place}`)

  test('always gives the same one, and spreads the keys', () => {
    const counts = [0, 0, 0]
    for (const key of keys) {
      const chosen = chooseSticky(key, ids, all)
      expect(chooseSticky(key, ids, [standing({ latencyMs: 500, decision: 'LATENCY' }), well, well])).toBe(
        chosen,
      )
      counts[chosen] = (counts[chosen] ?? 0) + 1
    }
    for (const count of counts) expect(count).toBeGreaterThan(60)
  })

  test('moves only the keys of an upstream that cannot be reached', () => {
    for (const lost of [standing({ decision: 'DOWN' }), standing({ breaker: 'open' })]) {
      for (const key of keys) {
        const before = chooseSticky(key, ids, all)
        const after = chooseSticky(key, ids, [well, lost, well])
        if (before === 1) expect(after).not.toBe(1)
        else expect(after).toBe(before)
      }
    }
  })

  test('moves only the keys of an upstream that is excluded', () => {
    for (const key of keys) {
      const before = chooseSticky(key, ids, all)
      const after = chooseSticky(key, ids, all, 0b010)
      if (before === 1) expect([0, 2]).toContain(after)
      else expect(after).toBe(before)
    }
    expect(chooseSticky('key-1', ids, all, 0b111)).toBe(-1)
  })

  test('still gives one when none can be reached, and -1 when there is none', () => {
    const lost = ids.map(() => standing({ decision: 'DOWN' }))
    expect(keys.every((key) => chooseSticky(key, ids, lost) >= 0)).toBe(true)
    expect(chooseSticky('key-1', [], [])).toBe(-1)
  })
})
