import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { type AddressLimit, createAddressLimit } from './address-limit.ts'
import { addTo, countIn, emptyWindow, secondsUntilFree, sliceMs } from './minute-window.ts'
import { minuteMs } from '../../../shared/durations.ts'

describe('one window', () => {
  test('no minute, wherever it begins, holds more than the limit; what is refused is refused with reason', () => {
    const bursts = fc.array(fc.tuple(fc.nat(20_000), fc.integer({ min: 1, max: 30 })), { maxLength: 60 })
    fc.assert(
      fc.property(fc.nat(1e9), bursts, fc.integer({ min: 1, max: 50 }), (startedAt, steps, limit) => {
        const window = emptyWindow()
        const counted: number[] = []
        let now = startedAt
        for (const [gap, size] of steps) {
          now += gap
          for (let attempt = 0; attempt < size; attempt++) {
            if (addTo(window, now, limit)) counted.push(now)
            else {
              const recent = counted.filter((at) => at > now - minuteMs - sliceMs)
              expect(recent.length).toBeGreaterThanOrEqual(limit)
              expect(secondsUntilFree(window, now, limit)).toBeGreaterThan(0)
            }
          }
        }
        for (const [place, at] of counted.entries()) {
          expect(at - (counted[place - limit] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(minuteMs)
        }
      }),
    )
  })

  test('after the wait that is told one more is counted, and not a second before', () => {
    const window = emptyWindow()
    const now = 1_234_567
    while (addTo(window, now, 100)) expect(secondsUntilFree(window, now, 100)).toBeWithin(0, 66)
    const waitMs = secondsUntilFree(window, now, 100) * 1_000
    expect(waitMs).toBeGreaterThanOrEqual(minuteMs)
    expect(addTo(window, now + waitMs - 1_000, 100)).toBe(false)
    expect(addTo(window, now + waitMs, 100)).toBe(true)
    expect(countIn(window, now + waitMs)).toBe(1)
    expect(countIn(window, now + waitMs + 2 * minuteMs)).toBe(0)
  })
})

/** Counts up to the limit, and returns what one more is told. */
function exhaust(limit: AddressLimit, perMinute: number, address: string | null): number {
  for (let count = 0; count < perMinute; count++) expect(limit.count(address)).toBe(0)
  return limit.count(address)
}

describe('by address', () => {
  test('one address does not spend what another has', () => {
    const limit = createAddressLimit(5, () => 1_000)
    expect(exhaust(limit, 5, '192.0.2.1')).toBeGreaterThan(0)
    expect(limit.waitSec('192.0.2.1')).toBeGreaterThan(0)
    expect(limit.waitSec('192.0.2.2')).toBe(0)
    expect(exhaust(limit, 5, '192.0.2.2')).toBeGreaterThan(0)
    expect(exhaust(limit, 5, null)).toBeGreaterThan(0)
  })

  test('addresses of one IPv6 /64 are one', () => {
    const limit = createAddressLimit(5, () => 1_000)
    expect(exhaust(limit, 5, '2001:db8:1:2::1')).toBeGreaterThan(0)
    expect(limit.waitSec('2001:db8:1:2:ffff::9')).toBeGreaterThan(0)
    expect(limit.waitSec('2001:db8:1:3::1')).toBe(0)
  })

  test('waiting as long as it says is enough', () => {
    let now = 0
    const limit = createAddressLimit(5, () => now)
    now += exhaust(limit, 5, '192.0.2.1') * 1_000
    expect(limit.waitSec('192.0.2.1')).toBe(0)
    expect(limit.count('192.0.2.1')).toBe(0)
  })

  test('200,000 addresses do not fill the memory', () => {
    const limit = createAddressLimit(5, () => 1_000)
    Bun.gc(true)
    const before = process.memoryUsage().heapUsed
    for (let count = 0; count < 200_000; count++)
      limit.count(`${count >> 16}.${(count >> 8) & 255}.${count & 255}.1`)
    Bun.gc(true)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000)
  })
})
