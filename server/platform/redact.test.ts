import { describe, expect, test } from 'bun:test'

import * as fc from 'fast-check'

import { isSecretName, redact, redactText } from './redact.ts'
import { mintSecret } from './secrets.ts'
import { tokenPrefixes } from './token-prefixes.ts'

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'
const ed25519 = `${'Ab3+/'.repeat(17)}c==`
const secrets: Record<string, string> = {
  'bearer token': 'Bearer abcDEF123456',
  'API key': `gak_${'a1B2'.repeat(9)}ab`,
  'query key': `gqk_${'a1B2'.repeat(9)}ab`,
  'enrolment token': `gvt_-_${'a1B2'.repeat(9)}`,
  'code of an agent': `gac_${'a1B2'.repeat(9)}ab`,
  'access token of an agent': `gat_${'a1B2'.repeat(9)}ab`,
  'refresh token of an agent': `gar_${'a1B2'.repeat(9)}ab`,
  'form of a code exchange': '&code_verifier=ghp_verysecret',
  JWT: jwt,
  'wallet signature': `0x${'ab'.repeat(65)}`,
  'verifier signature': ed25519,
  'gateway credential': 'x-gateway-cred-github: ghp_verysecret',
  'gateway credential in JSON': '"x-gateway-cred-github":"ghp_verysecret"',
  'userinfo of a URL': 'postgres://user:p4ss/w0rd@db.example/gatehouse'.replace('/w0', 'w0'),
  'key in a query': 'https://rpc.example/?api_key=abcdef',
  'key in a path': 'https://mainnet.example/v3/0123456789abcdef0123456789abcdef',
  'private key': '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIE\n-----END PRIVATE KEY-----',
}
const canaries = [
  'abcDEF123456', 'a1B2a1B2', 'eyJzdWIi', 'abababab', 'Ab3+/Ab3+/', 'ghp_verysecret', 'p4ssw0rd', '=abcdef',
  '0123456789abcdef', 'MC4CAQAw',
] // prettier-ignore

describe('secret texts', () => {
  for (const [kind, secret] of Object.entries(secrets)) {
    test(`${kind} is taken out wherever it stands`, () => {
      for (const text of [
        secret,
        `before ${secret} after`,
        `(${secret})`,
        secret.toUpperCase() === secret ? secret : `x=${secret}`,
      ]) {
        const clean = redactText(text)
        expect(clean).toContain('[redacted]')
        for (const canary of canaries) expect(clean).not.toContain(canary)
      }
    })
  }

  test.each(Object.entries(tokenPrefixes))('a minted secret for %s', (_kind, prefix) => {
    const secret = mintSecret(prefix)
    const clean = redactText(`given ${secret} to somebody`)
    expect(clean).toBe(`given ${prefix}[redacted] to somebody`)
    expect(JSON.stringify(redact({ note: secret }))).not.toContain(secret.slice(prefix.length))
  })

  test('what is no secret stays', () => {
    for (const text of [
      'block 0x88e96d4537bea4d9c05d12549907b32561d3bf31f45aae734cdc119f13406cb6',
      'GET /health/node-a 200',
      'https://gatehouse.example/health/node-a?from=1',
      'fe80::1, 192.0.2.1:8080',
    ]) {
      expect(redactText(text)).toBe(text)
    }
  })

  test('a secret cut off by the length bound does not get through', () => {
    const text = 'x'.repeat(1_990) + jwt
    expect(redactText(text)).not.toContain('eyJ')
    expect(redactText('y '.repeat(7_990) + jwt)).not.toContain('eyJ')
  })

  test('long texts are bounded, and fast even when they invite backtracking', () => {
    const startedAt = performance.now()
    for (const part of [
      'a',
      'http://',
      '/',
      'a@',
      'Bearer ',
      'eyJ',
      '&key',
      '-----BEGIN PRIVATE KEY-----',
      '0xab',
    ]) {
      expect(redactText(part.repeat(200_000)).length).toBeLessThan(2_100)
    }
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })

  test('characters that steer a terminal are escaped', () => {
    expect(redactText('a\u009b31mb\u202ec\u2028d')).toBe(String.raw`a\u009b31mb\u202ec\u2028d`)
  })
})

test('fields are hidden by name at any depth', () => {
  const clean = redact({
    a: [{ headers: { Authorization: 'plain', 'X-Api-Key': 'plain', 'set-cookie': 'plain' } }],
    session: { id: 1, sessionId: 'plain', nested: { deep: { clientSecret: 'plain', accessToken: 7 } } },
    key: 'plain',
    map: new Map([['x-gateway-cred-github', 'plain']]),
    fetched: new Headers({ cookie: 'plain' }),
  })
  expect(JSON.stringify(clean)).not.toContain('plain')
  expect(JSON.stringify(clean)).not.toContain('7')
})

test('names that only describe a secret are not hidden', () => {
  for (const name of ['keyId', 'tokenName', 'tokenCount', 'keyHint', 'route', 'publicKey']) {
    expect(isSecretName(name)).toBe(false)
  }
  for (const name of ['token', 'API_KEY', 'x-api-key', 'verifier-signature', 'proof', 'databasePassword']) {
    expect(isSecretName(name)).toBe(true)
  }
})

test('errors keep name, message, stack, cause and code', () => {
  const error = Object.assign(new Error('no Bearer abcdefgh12', { cause: new Error('deeper') }), {
    code: 'E1',
  })
  expect(redact(error)).toMatchObject({
    name: 'Error',
    message: 'no Bearer [redacted]',
    code: 'E1',
    cause: { message: 'deeper' },
  })
})

test('cycles, depth, breadth and values that JSON cannot hold', () => {
  const cycle: Record<string, unknown> = {
    big: 2n ** 70n,
    bytes: new Uint8Array(3),
    at: new Date(0),
    nan: Number.NaN,
  }
  cycle.self = cycle
  cycle.many = Array.from({ length: 1_000 }, (_, index) => index)
  cycle.wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`n${index}`, index]))
  const clean = JSON.stringify(redact(cycle))
  expect(clean).toContain('"self":"[circular]"')
  expect(clean).toContain('"big":"1180591620717411303424"')
  expect(clean).toContain('"bytes":"[3 bytes]"')
  expect(clean).toContain('"at":"1970-01-01T00:00:00.000Z"')
  expect(clean.length).toBeLessThan(3_000)
})

test('keys that are objects, and fields with the names of methods and of the prototype', () => {
  const map = new Map<unknown, unknown>([
    [{ toString: '' }, 1],
    [['list'], 2],
    [null, 3],
  ])
  expect(redact(map)).toEqual({ '{"toString":""}': 1, '["list"]': 2, null: 3 })
  expect(JSON.stringify(redact(JSON.parse('{"__proto__":{"a":1},"toJSON":2}')))).toBe(
    '{"__proto__":{"a":1},"toJSON":2}',
  )
  expect(redact(Object.assign(new Date(0), { getTime: 1, toISOString: 2 }))).toBe('1970-01-01T00:00:00.000Z')
})

test('anything can be redacted and written as JSON', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true }), (value) => {
      JSON.stringify(redact(value))
    }),
  )
})

test('no secret survives inside any structure', () => {
  const leaf = fc.oneof(fc.constantFrom(...Object.values(secrets)), fc.string())
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value')), fc.dictionary(fc.string(), tie('value'))),
  }))
  fc.assert(
    fc.property(value, (structure) => {
      const text = JSON.stringify(redact(structure))
      for (const canary of ['ghp_verysecret', 'p4ssw0rd', 'a1B2a1B2', 'MC4CAQAw'])
        expect(text).not.toContain(canary)
    }),
  )
})
