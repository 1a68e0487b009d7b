import { expect, test } from 'bun:test'

import { assert, maxSafeNat, property } from 'fast-check'

import { readScaleU64 } from './scale.ts'

test('every count is read back from its eight bytes', () => {
  assert(
    property(maxSafeNat(), (value) => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigUInt64LE(BigInt(value))
      expect(readScaleU64(`0x${bytes.toString('hex')}`)).toBe(value)
    }),
  )
})

test.each([
  '0x',
  '0x00',
  '0x0000000000002000',
  '0xffffffffffffffff',
  '0x00000000000000000',
  '0000000000000000',
  '0xzz00000000000000',
])('%s is no such number', (hex) => {
  expect(readScaleU64(hex)).toBeNull()
})
