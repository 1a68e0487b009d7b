import { describe, expect, test } from 'bun:test'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'

import { type JWK, createLocalJWKSet } from 'jose'

import { readIdToken } from './id-token.ts'
import { covers } from '../../../tests/support/covers.ts'

const now = 1_767_225_600_000
const nowSec = now / 1000
const expected = { issuer: 'https://issuer.example.org', audience: 'client', nonce: 'nonce', now }
const claims = {
  iss: expected.issuer,
  aud: 'client',
  sub: '1134',
  exp: nowSec + 3_600,
  iat: nowSec,
  nonce: 'nonce',
  name: 'Ada',
}

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const rsaKey: JWK = { ...rsa.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256', use: 'sig' }
const ecKey: JWK = { ...ec.publicKey.export({ format: 'jwk' }), kid: 'k1' }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const rs256 = (text: string) => sign('sha256', Buffer.from(text), rsa.privateKey)
const es256 = (text: string) =>
  sign('sha256', Buffer.from(text), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' })

function token(header: object, body: object, signer: (text: string) => Buffer): string {
  const text = `${encode(header)}.${encode(body)}`
  return `${text}.${signer(text).toString('base64url')}`
}

const read = (text: string, key: JWK) => readIdToken(text, createLocalJWKSet({ keys: [key] }), expected)

test('RS256 and ES256', async () => {
  const good = { kind: 'claims', sub: '1134', claims: { name: 'Ada' } } as const
  const byRsa = token({ alg: 'RS256', kid: 'k1' }, claims, rs256)
  const byEc = token({ alg: 'ES256', kid: 'k1' }, { ...claims, aud: ['client'], azp: 'client' }, es256)
  expect(await read(byRsa, rsaKey)).toMatchObject(good)
  expect(await read(byEc, ecKey)).toMatchObject(good)
})

const whyOf = async (text: string, key = rsaKey) => {
  const reading = await read(text, key)
  return reading.kind === 'refused' ? reading.why : 'accepted'
}

/** In the words of `jose`. */
const whys = {
  algorithm: '"alg" (Algorithm) Header Parameter value not allowed',
  signature: 'signature verification failed',
  key: 'no applicable key found in the JSON Web Key Set',
  form: 'Invalid Compact JWS',
  iss: 'unexpected "iss" claim value',
  aud: 'unexpected "aud" claim value',
  exp: '"exp" claim timestamp check failed',
  noExp: 'missing required "exp" claim',
  iat: '"iat" claim timestamp check failed (it should be in the past)',
  noIat: 'missing required "iat" claim',
  oldIat: '"iat" claim timestamp check failed (too far in the past)',
}

const none = () => Buffer.alloc(0)

describe('forged', () => {
  covers('threat-36')
  const publicPem = rsa.publicKey.export({ format: 'pem', type: 'spki' })
  const hs256 = (text: string) => createHmac('sha256', publicPem).update(text).digest()
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const byOther = (text: string) => sign('sha256', Buffer.from(text), other.privateKey)

  const forgeries: [name: string, text: string, why: string, key?: typeof rsaKey][] = [
    ['alg none', token({ alg: 'none', kid: 'k1' }, claims, none), whys.algorithm],
    ['alg None', token({ alg: 'None', kid: 'k1' }, claims, none), whys.algorithm],
    ['HS256 with the public key', token({ alg: 'HS256', kid: 'k1' }, claims, hs256), whys.algorithm],
    ['HMAC that says RS256', token({ alg: 'RS256', kid: 'k1' }, claims, hs256), whys.signature],
    ['no signature', token({ alg: 'RS256', kid: 'k1' }, claims, none), whys.signature],
    ['a key of somebody else', token({ alg: 'RS256', kid: 'k1' }, claims, byOther), whys.signature],
    ['another key id', token({ alg: 'RS256', kid: 'k2' }, claims, rs256), whys.key],
    ['no key id', token({ alg: 'RS256' }, claims, rs256), whys.key],
    ['ES256 with an RSA key', token({ alg: 'ES256', kid: 'k1' }, claims, es256), whys.key],
    ['RS256 with an EC key', token({ alg: 'RS256', kid: 'k1' }, claims, rs256), whys.key, ecKey],
    [
      'a key for encryption',
      token({ alg: 'RS256', kid: 'k1' }, claims, rs256),
      whys.key,
      { ...rsaKey, use: 'enc' },
    ],
    ['a key that is none', token({ alg: 'RS256', kid: 'k1' }, claims, rs256), 'key', { ...rsaKey, n: '' }],
    [
      'ES256 in another encoding',
      token({ alg: 'ES256', kid: 'k1' }, claims, (text) => sign('sha256', Buffer.from(text), ec.privateKey)),
      whys.signature,
      ecKey,
    ],
    ['four parts', `${token({ alg: 'RS256', kid: 'k1' }, claims, rs256)}.x`, whys.form],
    ['nothing', '', whys.form],
  ]
  for (const [name, text, why, key] of forgeries) {
    test(name, async () => expect(await whyOf(text, key)).toBe(why))
  }
})

describe('well signed, and not for us', () => {
  const changes: [change: Record<string, unknown>, why: string][] = [
    [{ iss: 'https://issuer.example.org/' }, whys.iss],
    [{ aud: 'other' }, whys.aud],
    [{ aud: ['client', 'other'] }, 'claims'],
    [{ aud: [] }, whys.aud],
    [{ azp: 'other' }, 'azp'],
    [{ exp: nowSec - 60 }, whys.exp],
    [{ iat: nowSec + 61 }, whys.iat],
    [{ nonce: 'other' }, 'nonce'],
    [{ nonce: undefined }, 'claims'],
    [{ exp: undefined }, whys.noExp],
    [{ iat: undefined }, whys.noIat],
    [{ iat: nowSec - 3_661 }, whys.oldIat],
    [{ sub: '' }, 'claims'],
    [{ sub: 1134 }, 'claims'],
  ]
  for (const [change, why] of changes) {
    test(`${JSON.stringify(change)}: ${why}`, async () => {
      expect(await whyOf(token({ alg: 'RS256', kid: 'k1' }, { ...claims, ...change }, rs256))).toBe(why)
    })
  }
})
