import { describe, expect, test } from 'bun:test'

import type { Limit } from '../../../shared/limits.ts'
import {
  addGrant,
  available,
  leaseSize,
  type LeasedLimit,
  newLeasedLimit,
  noteDemand,
  spend,
} from './lease.ts'
import { noteRefusals, quotasOf, spendAll, spendShare, cachedRefusal } from './spending.ts'

const leasedLimit = (name: 'rate' | 'credits', limit: Limit, now: number): LeasedLimit =>
  newLeasedLimit({ ownerId: 'a', scope: 'key', name, limit }, now)

const perMinute = (units: number): Limit => ({ units, period: 'minute' })
const leasedOf = (units: number): LeasedLimit => leasedLimit('rate', perMinute(units), 0)

function grant(leased: LeasedLimit, units: number, askedAt: number, now: number, remaining = 1_000): void {
  addGrant(leased, { units, remaining, bucket: 7, granted: leased.granted + units }, askedAt, now)
}

describe('a lease', () => {
  test('lasts one sub-bucket from when it was asked for, not from the answer', () => {
    const leased = leasedOf(1_000)
    grant(leased, 5, 10_000, 10_900)
    expect(available(leased, 10_999)).toBe(5)
    expect(available(leased, 11_000)).toBe(0)
    expect(spendAll([{ leased, cost: 1 }], 11_000)).toBeNull()
  })

  test('the oldest is spent first, and a call may take from several', () => {
    const leased = leasedOf(1_000)
    grant(leased, 3, 10_000, 10_000)
    grant(leased, 3, 10_500, 10_500)
    expect(spend(leased, 4, 10_600).map(({ units }) => units)).toEqual([3, 1])
    expect(available(leased, 10_999)).toBe(2)
    expect(available(leased, 11_100)).toBe(2)
    expect(available(leased, 11_500)).toBe(0)
  })

  test('of both limits units are spent, or of none', () => {
    const [rate, credits] = [leasedOf(10), leasedOf(10)]
    grant(rate, 5, 0, 0)
    grant(credits, 2, 0, 0)
    const demands = (cost: number) => [
      { leased: rate, cost: 1 },
      { leased: credits, cost },
    ]
    expect(spendAll(demands(3), 1)).toBeNull()
    expect(available(rate, 1)).toBe(5)
    expect(spendAll(demands(2), 1)).not.toBeNull()
    expect(available(rate, 1)).toBe(4)
  })

  test('grows with demand up to a quarter of the share, and is no more than needed near the limit', () => {
    const leased = leasedOf(1_000)
    expect(leaseSize(leased, 2, 4)).toBe(2)
    for (let at = 0; at < 3_000; at += 10) noteDemand(leased, 1, at)
    grant(leased, 1, 3_000, 3_000)
    // 0.1 units a ms, half a second.
    expect(leaseSize(leased, 1, 1)).toBeWithin(48, 53)
    expect(leaseSize(leased, 1, 10)).toBe(25)
    expect(leaseSize(leased, 1, 4_000)).toBe(1)
    expect(leaseSize(leased, 90, 1)).toBe(90)
    grant(leased, 1, 3_000, 3_000, 60)
    expect(leaseSize(leased, 1, 1)).toBe(1)
  })
})

describe('a refusal of the store', () => {
  test('is repeated for a second at most, with the time that is left, and for no smaller call', () => {
    const leased = leasedOf(100)
    noteRefusals([{ leased, cost: 5 }], [{ waitMicros: 30_000_001, remaining: 4 }], 1_000)
    expect(cachedRefusal([{ leased, cost: 5 }], 1_999)).toMatchObject({
      limit: 'rate',
      retryAfterMs: 29_002,
    })
    expect(quotasOf([{ leased, cost: 5 }], 1_999)).toMatchObject([{ remaining: 4, resetMs: 29_002 }])
    expect(cachedRefusal([{ leased, cost: 4 }], 1_999)).toBeNull()
    expect(cachedRefusal([{ leased, cost: 5 }], 2_000)).toBeNull()
  })
})

describe('a share of the limit', () => {
  test('counts what the store granted lately, and is never exceeded', () => {
    const leased = leasedOf(100)
    const demands = [{ leased, cost: 1 }]
    grant(leased, 20, 5_000, 5_000)
    for (let call = 0; call < 5; call++) expect(spendShare(demands, 4, 6_000)).not.toBeNull()
    expect(spendShare(demands, 4, 6_000)).toBeNull()
    expect(leased.granted).toBe(25)
    expect(spendShare(demands, 101, 6_000)).toBeNull()
    const later = 5_000 + 62_000
    expect(spendShare([{ leased, cost: 25 }], 4, later + 1_000)).toMatchObject([{ remaining: 0 }])
  })
})
