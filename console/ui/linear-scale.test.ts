import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { linearScale, roundTicks, roundTop } from './linear-scale.ts'

describe('an axis', () => {
  test('places values between its ends, and a single one in the middle', () => {
    const scale = linearScale([0, 10], [200, 0])
    expect([scale(0), scale(5), scale(10)]).toEqual([200, 100, 0])
    expect(linearScale([7, 7], [0, 100])(7)).toBe(50)
  })

  test.each([
    [1, 4, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]],
    [0.3, 3, 0.3, [0, 0.1, 0.2, 0.3]],
    [37, 4, 40, [0, 10, 20, 30, 40]],
    [1_600_001, 4, 2_000_000, [0, 500_000, 1_000_000, 1_500_000, 2_000_000]],
  ])('that holds %d in about %d steps ends at %d', (highest, count, top, ticks) => {
    expect(roundTop(highest, count)).toBe(top)
    expect(roundTicks(top, count)).toEqual(ticks)
  })

  test('holds every value, with ticks that are neither too few nor too many', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e15, noNaN: true }),
        fc.integer({ min: 2, max: 12 }),
        (highest, count) => {
          const top = roundTop(highest, count)
          const ticks = roundTicks(top, count)
          expect(top).toBeGreaterThanOrEqual(highest * (1 - 1e-9))
          expect(top).toBeLessThan(highest * 2.1)
          expect(ticks[0]).toBe(0)
          expect(ticks.at(-1)).toBeLessThanOrEqual(top)
          expect(ticks.length).toBeWithin(2, 2 * count + 3)
        },
      ),
    )
  })
})
