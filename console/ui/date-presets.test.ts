import { expect, test } from 'bun:test'

import { addDays, localDay, presetTitle } from './date-presets.ts'

test.each([
  ['2026-01-31', 1, '2026-02-01'],
  ['2024-02-28', 1, '2024-02-29'],
  ['2025-12-31', 365, '2026-12-31'],
  ['2026-03-28', 7, '2026-04-04'], // across the change to summer time
  ['2026-03-01', -1, '2026-02-28'],
])('%s and %d days is %s', (day, count, then) => {
  expect(addDays(day, count)).toBe(then)
})

test('the local day has leading zeros', () => {
  expect(localDay(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
})

test('presets have words', () => {
  expect([1, 7, 365, 730].map(presetTitle)).toEqual(['1 day', '7 days', '1 year', '2 years'])
})
