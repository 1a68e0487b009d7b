import { expect, test } from 'bun:test'

import { createByteLimit } from './byte-limit.ts'

test('an address is given what a minute allows, and more as time passes; others are not concerned', () => {
  let now = 0
  const limit = createByteLimit(600_000, () => now)
  for (let count = 0; count < 6; count++) expect(limit.take('192.0.2.1', 100_000)).toBe(0)
  expect(limit.take('192.0.2.1', 100_000)).toBe(10)
  expect(limit.take('192.0.2.2', 600_000)).toBe(0)
  now += 9_000
  expect(limit.take('192.0.2.1', 100_000)).toBe(1)
  now += 1_000
  expect(limit.take('192.0.2.1', 100_000)).toBe(0)
  expect(limit.take('2001:db8:1:2::1', 600_000)).toBe(0)
  expect(limit.take('2001:db8:1:2::2', 100_000)).toBeGreaterThan(0)
})

test('200,000 addresses do not fill the memory', () => {
  const limit = createByteLimit(600_000, () => 0)
  Bun.gc(true)
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < 200_000; count++)
    limit.take(`${count >> 16}.${(count >> 8) & 255}.${count & 255}.1`, 1)
  Bun.gc(true)
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000)
})
