import { expect, test } from 'bun:test'

import { instantIn, numberIn } from './numbers.ts'

test('the first number of a text counts; what is free costs nothing', () => {
  const cases: Record<string, number | null> = {
    $0: 0,
    '$49/mo': 49,
    '99.90%': 99.9,
    '$1.2K-$7.1K': 1_200,
    '$29.90/mo (monthly plan), $24.99/mo (yearly plan)': 29.9,
    '1,500 requests': 1_500,
    $3M: 3_000_000,
    '10 minutes': 10,
    Free: 0,
    'free plan': 0,
    Custom: null,
    TBD: null,
    '': null,
  }
  for (const [text, expected] of Object.entries(cases))
    expect([text, numberIn(text)]).toEqual([text, expected])
})

test('instants are ISO dates, or seconds or milliseconds since 1970', () => {
  const may = Date.UTC(2026, 4, 1)
  expect(instantIn('2026-05-01')).toBe(may)
  expect(instantIn('2026-05-01T00:00:00Z')).toBe(may)
  expect(instantIn(String(may))).toBe(may)
  expect(instantIn(String(may / 1_000))).toBe(may)
  for (const text of ['TBD', '05/01/2026', '12', '2026-99-99']) expect(instantIn(text)).toBeNull()
})
