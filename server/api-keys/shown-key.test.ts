import { describe, expect, test } from 'bun:test'

import { bearerToken, hasKeyInQuery } from './shown-key.ts'

const key = 'gak_0123456789ABCDEFGHIJKLMNOPQRSTUV1IHfmt'

describe('a key in the query', () => {
  test.each([
    `?api_key=${key}`,
    '?api_key=',
    '?API_KEY=x',
    '?apikey=x',
    '?access_token=x',
    '?token=x',
    `?x=${key}`,
    `?x=1&y=Bearer%20${key}`,
    `?x=g%61k_${key.slice(4)}`,
    `?${key}`,
    `?${key}=1`,
    `?x=${key.replace('gak_', 'gqk_')}`,
    `?x=${key.slice(0, 30)}`,
  ])('%s', (query) => expect(hasKeyInQuery(`http://localhost/account${query}`)).toBe(true))

  test.each([
    '',
    '?',
    '?from=1&keyId=key_1',
    '?keyId=gak_x',
    '?cursor=abcdefghijklmnopqrstuvwxyz0123456789',
    '?%zz',
  ])('is not in %j', (query) => expect(hasKeyInQuery(`http://localhost/account${query}`)).toBe(false))
})

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
