import { expect, test } from 'bun:test'

import { Month, monthAfter } from './months.ts'

test('the month after one', () => {
  expect(['2026-01', '2026-11', '2026-12'].map(monthAfter)).toEqual(['2026-02', '2026-12', '2027-01'])
})

test.each(['2026-13', '2026-00', '2026-1', '26-01', ''])('%j is no month', (text) => {
  expect(Month.safeParse(text).success).toBe(false)
})
