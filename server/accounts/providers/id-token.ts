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

export interface TokenClaims {
  readonly sub: string
  readonly name: string | null
  /** The domain of an organisation at Google; null for everybody else. */
  readonly hostedDomain: string | null
}

/** `why` is for the log. */
export type TokenReading =
  | { readonly kind: 'claims'; readonly claims: TokenClaims }
  | { readonly kind: 'refused'; readonly why: string }

const clockSkewSec = 60
/** The provider issues the token for this very exchange, so an old one belongs to another. */
const oldestTokenSec = 3_600

/** What `jose` does not check for us. */
const Claims = z.object({
  aud: z.union([z.string(), z.tuple([z.string()])]),
  azp: z.optional(z.string()),
  sub: z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/)), // OpenID Connect Core 1.0, section 2
  nonce: z.string(),
  name: z.optional(z.string()),
  hd: z.optional(z.string()),
})

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
      algorithms: ['RS256', 'ES256'],
      issuer,
      audience,
      requiredClaims: ['exp'],
      maxTokenAge: oldestTokenSec,
      clockTolerance: clockSkewSec,
      currentDate: new Date(now),
    })
    const { data: claims } = z.safeParse(Claims, payload)
    if (claims === undefined) return refused('claims')
    if (claims.azp !== undefined && claims.azp !== audience) return refused('azp')
    if (claims.nonce !== nonce) return refused('nonce')
    const { sub, name = null, hd: hostedDomain = null } = claims
    return { kind: 'claims', claims: { sub, name, hostedDomain } }
  } catch (error) {
    if (error instanceof errors.JOSEError) return refused(error.message)
    // A published key whose numbers are no key makes the platform's own import throw.
    if (error instanceof DOMException || error instanceof TypeError) return refused('key')
    throw error
  }
}

const refused = (why: string): TokenReading => ({ kind: 'refused', why })
