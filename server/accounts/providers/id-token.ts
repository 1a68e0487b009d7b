import { createPublicKey, verify } from 'node:crypto'
import * as z from 'zod/mini'

/** What an ID token must say to be for us, now, and for this sign-in. */
export interface ExpectedToken {
  readonly issuer: string
  readonly audience: string
  readonly nonce: string
  /** Epoch ms. */
  readonly now: number
}

const optionalText = z.optional(z.string())

/** A public key of the provider (RFC 7517), of one of the kinds below. */
export const ProviderKey = z.object({
  kid: z.string(),
  kty: z.string(),
  alg: optionalText,
  use: optionalText,
  n: optionalText,
  e: optionalText,
  crv: optionalText,
  x: optionalText,
  y: optionalText,
})
export type ProviderKey = z.infer<typeof ProviderKey>

export interface TokenClaims {
  readonly sub: string
  readonly name: string | null
}

export type TokenReading =
  | { readonly kind: 'claims'; readonly claims: TokenClaims }
  | { readonly kind: 'refused'; readonly why: string }

const clockSkewSec = 60

/** The whole list: no `none`, nothing symmetric, whatever the token says of itself. */
const algorithms = {
  RS256: { kty: 'RSA', crv: undefined, dsaEncoding: undefined },
  ES256: { kty: 'EC', crv: 'P-256', dsaEncoding: 'ieee-p1363' },
} as const

const Header = z.object({ alg: z.enum(['RS256', 'ES256']), kid: z.string() })

const Claims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.optional(z.string()),
  sub: z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/)), // OpenID Connect Core 1.0, section 2
  exp: z.number(),
  iat: z.number(),
  nonce: z.string(),
  name: z.optional(z.string()),
})
type Claims = z.infer<typeof Claims>

/** The id of the key that a token names; null when it is no token that we could ever accept. */
export function keyIdOf(token: string): string | null {
  const header = z.safeParse(Header, jsonPart(token.split('.')[0] ?? ''))
  return header.success ? header.data.kid : null
}

/** Checks signature and claims of an ID token (OpenID Connect Core 1.0, section 3.1.3.7). */
export function readIdToken(token: string, key: ProviderKey, expected: ExpectedToken): TokenReading {
  const parts = token.split('.')
  const [head = '', body = '', signature = ''] = parts
  if (parts.length !== 3) return refused('form')
  const header = z.safeParse(Header, jsonPart(head))
  if (!header.success) return refused('algorithm')
  const { alg, kid } = header.data
  if (!keyFits(key, alg, kid)) return refused('key')
  if (!signatureIsGood(`${head}.${body}`, signature, key, alg)) return refused('signature')

  const claims = z.safeParse(Claims, jsonPart(body))
  if (!claims.success) return refused('claims')
  const wrong = checkClaims(claims.data, expected)
  if (wrong !== null) return refused(wrong)
  return { kind: 'claims', claims: { sub: claims.data.sub, name: claims.data.name ?? null } }
}

const refused = (why: string): TokenReading => ({ kind: 'refused', why })

/** A key says what it is for; an RSA key must never be taken for the secret of a symmetric algorithm. */
function keyFits(key: ProviderKey, alg: keyof typeof algorithms, kid: string): boolean {
  const { kty, crv } = algorithms[alg]
  const isOfKind = key.kty === kty && (crv === undefined || key.crv === crv)
  return isOfKind && key.kid === kid && (key.alg ?? alg) === alg && (key.use ?? 'sig') === 'sig'
}

function signatureIsGood(
  text: string,
  signature: string,
  key: ProviderKey,
  alg: keyof typeof algorithms,
): boolean {
  const { dsaEncoding } = algorithms[alg]
  try {
    const publicKey = createPublicKey({ key: publicParts(key), format: 'jwk' })
    const checked = dsaEncoding === undefined ? publicKey : { key: publicKey, dsaEncoding }
    return verify('sha256', Buffer.from(text), checked, Buffer.from(signature, 'base64url'))
  } catch {
    return false // what the provider published is no key
  }
}

const publicParts = ({ kty, n = '', e = '', crv = '', x = '', y = '' }: ProviderKey) =>
  kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y }

function checkClaims(claims: Claims, expected: ExpectedToken): string | null {
  const nowSec = expected.now / 1000
  const audiences = typeof claims.aud === 'string' ? [claims.aud] : claims.aud
  if (claims.iss !== expected.issuer) return 'iss'
  if (audiences.length !== 1 || audiences[0] !== expected.audience) return 'aud'
  if (claims.azp !== undefined && claims.azp !== expected.audience) return 'azp'
  if (claims.exp <= nowSec - clockSkewSec) return 'exp'
  if (claims.iat > nowSec + clockSkewSec) return 'iat'
  if (claims.nonce !== expected.nonce) return 'nonce'
  return null
}

function jsonPart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
