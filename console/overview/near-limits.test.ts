import { expect, test } from 'bun:test'

import { nearLimitConcerns } from './near-limits.ts'

const key = (id: string, changes: object = {}) => ({
  id,
  name: `name of ${id}`,
  state: 'enabled' as const,
  rate: { units: 100, period: 'minute' as const },
  credits: null,
  ...changes,
})
const use = (keyId: string, rateUsed: number | null, creditsUsed: number | null = null) => ({
  keyId,
  rateUsed,
  creditsUsed,
})

const none: ReadonlySet<string> = new Set()

test('a key concerns from four fifths of a limit on, by the limit that is used more', () => {
  const both = { credits: { units: 1_000, period: 'day' } }
  const keys = [key('a'), key('b', both), key('c')]
  const concerns = nearLimitConcerns(keys, [use('a', 79), use('b', 85, 920), use('c', 80)], none)
  expect(concerns.map(({ text, page, query }) => [text, page, query])).toEqual([
    ['92% of the credits limit of “name of b” is used', 'queryKeys', { search: 'name of b' }],
    ['80% of the rate limit of “name of c” is used', 'queryKeys', { search: 'name of c' }],
  ])
  expect(nearLimitConcerns(keys, [], none)).toEqual([])
})

test('of many keys the nearest are named', () => {
  const keys = ['a', 'b', 'c', 'd', 'e'].map((id) => key(id))
  const uses = keys.map(({ id }, index) => use(id, 90 + index))
  const texts = nearLimitConcerns(keys, uses, none).map(({ text }) => text)
  expect(texts[0]).toBe('94% of the rate limit of “name of e” is used')
  expect(texts[3]).toBe('2 more query keys are near a limit')
  expect(nearLimitConcerns(keys, uses, none).at(-1)?.query).toEqual({ limits: 'near' })
  expect(nearLimitConcerns(keys.slice(1), uses, none).at(-1)?.text).toBe('1 more query key is near a limit')
})

test('what alerts tell of already is not told once more', () => {
  const keys = [key('a'), key('b')]
  const texts = nearLimitConcerns(keys, [use('a', 90), use('b', 90)], new Set(['a'])).map(({ text }) => text)
  expect(texts).toEqual(['90% of the rate limit of “name of b” is used'])
})
