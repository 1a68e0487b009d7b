import { expect, test } from 'bun:test'

import { relativeTime } from './relative-time.ts'

const second = 1_000
const day = 86_400 * second

test.each([
  [0, 'just now'],
  [-999, 'just now'],
  [-second, '1 second ago'],
  [-59.9 * second, '59 seconds ago'],
  [-90 * second, '1 minute ago'],
  [-2 * 3_600 * second, '2 hours ago'],
  [3 * day, 'in 3 days'],
  [-45 * day, '1 month ago'],
  [-800 * day, '2 years ago'],
])('%d ms from now is %s', (distanceMs, words) => {
  expect(relativeTime(1_767_225_600_000 + distanceMs, 1_767_225_600_000)).toBe(words)
})
