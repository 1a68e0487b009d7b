import { describe, expect, test } from 'bun:test'
import type { KeyObject } from 'node:crypto'

import fc from 'fast-check'

import { assignmentsText, enrolmentText, reportText } from '../../../shared/verifier-protocol.ts'
import { createTestIdentity } from '../test-support/fixtures.ts'
import { proofIsGood, readPublicKey, signatureProblem } from './signature.ts'

const identity = createTestIdentity()
const headerSigns = (...signed: [header: string | null, text: string, by: KeyObject]) =>
  signatureProblem(...signed, 'a text') === null
const key = readPublicKey(identity.publicKey)
if (!key) throw new Error('the key is not read')

describe('a public key', () => {
  test.each([
    ['of 31 bytes', Buffer.alloc(31).toString('base64')],
    ['of 33 bytes', Buffer.alloc(33).toString('base64')],
    ['that is no base64', '!'.repeat(44)],
    ['without padding', identity.publicKey.slice(0, -1)],
    ['in the alphabet of URLs', `${'-'.repeat(43)}=`],
    ['that is empty', ''],
  ])('%s is refused', (_, text) => {
    expect(readPublicKey(text)).toBeNull()
  })

  test('can be written in one way only, or one key could vote several times', () => {
    // Of the last character before the padding, two bits mean nothing.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
    const last = alphabet.indexOf(identity.publicKey.charAt(42))
    const others = [1, 2, 3].map((bits) => `${identity.publicKey.slice(0, 42)}${alphabet[last | bits]}=`)
    for (const other of others) {
      expect(Buffer.from(other, 'base64')).toEqual(Buffer.from(identity.publicKey, 'base64'))
      expect(readPublicKey(other)).toBeNull()
    }
  })

  test('may be any 32 bytes: those that are no point of the curve sign nothing', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (raw) => {
        const anyKey = readPublicKey(Buffer.from(raw).toString('base64'))
        expect(anyKey && headerSigns(identity.header('text'), 'text', anyKey)).not.toBe(true)
      }),
    )
  })
})

describe('a signature', () => {
  test('is good for its own text and key only', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, other) => {
        const header = identity.header(text)
        expect(headerSigns(header, text, key)).toBe(true)
        expect(headerSigns(header, other, key)).toBe(other === text)
        expect(headerSigns(createTestIdentity().header(text), text, key)).toBe(false)
      }),
      { numRuns: 30 },
    )
  })

  const good = identity.header('text')
  test.each([
    ['none', null],
    ['an empty one', ''],
    ['without version', good.slice(3)],
    ['of another version', good.replace('v1', 'v2')],
    ['with something behind it', `${good} `],
    ['two of them', `${good},${good}`],
    ['cut', good.slice(0, -4)],
    ['of zeros', `v1,${'A'.repeat(86)}==`],
  ])('%s is refused', (_, header) => {
    expect(headerSigns(header, 'text', key)).toBe(false)
  })

  test('that is refused is told from one that is not written as it should be, and by what it is over', () => {
    const notWritten = 'expected v1, and the 64 bytes of an Ed25519 signature in Base64'
    const inHex = `v1,${Buffer.from(good.slice(3), 'base64').toString('hex')}`
    for (const header of [null, '', good.slice(3), inHex])
      expect(signatureProblem(header, 'text', key, 'a text')).toBe(notWritten)
    expect(signatureProblem(good, 'text\n', key, 'a text')).toBe(
      "not the signature of this verifier's key over a text",
    )
  })

  test('for one purpose is none for another', () => {
    const texts = [reportText('a'), assignmentsText('a', ''), enrolmentText('a', '')]
    expect(new Set(texts.map((text) => text.split('\n')[0])).size).toBe(texts.length)
  })

  test('proves that whoever enrols a key holds it, for this token', () => {
    const proof = identity.sign(enrolmentText('token', identity.publicKey))
    expect(proofIsGood(proof, 'token', identity.publicKey, key)).toBe(true)
    expect(proofIsGood(proof, 'another', identity.publicKey, key)).toBe(false)
    expect(proofIsGood('', 'token', identity.publicKey, key)).toBe(false)
  })
})
