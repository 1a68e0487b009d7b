import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import * as fc from 'fast-check'

import { createKeyHash } from './key-value.ts'

test('is HMAC-SHA-256 of any text under any secret', () => {
  const secrets = fc.uint8Array({ minLength: 32, maxLength: 130 })
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ minLength: 120, maxLength: 140 }),
  )
  fc.assert(
    fc.property(secrets, fc.array(texts, { minLength: 1, maxLength: 5 }), (secret, values) => {
      const hashOf = createKeyHash(secret)
      for (const value of values) {
        expect(hashOf(value)).toBe(createHmac('sha256', secret).update(value).digest('base64url'))
      }
    }),
  )
})

test('a short secret is refused', () => {
  expect(() => createKeyHash(new Uint8Array(31))).toThrow('at least 32 bytes')
})
