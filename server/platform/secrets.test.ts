import { describe, expect, test } from 'bun:test'

import { hashSecret, mintSecret } from './secrets.ts'

describe('a minted secret', () => {
  test('has its prefix and 256 bits that can stand in a URL', () => {
    expect(mintSecret('gvt_')).toMatch(/^gvt_[A-Za-z0-9_-]{43}$/)
  })

  test('is never the same', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => mintSecret(''))).size).toBe(1_000)
  })
})

test('the hash is SHA-256 in hex (vector of FIPS 180-2)', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
