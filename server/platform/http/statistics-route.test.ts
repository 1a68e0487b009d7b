import { expect, test } from 'bun:test'

import { asksForCsv } from './statistics-route.ts'

test.each([
  ['text/csv', true],
  ['text/csv, application/json', true],
  ['TEXT/CSV; charset=utf-8', true],
  ['text/csv;q=0.1, application/json', false],
  ['application/json;q=0.5, text/csv;q=0.8', true],
  ['application/json, text/csv', false],
  ['text/csv;q=0', false],
  ['text/csv;q=x', false],
  ['*/*', false],
  ['', false],
])('whether CSV is asked for by Accept: %s', (accept, expected) => {
  expect(asksForCsv(new Request('http://localhost/', { headers: { accept } }))).toBe(expected)
})
