import { type JWTVerifyGetKey, errors, jwtVerify } from 'jose'
import * as z from 'zod/mini'

/** What an ID token must say to be for us, now, and for this sign-in. */
export interface ExpectedToken {
  readonly issuer: string
  readonly audience: string
  readonly nonce: string
  /** Epoch ms. */
  readonly now: number
}

/** What a provider says of somebody, in whatever form. */
export type Claims = Readonly<Record<string, unknown>>

/** `why` is for the log. */
export type TokenReading =
  | { readonly kind: 'claims'; readonly sub: string; readonly claims: Claims }
  | { readonly kind: 'refused'; readonly why: string }

const clockSkewSec = 60
/** The provider issues the token for this very exchange, so an old one belongs to another. */
const oldestTokenSec = 3_600

/** What `jose` does not check for us. */
const RequiredClaims = z.object({
  aud: z.union([z.string(), z.tuple([z.string()])]),
  azp: z.optional(z.string()),
  sub: z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/)), // OpenID Connect Core 1.0, section 2
  nonce: z.string(),
})

/** Asymmetric ones alone. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
]

/**
 * Checks the signature and the claims of an ID token (OpenID Connect Core 1.0, section 3.1.3.7). The list of
 * algorithms is closed: neither `none` nor a symmetric one is accepted, whatever the token says of itself. A token has
 * to name its key, because trying all keys would let a forger choose.
 */
export async function readIdToken(
  token: string,
  keys: JWTVerifyGetKey,
  { issuer, audience, nonce, now }: ExpectedToken,
): Promise<TokenReading> {
  const namedKey: JWTVerifyGetKey = (header, body) => {
    if (header.kid === undefined) throw new errors.JWKSNoMatchingKey()
    return keys(header, body)
  }
  try {
    const { payload } = await jwtVerify(token, namedKey, {
      algorithms,
      issuer,
      audience,
      requiredClaims: ['exp'],
      maxTokenAge: oldestTokenSec,
      clockTolerance: clockSkewSec,
      currentDate: new Date(now),
    })
    const { data: required } = z.safeParse(RequiredClaims, payload)
    if (required === undefined) return refused('claims')
    if (required.azp !== undefined && required.azp !== audience) return refused('azp')
    if (required.nonce !== nonce) return refused('nonce')
    return { kind: 'claims', sub: required.sub, claims: payload }
  } catch (error) {
    if (error instanceof errors.JOSEError) return refused(error.message)
    // A published key whose numbers are no key makes the platform's own import throw.
    if (error instanceof DOMException || error instanceof TypeError) return refused('key')
    throw error
  }
}

const refused = (why: string): TokenReading => ({ kind: 'refused', why })
