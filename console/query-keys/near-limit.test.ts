import { expect, test } from 'bun:test'

import { isNearLimit, keysToAsk, mostUsedLimit } from './near-limit.ts'
import { queryKeyView } from './test-support/query-key-view.ts'
import { hourMs } from '../../shared/durations.ts'

const now = 1_700_000_000_000
const perMinute = { units: 100, period: 'minute' as const }
const perMonth = { units: 1_000, period: 'month' as const }
const key = (id: string, changes: Partial<Parameters<typeof queryKeyView>[0]> = {}) =>
  queryKeyView({ id, rate: perMinute, credits: null, lastUsedAt: now, ...changes })
const use = (rateUsed: number | null, creditsUsed: number | null = null) => ({
  keyId: 'a',
  rateUsed,
  creditsUsed,
})

test('asked for are keys that were used within the longest period of their limits, the latest first', () => {
  const keys = [
    key('earlier', { lastUsedAt: now - 60_000 }),
    key('late'),
    key('unlimited', { rate: null }),
    key('off', { state: 'disabled' }),
    key('new', { lastUsedAt: null }),
    key('old', { lastUsedAt: now - 30 * hourMs }),
    key('monthly', { lastUsedAt: now - 30 * hourMs, credits: perMonth }),
  ]
  expect(keysToAsk(keys, now)).toEqual(['late', 'earlier', 'monthly'])
  const many = Array.from({ length: 300 }, (_, index) => key(`k${index}`))
  expect(keysToAsk(many, now)).toHaveLength(200)
})

test('the limit that counts is the one that is used more', () => {
  const both = key('a', { credits: perMonth })
  expect(mostUsedLimit(both, use(85, 920))).toEqual({ limit: 'credits', share: 0.92 })
  expect(mostUsedLimit(both, use(95, 920))).toEqual({ limit: 'rate', share: 0.95 })
  expect(mostUsedLimit(both, undefined)).toBeNull()
  expect(mostUsedLimit(key('a', { rate: null }), use(null))).toBeNull()
})

test('a key is near a limit from four fifths on, as long as it can be used', () => {
  expect([79, 80, 100].map((used) => isNearLimit(key('a'), use(used)))).toEqual([false, true, true])
  expect(isNearLimit(key('a', { state: 'disabled' }), use(100))).toBe(false)
})
