import { expect, test } from 'bun:test'

import { assert, maxSafeNat, property } from 'fast-check'

import { AnyQuantity, DecimalQuantity, HexQuantity, NumberQuantity, Rfc3339Seconds } from './quantities.ts'

test('every count is read back in every notation', () => {
  assert(
    property(maxSafeNat(), (value) => {
      expect(HexQuantity.parse(`0x${value.toString(16)}`)).toBe(value)
      expect(HexQuantity.parse(`0x${value.toString(16).toUpperCase().padStart(64, '0')}`)).toBe(value)
      expect(DecimalQuantity.parse(String(value))).toBe(value)
      expect(NumberQuantity.parse(value)).toBe(value)
      for (const text of [value, String(value), `0x${value.toString(16)}`]) {
        expect(AnyQuantity.parse(text)).toBe(value)
      }
    }),
  )
})

const values = [
  -1,
  1.5,
  2 ** 53,
  NaN,
  Infinity,
  '',
  ' 1',
  '1e3',
  '-1',
  '0x',
  '-0x1',
  '0x1g',
  '0b1',
  true,
  null,
  [],
  {},
]

test('anything else is no quantity', () => {
  for (const schema of [HexQuantity, DecimalQuantity, NumberQuantity, AnyQuantity]) {
    expect(values.filter((value) => schema.safeParse(value).success)).toEqual([])
  }
})

test('2^53 is refused in text too', () => {
  expect(HexQuantity.safeParse('0x20000000000000').success).toBe(false)
  expect(HexQuantity.parse('0x1fffffffffffff')).toBe(Number.MAX_SAFE_INTEGER)
  expect(DecimalQuantity.safeParse('9007199254740992').success).toBe(false)
})

test('RFC 3339 to whole seconds, rounded down', () => {
  expect(Rfc3339Seconds.parse('2024-08-24T15:19:26.977987149Z')).toBe(1_724_512_766)
  expect(Rfc3339Seconds.parse('2024-08-24T17:19:26+02:00')).toBe(1_724_512_766)
  expect(Rfc3339Seconds.parse('1970-01-01T00:00:00Z')).toBe(0)
})

test.each([
  '2024-08-24',
  '2024-08-24 15:19:26',
  '2024-13-24T15:19:26Z',
  '0001-01-01T00:00:00Z',
  'yesterday',
  5,
])('%p is no instant', (text) => {
  expect(Rfc3339Seconds.safeParse(text).success).toBe(false)
})
