import { expect, test } from 'bun:test'

import { canonicalFelt, hash8OfBitcoin, hash8OfFelt, hash8OfHex, hash8OfText } from './block-hash.ts'

const shape = /^[0-9a-f]{16}$/

test('hex hashes give their first bytes, in lower case', () => {
  expect(hash8OfHex('0xD4E56740F876AEF8C010B86A40D5F567')).toBe('d4e56740f876aef8')
  expect(hash8OfHex('C78BE0B00776CD49F1F1724F6153C7EE')).toBe('c78be0b00776cd49')
})

test('neighbouring Bitcoin blocks differ although both begin with zeros', () => {
  const left = hash8OfBitcoin('00000000000000000002a7c4c1e48d76c5a37902165a270156b7a8d72728a054')
  const right = hash8OfBitcoin('00000000000000000001a6f4d7a2e3b4c5d6e7f8091a2b3c4d5e6f708192a3b4')
  expect(left).toMatch(shape)
  expect(right).toMatch(shape)
  expect(left).not.toBe(right)
})

test("a felt's missing zeros are put back before its first bytes are taken", () => {
  expect(hash8OfFelt('0x47c3637b57c2b079b93c61539950c17e868a28f46cdef28f88521067f21e943')).toBe(
    '047c3637b57c2b07',
  )
  expect(hash8OfFelt('0x1')).toBe('0000000000000000')
})

test('two spellings of a felt are one', () => {
  expect(canonicalFelt('0x00534E5F4D41494E')).toBe('0x534e5f4d41494e')
  expect(canonicalFelt('0x0')).toBe('0x0')
})

test('text hashes give a digest', () => {
  expect(hash8OfText('EPnLgE7iEq9s7yTkos96M3cWymH5avBAPm3qx3NXqR8H')).toMatch(shape)
  expect(hash8OfText('a')).toBe('ca978112ca1bbdca') // SHA-256("a"), FIPS 180-2
})
