import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { runs } from './test-support/arbitraries.ts'
import { lowerMedian, toCount, trimmedMean } from './median.ts'

test('the lower median takes the lower of two middle values', () => {
  expect(lowerMedian([1])).toBe(1)
  expect(lowerMedian([1, 2])).toBe(1)
  expect(lowerMedian([1, 2, 3])).toBe(2)
  expect(lowerMedian([1, 2, 3, 4])).toBe(2)
  expect(() => lowerMedian([])).toThrow(RangeError)
})

test('averages stay in the honest range with up to floor((n-1)/3) liars', () => {
  const honestLags = fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 20 })
  const lies = fc.array(fc.constantFrom(0, 1, 1e15, Number.MAX_SAFE_INTEGER), { maxLength: 10 })
  fc.assert(
    fc.property(honestLags, lies, (honest, lying) => {
      fc.pre(lying.length <= Math.floor((honest.length + lying.length - 1) / 3))
      const mean = trimmedMean([...honest, ...lying])
      expect(mean).toBeGreaterThanOrEqual(Math.min(...honest))
      expect(mean).toBeLessThanOrEqual(Math.max(...honest))
    }),
    runs,
  )
})

test('the trimmed mean drops a third from each end, and rounds', () => {
  expect(trimmedMean([])).toBe(0)
  expect(trimmedMean([7])).toBe(7)
  expect(trimmedMean([1, 2])).toBe(2) // 1.5
  expect(trimmedMean([1, 2, 9])).toBe(4) // ⌊2/3⌋ = 0: nothing is dropped
  expect(trimmedMean([0, 2, 3, 1_000])).toBe(3) // 2.5
  expect(trimmedMean([1_000, 10, 20, 0, 30, 2_000, 40])).toBe(30) // 20, 30, 40 are left
})

test('adding up leaves no rounding error outside the range of the values', () => {
  const lag = 9_000_000_000_000_007 // a third of it added three times is one more
  expect(trimmedMean([lag, lag, lag, lag, lag])).toBe(lag)
})

test('the trimmed mean leaves its argument as it was', () => {
  const values = [3, 1, 2]
  trimmedMean(values)
  expect(values).toEqual([3, 1, 2])
})

test('counts are integers that the wire can carry', () => {
  expect([1.4, 1.5, -3, 0, Number.NaN, Infinity].map(toCount)).toEqual([1, 2, 0, 0, 0, 0])
  expect(toCount(2 ** 60)).toBe(Number.MAX_SAFE_INTEGER)
  expect(trimmedMean([Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])).toBe(Number.MAX_SAFE_INTEGER)
})
