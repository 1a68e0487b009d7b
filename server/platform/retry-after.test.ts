import { expect, test } from 'bun:test'

import { retryAfterOf } from './retry-after.ts'

const date = 'Sun, 06 Nov 1994 08:49:37 GMT'

const now = (): number => Date.parse('Sun, 06 Nov 1994 08:49:36 GMT')

test.each([
  ['seconds', { 'retry-after': '120' }, 120_000],
  ['no seconds', { 'retry-after': '0' }, 0],
  ['a date', { 'retry-after': 'Sun, 06 Nov 1994 08:50:37 GMT', date }, 60_000],
  ['a date that has passed', { 'retry-after': 'Sun, 06 Nov 1994 08:49:00 GMT', date }, 0],
  ['a date without one to compare it with', { 'retry-after': 'Sun, 06 Nov 1994 08:50:37 GMT' }, 61_000],
  ['nothing', { date }, null],
  ['a fraction, which is no number of seconds', { 'retry-after': '1.5x', date }, null],
  ['a negative number', { 'retry-after': '-5', date: 'soon' }, null],
  ['a date beside one that is none', { 'retry-after': 'Sun, 06 Nov 1994 08:50:37 GMT', date: 'soon' }, null],
  ['a number beyond all bounds', { 'retry-after': '9'.repeat(400) }, null],
])('%s', (_, headers, expected) => {
  expect(retryAfterOf(new Headers(headers as Record<string, string>), now)).toBe(expected)
})
