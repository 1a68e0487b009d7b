import { expect, test } from 'bun:test'

import { type DeepMemory, checkpointHeight, deepStep, isWrongGenesis } from './checkpoint.ts'

test.each([
  [[], 10, null],
  [[100], 10, 90],
  [[100, 200], 10, 90], // lower median
  [[300, 100, 200], 10, 190],
  [[100, 100, 30_000_000], 10, 90], // one liar moves nothing
  [[10], 10, 0],
  [[9], 10, null],
  [[5], 0, 5],
])('heights %p at depth %p give %p', (heights, depth, expected) => {
  expect(checkpointHeight(heights, depth)).toBe(expected)
})

const memory: DeepMemory = { chosenAt: 1_000, height: 90, collectedAt: 1_000, asked: new Set(['a', 'b']) }
const kindAt = (now: number, answering: string[], from: DeepMemory | undefined = memory) =>
  deepStep(from, new Set(answering), 300_000, now).kind

test('a height is chosen with the first answers and again after the interval', () => {
  expect(deepStep(undefined, new Set([]), 300_000, 0).kind).toBe('none')
  expect(deepStep(undefined, new Set(['a']), 300_000, 0).kind).toBe('renew')
  expect(kindAt(300_999, ['a', 'b'])).toBe('none')
  expect(kindAt(301_000, ['a', 'b'])).toBe('renew')
})

test('a newcomer is compared at the kept height, but not in every round', () => {
  expect(kindAt(30_999, ['a', 'c'])).toBe('none')
  expect(deepStep(memory, new Set(['a', 'c']), 300_000, 31_000)).toEqual({
    kind: 'repeat',
    height: 90,
    chosenAt: 1_000,
  })
  expect(kindAt(31_000, ['a'])).toBe('none')
})

test('genesis hashes are compared without regard to case, and only where both are known', () => {
  expect(isWrongGenesis('0xAB', '0xab')).toBe(false)
  expect(isWrongGenesis('0xac', '0xab')).toBe(true)
  expect(isWrongGenesis(null, '0xab')).toBe(false)
  expect(isWrongGenesis('0xab', null)).toBe(false)
})
