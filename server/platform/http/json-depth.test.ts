import { expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { nestsDeeperThan } from './request-body.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('counts arrays and objects, not brackets inside texts', () => {
  expect(nestsDeeperThan(bytes(nested(64)), 64)).toBe(false)
  expect(nestsDeeperThan(bytes(nested(65)), 64)).toBe(true)
  expect(nestsDeeperThan(bytes('{"a":'.repeat(65)), 64)).toBe(true)
  expect(nestsDeeperThan(bytes(JSON.stringify({ a: nested(100), [nested(100)]: String.raw`\"[[` })), 2)).toBe(
    false,
  )
  expect(nestsDeeperThan(bytes('[],'.repeat(1_000)), 1)).toBe(false)
})

test('agrees with the depth of the parsed value', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.nat(8), (value, limit) => {
      expect(nestsDeeperThan(bytes(JSON.stringify(value)), limit)).toBe(depthOf(value) > limit)
    }),
  )
})

test('256 KiB of brackets are refused in less than 5 ms', () => {
  const bomb = bytes('['.repeat(262_144))
  const startedAt = performance.now()
  expect(nestsDeeperThan(bomb, 64)).toBe(true)
  expect(performance.now() - startedAt).toBeLessThan(5)
})
