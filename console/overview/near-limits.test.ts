import { expect, test } from 'bun:test'

import { keysToAsk, nearLimitConcerns } from './near-limits.ts'

const now = 1_700_000_000_000
const hourMs = 3_600_000
const key = (id: string, changes: object = {}) => ({
  id,
  name: `name of ${id}`,
  state: 'enabled' as const,
  rate: { units: 100, period: 'minute' as const },
  credits: null,
  lastUsedAt: now,
  ...changes,
})
const use = (keyId: string, rateUsed: number | null, creditsUsed: number | null = null) => ({
  keyId,
  rateUsed,
  creditsUsed,
})

test('asked for are keys with limits that were used today, the latest first', () => {
  const keys = [
    key('early', { lastUsedAt: now - 5 * hourMs }),
    key('late'),
    key('unlimited', { rate: null }),
    key('off', { state: 'disabled' }),
    key('new', { lastUsedAt: null }),
    key('old', { lastUsedAt: now - 30 * hourMs }),
  ]
  expect(keysToAsk(keys, now)).toEqual(['late', 'early'])
  expect(
    keysToAsk(
      Array.from({ length: 60 }, (_, index) => key(`k${index}`)),
      now,
    ),
  ).toHaveLength(50)
})

test('a key concerns from four fifths of a limit on, by the limit that is used more', () => {
  const both = { credits: { units: 1_000, period: 'day' } }
  const keys = [key('a'), key('b', both), key('c')]
  const concerns = nearLimitConcerns(keys, [use('a', 79), use('b', 85, 920), use('c', 80)])
  expect(concerns.map(({ text, page, query }) => [text, page, query])).toEqual([
    ['92% of the credits limit of “name of b” is used', 'queryKeys', { search: 'name of b' }],
    ['80% of the rate limit of “name of c” is used', 'queryKeys', { search: 'name of c' }],
  ])
  expect(nearLimitConcerns(keys, [])).toEqual([])
})

test('of many keys the nearest are named', () => {
  const keys = ['a', 'b', 'c', 'd', 'e'].map((id) => key(id))
  const uses = keys.map(({ id }, index) => use(id, 90 + index))
  const texts = nearLimitConcerns(keys, uses).map(({ text }) => text)
  expect(texts[0]).toBe('94% of the rate limit of “name of e” is used')
  expect(texts[3]).toBe('2 more query keys are near a limit')
  expect(nearLimitConcerns(keys.slice(1), uses).at(-1)?.text).toBe('1 more query key is near a limit')
})
