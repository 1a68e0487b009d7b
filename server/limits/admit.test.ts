import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import type { Limit } from '../../shared/limits.ts'
import { admit, type Demand } from './admit.ts'
import { cellsFor, used, windowOver } from './window/window.ts'

const windowOf = (limit: Limit) => windowOver(limit, new Float64Array(cellsFor(limit)))

function keyWith(rate: Limit, credits: Limit) {
  const windows = { rate: windowOf(rate), credits: windowOf(credits) }
  return {
    windows,
    demands: (calls: number, cost: number): Demand[] => [
      { ownerId: 'a', scope: 'key', name: 'rate', window: windows.rate, cost: calls },
      { ownerId: 'a', scope: 'key', name: 'credits', window: windows.credits, cost },
    ],
  }
}

const second = 1_000_000

describe('admitting against both limits', () => {
  test('takes from both and tells what is left of both', () => {
    const key = keyWith({ units: 3, period: 'second' }, { units: 5_000, period: 'minute' })
    const decision = admit(key.demands(2, 150), second)
    expect(decision).toEqual({
      kind: 'admitted',
      takenAt: [second, second],
      quotas: [
        { scope: 'key', name: 'rate', units: 3, periodMs: 1_000, remaining: 1, resetMs: 1_001 },
        { scope: 'key', name: 'credits', units: 5_000, periodMs: 60_000, remaining: 4_850, resetMs: 61_000 },
      ],
    })
  })

  test('a batch is admitted whole or not at all, and a refusal takes from neither limit', () => {
    const key = keyWith({ units: 10, period: 'minute' }, { units: 100, period: 'minute' })
    admit(key.demands(8, 10), second)
    const byRate = admit(key.demands(3, 1), second + 1)
    expect(byRate).toMatchObject({ kind: 'refused', limit: 'rate' })
    const byCredits = admit(key.demands(1, 91), second + 2)
    expect(byCredits).toMatchObject({ kind: 'refused', limit: 'credits' })
    expect(used(key.windows.rate, second + 2)).toBe(8)
    expect(used(key.windows.credits, second + 2)).toBe(10)
    expect(admit(key.demands(2, 90), second + 2).kind).toBe('admitted')
  })

  test('of two limits that refuse, the one with the longer wait is named, and its wait suffices for both', () => {
    const key = keyWith({ units: 1, period: 'second' }, { units: 20, period: 'hour' })
    admit(key.demands(1, 20), second)
    const refused = admit(key.demands(1, 20), second)
    expect(refused).toMatchObject({ kind: 'refused', limit: 'credits', retryAfterMs: 3_600_001 })
    expect(admit(key.demands(1, 20), second + 3_600_001_000).kind).toBe('admitted')
  })

  test('what costs more than a whole limit is never a matter of waiting', () => {
    const key = keyWith({ units: 100, period: 'minute' }, { units: 1_000, period: 'minute' })
    expect(admit(key.demands(101, 5), second)).toEqual({
      kind: 'oversized',
      limit: 'rate',
      scope: 'key',
      cost: 101,
      units: 100,
    })
    expect(admit(key.demands(100, 1_001), second)).toMatchObject({ kind: 'oversized', limit: 'credits' })
    expect(used(key.windows.rate, second)).toBe(0)
  })

  test('free calls are admitted when no credits are left', () => {
    const key = keyWith({ units: 10, period: 'minute' }, { units: 1, period: 'month' })
    expect(admit(key.demands(1, 1), second).kind).toBe('admitted')
    expect(admit(key.demands(1, 1), second).kind).toBe('refused')
    expect(admit(key.demands(1, 0), second).kind).toBe('admitted')
  })

  test('a key without limits is always admitted', () => {
    expect(admit([], second)).toEqual({ kind: 'admitted', takenAt: [], quotas: [] })
  })

  test.each([0.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    'a cost of %d is a mistake of the caller',
    (cost) => {
      const key = keyWith({ units: 10, period: 'minute' }, { units: 10, period: 'minute' })
      expect(() => admit(key.demands(1, cost), second)).toThrow(RangeError)
      expect(() => admit(key.demands(cost, 1), second)).toThrow(RangeError)
      expect(used(key.windows.rate, second)).toBe(0)
    },
  )

  test('waiting as told and asking again succeeds, when nobody else used the key', () => {
    const units = fc.constantFrom(1, 7, 60, 1_024, 1_025, 4_000)
    const period = fc.constantFrom('second', 'minute', 'month')
    const limit = fc.record({ units, period }) as fc.Arbitrary<Limit>
    const calls = fc.array(
      fc.record({
        gapShare: fc.double({ min: 0, max: 0.2, noNaN: true }),
        calls: fc.nat(40),
        cost: fc.nat(900),
      }),
      {
        minLength: 20,
        maxLength: 80,
      },
    )
    fc.assert(
      fc.property(limit, limit, calls, (rate, credits, steps) => {
        const key = keyWith(rate, credits)
        let now = 1
        for (const step of steps) {
          now += Math.floor(step.gapShare * key.windows.rate.periodMicros)
          const demands = key.demands(Math.min(step.calls, rate.units), Math.min(step.cost, credits.units))
          const decision = admit(demands, now)
          if (decision.kind !== 'refused') continue
          now += decision.retryAfterMs * 1_000
          expect(admit(demands, now).kind).toBe('admitted')
        }
      }),
    )
  })
})
