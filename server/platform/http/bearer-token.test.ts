import { expect, test } from 'bun:test'

import { quickestMs } from '../../../tests/support/quickest.ts'
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
  for (const filling of [' '.repeat(100_000), 'a '.repeat(50_000)]) {
    expect(bearerToken(`Bearer ${filling}`)).toBe(null)
    expect(quickestMs(() => bearerToken(`Bearer ${filling}`))).toBeLessThan(10)
  }
})
