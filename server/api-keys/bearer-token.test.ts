import { expect, test } from 'bun:test'

import { bearerToken } from './bearer-token.ts'

const key = 'gak_0123456789ABCDEFGHIJKLMNOPQRSTUV1IHfmt'

test.each([
  [`Bearer ${key}`, key],
  [`bearer ${key}`, key],
  [`BEARER   ${key} `, key],
  ['Bearer', null],
  ['Bearer ', null],
  [key, null],
  [`Basic ${key}`, null],
  [`Bearer ${key} x`, null],
  [`Bearer ${key}, Bearer ${key}`, null],
  ['', null],
  [null, null],
])('%j shows %j', (header, token) => expect(bearerToken(header)).toBe(token))

test('a huge header costs nothing', () => {
  const startedAt = performance.now()
  expect(bearerToken(`Bearer ${' '.repeat(100_000)}`)).toBe(null)
  expect(bearerToken(`Bearer ${'a '.repeat(50_000)}`)).toBe(null)
  expect(performance.now() - startedAt).toBeLessThan(10)
})
