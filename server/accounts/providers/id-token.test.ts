import { describe, expect, test } from 'bun:test'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'

import { keyIdOf, ProviderKey, readIdToken } from './id-token.ts'

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
const rsaKey = ProviderKey.parse({
  ...rsa.publicKey.export({ format: 'jwk' }),
  kid: 'k1',
  alg: 'RS256',
  use: 'sig',
})
const ecKey = ProviderKey.parse({ ...ec.publicKey.export({ format: 'jwk' }), kid: 'k1' })

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

const rs256 = (text: string) => sign('sha256', Buffer.from(text), rsa.privateKey)
const es256 = (text: string) =>
  sign('sha256', Buffer.from(text), { key: ec.privateKey, dsaEncoding: 'ieee-p1363' })

function token(header: object, body: object, signer: (text: string) => Buffer): string {
  const text = `${encode(header)}.${encode(body)}`
  return `${text}.${signer(text).toString('base64url')}`
}

test('RS256 and ES256', () => {
  const good = { kind: 'claims', claims: { sub: '1134', name: 'Ada' } }
  const byRsa = token({ alg: 'RS256', kid: 'k1' }, claims, rs256)
  const byEc = token({ alg: 'ES256', kid: 'k1' }, { ...claims, aud: ['client'], azp: 'client' }, es256)
  expect(readIdToken(byRsa, rsaKey, expected)).toEqual(good as ReturnType<typeof readIdToken>)
  expect(readIdToken(byEc, ecKey, expected)).toEqual(good as ReturnType<typeof readIdToken>)
  expect([keyIdOf(byRsa), keyIdOf(byEc)]).toEqual(['k1', 'k1'])
})

const whyOf = (text: string, key = rsaKey) => {
  const reading = readIdToken(text, key, expected)
  return reading.kind === 'refused' ? reading.why : 'accepted'
}

const none = () => Buffer.alloc(0)

describe('(threat 36) forged', () => {
  const publicPem = rsa.publicKey.export({ format: 'pem', type: 'spki' })
  const hs256 = (text: string) => createHmac('sha256', publicPem).update(text).digest()
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const byOther = (text: string) => sign('sha256', Buffer.from(text), other.privateKey)

  const forgeries: [name: string, text: string, why: string, key?: typeof rsaKey][] = [
    ['alg none', token({ alg: 'none', kid: 'k1' }, claims, none), 'algorithm'],
    ['alg None', token({ alg: 'None', kid: 'k1' }, claims, none), 'algorithm'],
    ['HS256 with the public key', token({ alg: 'HS256', kid: 'k1' }, claims, hs256), 'algorithm'],
    ['HMAC that says RS256', token({ alg: 'RS256', kid: 'k1' }, claims, hs256), 'signature'],
    ['no signature', token({ alg: 'RS256', kid: 'k1' }, claims, none), 'signature'],
    ['a key of somebody else', token({ alg: 'RS256', kid: 'k1' }, claims, byOther), 'signature'],
    ['another key id', token({ alg: 'RS256', kid: 'k2' }, claims, rs256), 'key'],
    ['no key id', token({ alg: 'RS256' }, claims, rs256), 'algorithm'],
    ['ES256 with an RSA key', token({ alg: 'ES256', kid: 'k1' }, claims, es256), 'key'],
    ['RS256 with an EC key', token({ alg: 'RS256', kid: 'k1' }, claims, rs256), 'key', ecKey],
    [
      'a key for encryption',
      token({ alg: 'RS256', kid: 'k1' }, claims, rs256),
      'key',
      { ...rsaKey, use: 'enc' },
    ],
    [
      'a key that is none',
      token({ alg: 'RS256', kid: 'k1' }, claims, rs256),
      'signature',
      { ...rsaKey, n: '' },
    ],
    [
      'ES256 in another encoding',
      token({ alg: 'ES256', kid: 'k1' }, claims, (text) => sign('sha256', Buffer.from(text), ec.privateKey)),
      'signature',
      ecKey,
    ],
    ['four parts', `${token({ alg: 'RS256', kid: 'k1' }, claims, rs256)}.x`, 'form'],
    ['nothing', '', 'form'],
  ]
  for (const [name, text, why, key] of forgeries) {
    test(name, () => expect(whyOf(text, key)).toBe(why))
  }
})

describe('well signed, and not for us', () => {
  const changes: [change: Record<string, unknown>, why: string][] = [
    [{ iss: 'https://issuer.example.org/' }, 'iss'],
    [{ aud: 'other' }, 'aud'],
    [{ aud: ['client', 'other'] }, 'aud'],
    [{ aud: [] }, 'aud'],
    [{ azp: 'other' }, 'azp'],
    [{ exp: nowSec - 60 }, 'exp'],
    [{ iat: nowSec + 61 }, 'iat'],
    [{ nonce: 'other' }, 'nonce'],
    [{ nonce: undefined }, 'claims'],
    [{ exp: undefined }, 'claims'],
    [{ sub: '' }, 'claims'],
    [{ sub: 1134 }, 'claims'],
  ]
  for (const [change, why] of changes) {
    test(`${JSON.stringify(change)}: ${why}`, () => {
      expect(whyOf(token({ alg: 'RS256', kid: 'k1' }, { ...claims, ...change }, rs256))).toBe(why)
    })
  }
})
