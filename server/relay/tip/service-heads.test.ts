import { expect, test } from 'bun:test'

import { createServiceHeads } from './service-heads.ts'

const healthNow = 5_000_000

/** Returns the head of a service that verifiers have seen at these heights, so many ms ago. */
const headOf = (...seen: readonly (readonly [height: number, ageMs: number])[]) =>
  createServiceHeads({
    reported: () => seen.map(([height, ageMs]) => ({ height, at: healthNow - ageMs })),
    reference: () => null,
    healthNow: () => healthNow,
    now: () => 1_000,
  }).of('node')

test('the head that one verifier sees counts, with its age by the monotonic clock', () => {
  expect(headOf([100, 50])).toEqual({ height: 100, at: 950 })
  expect(headOf([100, -50])).toEqual({ height: 100, at: 1_000 })
})

test('with several verifiers the second-highest head counts, so that none can lift it alone', () => {
  expect(headOf([30_000_000, 0], [100, 50], [99, 20])).toEqual({ height: 100, at: 950 })
})

test('old heads say nothing', () => {
  expect(headOf()).toBeNull()
  expect(headOf([100, 61_000])).toBeNull()
  expect(headOf([100, 61_000], [99, 100])).toEqual({ height: 99, at: 900 })
})

test.each([
  [null, null],
  [
    { height: 100, timestamp: 4_990, isCorroborated: true },
    { height: 100, at: -9_000 },
  ],
  [
    { height: 100, timestamp: 5_001, isCorroborated: true },
    { height: 100, at: 1_000 },
  ],
  [{ height: 100, timestamp: 4_990, isCorroborated: false }, null],
])('of a chain whose reference is %j they say %j', (reference, expected) => {
  const heads = createServiceHeads({
    reported: () => [],
    reference: () => reference,
    healthNow: () => healthNow,
    now: () => 1_000,
  })
  expect(heads.ofChain('testnet')).toEqual(expected)
})
