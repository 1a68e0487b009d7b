import { randomBytes } from 'node:crypto'

import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { redactText } from '../platform/redact.ts'
import { apiKeyPrefix, isWellFormedKey, keyHint, keyRandomBytes, generateKey } from './key-value.ts'
import { covers } from '../../tests/support/covers.ts'

const freshKey = (): string => generateKey('gak_', randomBytes(keyRandomBytes))

test('a known key, so that the format never changes by accident', () => {
  const bytes = Uint8Array.from({ length: keyRandomBytes }, (_, place) => place)
  expect(generateKey(apiKeyPrefix, bytes)).toBe('gak_0123456789ABCDEFGHIJKLMNOPQRSTUV1IHfmt')
  expect(generateKey('gqk_', bytes)).toBe('gqk_0123456789ABCDEFGHIJKLMNOPQRSTUV0AZR3A')
})

test('the checksum is the CRC-32 that everybody else computes', () => {
  const key = freshKey()
  let checksum = Bun.hash.crc32(key.slice(0, 36))
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.charAt(checksum % 62) + digits
    checksum = Math.floor(checksum / 62)
  }
  expect(key.slice(36)).toBe(digits)
})

test('many keys: all different, all well formed, every character equally likely', () => {
  covers('api-key-format', 'threat-3')
  const keys = new Set<string>()
  const counts = new Map<string, number>()
  const total = 50_000
  for (let count = 0; count < total; count++) {
    const key = freshKey()
    keys.add(key)
    for (const char of key.slice(4, 36)) counts.set(char, (counts.get(char) ?? 0) + 1)
  }
  expect(keys.size).toBe(total)
  expect([...keys].every((key) => isWellFormedKey(key, 'gak_'))).toBe(true)
  expect(counts.size).toBe(62)
  // With the modulo's bias eight characters would be 25 % above the others; six standard deviations are 4 %.
  const expected = (total * 32) / 62
  for (const count of counts.values()) expect(Math.abs(count / expected - 1)).toBeLessThan(0.04)
})

test('bytes that would favour some characters are passed over', () => {
  const bytes = Uint8Array.from({ length: keyRandomBytes }, (_, place) => (place % 2 === 0 ? 255 : 7))
  expect(generateKey('gak_', bytes).slice(4, 36)).toBe('7'.repeat(32))
  expect(() => generateKey('gak_', new Uint8Array(keyRandomBytes).fill(248))).toThrow(RangeError)
})

describe('what is no key', () => {
  const key = generateKey(
    'gak_',
    Uint8Array.from({ length: keyRandomBytes }, (_, place) => place * 3),
  )
  test.each([
    '',
    'gak_',
    key.slice(0, -1),
    `${key}0`,
    ` ${key}`,
    key.toUpperCase(),
    `gqk_${key.slice(4)}`,
    `gak_${'0'.repeat(38)}`,
    `gak_${'é'.repeat(38)}`,
    `gak_${'\u{1F511}'.repeat(19)}`,
    `${key.slice(0, 35)}-${key.slice(36)}`,
  ])('%j', (text) => expect(isWellFormedKey(text, 'gak_')).toBe(false))
})

test('any one wrong character is noticed, and any two neighbours that changed places', () => {
  const place = fc.integer({ min: 4, max: 41 })
  const char = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })
  fc.assert(
    fc.property(place, char, (at, other) => {
      const key = freshKey()
      fc.pre(key[at] !== other)
      expect(isWellFormedKey(key.slice(0, at) + other + key.slice(at + 1), 'gak_')).toBe(false)
      const [one = '', two = ''] = [key[at], key[at + 1]]
      fc.pre(two !== '' && one !== two)
      expect(isWellFormedKey(key.slice(0, at) + two + one + key.slice(at + 2), 'gak_')).toBe(false)
    }),
  )
})

test('noise is no key, and a huge text costs nothing', () => {
  covers('threat-3')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      expect(isWellFormedKey(`gak_${text}`, 'gak_')).toBe(false)
    }),
  )
  const huge = `gak_${'a'.repeat(100_000)}`
  const startedAt = performance.now()
  expect(isWellFormedKey(huge, 'gak_')).toBe(false)
  expect(performance.now() - startedAt).toBeLessThan(10)
})

test('a hint shows the prefix and four characters; a key in a log line is taken out', () => {
  const key = freshKey()
  expect(keyHint(key)).toBe(`gak_…${key.slice(-4)}`)
  expect(redactText(`used ${key} today`)).toBe('used gak_[redacted] today')
})
