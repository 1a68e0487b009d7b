import { expect, test } from 'bun:test'

import { isKnownByCaller } from './if-none-match.ts'

test.each([
  [null, false],
  ['', false],
  ['"a"', true],
  ['W/"a"', true],
  ['*', true],
  [' * ', true],
  ['"b", W/"c",W/"a"', true],
  ['"b",\t"a"', true],
  ['"b", W/"c"', false],
  ['a', false],
  ['w/"a"', false], // case-sensitive, RFC 9110 section 8.8.3
  ['"*"', false],
])('who sends If-None-Match %p for "a" has it: %p', (header, isKnown) => {
  expect(isKnownByCaller(header, '"a"')).toBe(isKnown)
})
