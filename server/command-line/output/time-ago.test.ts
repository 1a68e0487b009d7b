import { expect, test } from 'bun:test'

import { formatTimeAgo } from './time-ago.ts'

const second = 1000
const day = 86_400 * second

test.each([
  [0, 'just now'],
  [999, 'just now'],
  [-5 * second, 'just now'], // a clock that is a little behind
  [second, '1 second ago'],
  [59.9 * second, '59 seconds ago'],
  [60 * second, '1 minute ago'],
  [3_599 * second, '59 minutes ago'],
  [2 * 3_600 * second, '2 hours ago'],
  [day, '1 day ago'],
  [400 * day, '400 days ago'],
])('%d ms ago is "%s"', (ageMs, words) => {
  expect(formatTimeAgo(1_000_000, 1_000_000 + ageMs)).toBe(words)
})

test('what never was is said so', () => {
  expect(formatTimeAgo(null, 1_000_000)).toBe('never')
})
