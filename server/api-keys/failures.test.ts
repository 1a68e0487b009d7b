import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { addFailure, emptyWindow, failuresIn, failuresPerMinute, secondsUntilFree } from './failure-window.ts'
import { createFailures } from './failures.ts'

const minuteMs = 60_000

test('never more than the limit in any minute, and the wait is neither too short nor much too long', () => {
  const gaps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 900 })), {
    maxLength: 40,
  })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), gaps, (startedAt, bursts) => {
      const window = emptyWindow()
      const counted: number[] = []
      let now = startedAt
      for (const [gap, size] of bursts) {
        now += gap
        for (let attempt = 0; attempt < size; attempt++) {
          if (addFailure(window, now)) counted.push(now)
          else {
            // Justified: the limit was used up within the last minute and one slice.
            expect(counted.filter((at) => at > now - minuteMs - 5_000).length).toBeGreaterThanOrEqual(
              failuresPerMinute,
            )
            break
          }
        }
      }
      for (const [place, at] of counted.entries()) {
        const earlier = counted[place - failuresPerMinute]
        if (earlier !== undefined) expect(at - earlier).toBeGreaterThanOrEqual(minuteMs)
      }
    }),
    { numRuns: 60 },
  )
})

test('after the wait that is told one more is counted, and not a second before', () => {
  const window = emptyWindow()
  const now = 1_234_567
  while (addFailure(window, now)) expect(secondsUntilFree(window, now)).toBeWithin(0, 66)
  const waitMs = secondsUntilFree(window, now) * 1_000
  expect(waitMs).toBeGreaterThan(minuteMs - 1)
  expect(addFailure(window, now + waitMs - 1_000)).toBe(false)
  expect(addFailure(window, now + waitMs)).toBe(true)
  expect(failuresIn(window, now + waitMs)).toBe(1)
  expect(failuresIn(window, now + waitMs + 2 * minuteMs)).toBe(0)
})

const flood = (failures: ReturnType<typeof createFailures>, address: string | null): number => {
  for (let attempt = 0; attempt < failuresPerMinute; attempt++) expect(failures.add(address)).toBe(0)
  return failures.add(address)
}

describe('by address', () => {
  test('one address does not spend what another has', () => {
    const failures = createFailures(() => 1_000)
    expect(flood(failures, '192.0.2.1')).toBeGreaterThan(0)
    expect(failures.waitSec('192.0.2.1')).toBeGreaterThan(0)
    expect(failures.waitSec('192.0.2.2')).toBe(0)
    expect(failures.add('192.0.2.2')).toBe(0)
    expect(flood(failures, null)).toBeGreaterThan(0)
  })

  test('addresses of one IPv6 /64 are one', () => {
    const failures = createFailures(() => 1_000)
    expect(flood(failures, '2001:db8:1:2::1')).toBeGreaterThan(0)
    expect(failures.waitSec('2001:db8:1:2:ffff::9')).toBeGreaterThan(0)
    expect(failures.waitSec('2001:db8:1:3::1')).toBe(0)
  })

  test('the time passes', () => {
    let now = 0
    const failures = createFailures(() => now)
    const waitSec = flood(failures, '192.0.2.1')
    now += waitSec * 1_000
    expect(failures.waitSec('192.0.2.1')).toBe(0)
  })

  test('200,000 addresses do not fill the memory', () => {
    const failures = createFailures(() => 1_000)
    Bun.gc(true)
    const before = process.memoryUsage().heapUsed
    for (let count = 0; count < 200_000; count++)
      failures.add(`${count >> 16}.${(count >> 8) & 255}.${count & 255}.1`)
    Bun.gc(true)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000)
  })
})
