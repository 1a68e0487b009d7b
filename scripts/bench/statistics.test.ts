import { expect, test } from 'bun:test'

import { percentile, ratios, spreadOf } from './statistics.ts'

test('a spread is the median with the least and the greatest value, in any order', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3, count: 3 })
  expect(spreadOf([4, 1])).toEqual({ median: 2.5, min: 1, max: 4, count: 2 })
  expect(() => spreadOf([])).toThrow(RangeError)
})

test('percentiles lie between their neighbours', () => {
  const sorted = Array.from({ length: 101 }, (_, index) => index * 10)
  expect(percentile(sorted, 99)).toBe(990)
  expect(percentile([1, 2], 75)).toBe(1.75)
})

test('ratios are taken within a round', () => {
  expect(ratios([9, 20], [10, 10])).toEqual([0.9, 2])
})
