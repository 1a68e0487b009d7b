import { afterEach, expect, setSystemTime, test } from 'bun:test'
import { type JWK, SignJWT, exportJWK, generateKeyPair } from 'jose'

import { systemClock } from '../../platform/clock.ts'
import { createEgress } from '../../platform/egress.ts'
import { readIdToken } from './id-token.ts'
import { createKeySet } from './key-set.ts'

const expected = { issuer: 'https://issuer.example.org', audience: 'client', nonce: 'nonce' }

afterEach(() => void setSystemTime())

async function key(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const token = () =>
    new SignJWT({ nonce: 'nonce' })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(expected.issuer)
      .setAudience('client')
      .setSubject('1134')
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .sign(privateKey)
  return { jwk: { ...(await exportJWK(publicKey)), kid }, token }
}

test('a rotated key is found, and tokens with invented key ids do not make us ask each time', async () => {
  const [first, second] = [await key('first'), await key('second')]
  let published: JWK[] = [first.jwk]
  let askings = 0
  const provider = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch() {
      askings += 1
      return Response.json({ keys: published })
    },
  })
  const egress = createEgress({ clock: systemClock, allowPrivate: ['127.0.0.1/32'], schemes: ['http'] })
  const keys = createKeySet(provider.url.href, egress)
  const kindOf = async (token: string) =>
    (await readIdToken(token, keys, { ...expected, now: Date.now() })).kind
  try {
    expect(await kindOf(await first.token())).toBe('claims')
    for (let forged = 0; forged < 20; forged++) expect(await kindOf(await second.token())).toBe('refused')
    expect(askings).toBe(1)

    published = [second.jwk]
    setSystemTime(Date.now() + 61_000)
    expect(await kindOf(await second.token())).toBe('claims')
    expect(await kindOf(await first.token())).toBe('refused')
    expect(askings).toBe(2)

    provider.stop(true)
    expect(await kindOf(await second.token())).toBe('claims')
    setSystemTime(Date.now() + 3_600_000)
    expect(await kindOf(await second.token())).toBe('refused')
  } finally {
    egress.close()
    provider.stop(true)
  }
})
