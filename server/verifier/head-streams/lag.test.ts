import { expect, test } from 'bun:test'

import { expectedHeight, longestSilenceMs, tolerableLag } from './lag.ts'

const heads = (...pushed: [string, number][]) => pushed.map(([provider, height]) => ({ provider, height }))

test('one provider of three or more lifts nothing, however high it claims to be', () => {
  expect(expectedHeight(heads(['a', 100], ['b', 99], ['c', 90]))).toBe(99)
  expect(expectedHeight(heads(['a', 100], ['b', 99], ['c', 30_000_000], ['c', 30_000_001]))).toBe(100)
})

test('of one or two providers the highest head counts: all that follows is a probe', () => {
  expect(expectedHeight([])).toBeNull()
  expect(expectedHeight(heads(['a', 90], ['a', 100]))).toBe(100)
  expect(expectedHeight(heads(['a', 90], ['b', 100]))).toBe(100)
})

test('nodes may be a little late, and a chain that may be idle may be silent', () => {
  expect(tolerableLag(5, 12_000)).toBe(5)
  expect(tolerableLag(0, 250)).toBe(8)
  expect(longestSilenceMs(30, { blockMs: 12_000, headAge: 'slot' })).toBe(60_000)
  expect(longestSilenceMs(30, { blockMs: 400, headAge: 'slot' })).toBe(30_000)
  for (const headAge of ['none', 'pow', 'idle'])
    expect(longestSilenceMs(30, { blockMs: 400, headAge })).toBeNull()
})
