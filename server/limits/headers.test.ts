import { describe, expect, test } from 'bun:test'

import type { Quota } from './admit.ts'
import { rateLimitPolicy, rateLimitState } from './headers.ts'
import { covers } from '../../tests/support/covers.ts'

const rate: Quota = {
  scope: 'key',
  name: 'rate',
  units: 100,
  periodMs: 60_000,
  remaining: 50,
  resetMs: 29_001,
}
const credits: Quota = {
  scope: 'key',
  name: 'credits',
  units: 1_000,
  periodMs: 3_600_000,
  remaining: 1_000,
  resetMs: null,
}
const admitted = { kind: 'admitted', admittedAt: 0, giveBack: () => undefined } as const

describe('the headers about limits', () => {
  covers('limit-refusal')
  test('a key is told its policies', () => {
    const rateLimit = { units: 100, period: 'minute' } as const
    const creditsLimit = { units: 1_000_000_000_000, period: 'hour' } as const
    expect(rateLimitPolicy({ rate: rateLimit, credits: creditsLimit })).toBe(
      '"rate";q=100;w=60, "credits";q=1000000000000;w=3600',
    )
    expect(rateLimitPolicy({ rate: null, credits: creditsLimit })).toBe('"credits";q=1000000000000;w=3600')
    expect(rateLimitPolicy({ rate: null, credits: null })).toBeNull()
  })

  test('limits of its plan and of all keys of its account have names of their own', () => {
    const perMinute = { units: 100, period: 'minute' } as const
    const further = [
      { id: 'key/plan', scope: 'plan', rate: perMinute, credits: null },
      { id: 'acc', scope: 'account', rate: perMinute, credits: perMinute },
    ] as const
    expect(rateLimitPolicy({ rate: perMinute, credits: null, further })).toBe(
      '"rate";q=100;w=60, "plan-rate";q=100;w=60, "account-rate";q=100;w=60, "account-credits";q=100;w=60',
    )
    expect(rateLimitState({ ...admitted, quotas: [{ ...rate, scope: 'account' }] })).toEqual({
      ratelimit: '"account-rate";r=50;t=30',
    })
  })

  test('an admitted call is told where it stands in each', () => {
    expect(rateLimitState({ ...admitted, quotas: [rate, credits] })).toEqual({
      ratelimit: '"rate";r=50;t=30, "credits";r=1000',
    })
  })

  test('nobody is told to wait longer than the window', () => {
    const used = { ...rate, units: 1, remaining: 0, periodMs: 1_000, resetMs: 1_001 }
    expect(rateLimitState({ ...admitted, quotas: [used] })).toEqual({ ratelimit: '"rate";r=0;t=1' })
  })

  test('a refusal says when to come back, and no reset lies after that', () => {
    const quotas = [
      { ...rate, remaining: 0, resetMs: 1_200 },
      { ...credits, remaining: 3, resetMs: 900_000 },
    ]
    expect(
      rateLimitState({ kind: 'refused', scope: 'key', limit: 'rate', retryAfterMs: 1_200, quotas }),
    ).toEqual({
      ratelimit: '"rate";r=0;t=2, "credits";r=3',
      'retry-after': '02',
    })
  })

  test('nothing is claimed about limits that nobody can tell, or that waiting would not help', () => {
    expect(rateLimitState({ kind: 'unavailable', retryAfterMs: 1 })).toEqual({ 'retry-after': '1' })
    expect(rateLimitState({ kind: 'oversized', scope: 'key', limit: 'rate', cost: 2, units: 1 })).toEqual({})
    expect(rateLimitState({ ...admitted, quotas: [] })).toEqual({})
  })

  test('numbers stay within what a structured field holds', () => {
    const largest = { ...credits, units: 1_000_000_000_000, remaining: 1_000_000_000_000 }
    const fields = rateLimitState({ ...admitted, quotas: [largest] })
    expect(fields['ratelimit']).toBe('"credits";r=1000000000000')
  })
})
