import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { backOffMs } from './back-off.ts'

const almostOne = () => 1 - Number.EPSILON

test('the wait stays below a bound that doubles up to 30 s', () => {
  expect([0, 1, 2, 5, 6, 40, 5_000].map((failures) => backOffMs(failures, almostOne))).toEqual([
    499, 999, 1_999, 15_999, 29_999, 29_999, 29_999,
  ])
})

test('it is spread over the whole range down to zero', () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.nat(200), chance, (failures, random) => {
      const wait = backOffMs(failures, () => random)
      expect(Number.isSafeInteger(wait)).toBe(true)
      expect(wait).toBeGreaterThanOrEqual(0)
      expect(wait).toBeLessThan(30_000)
    }),
  )
  expect(backOffMs(10, () => 0)).toBe(0)
})
