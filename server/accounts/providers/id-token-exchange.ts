import type { JWTVerifyGetKey } from 'jose'
import * as z from 'zod/mini'

import type { Egress } from '../../platform/egress.ts'
import { hashSecret } from '../../platform/secrets.ts'
import { type TokenPlace, exchangeCode } from './code-exchange.ts'
import { type Claims, readIdToken } from './id-token.ts'
import { type ProviderClient, type ProviderRun, failed } from './provider.ts'

/** An OpenID Connect provider, as far as one needs to know it to have ID tokens of it. */
export interface TokenIssuer {
  readonly issuer: string
  readonly tokens: TokenPlace
  readonly keys: JWTVerifyGetKey
}

/** What came of a code. `sub` is the subject at the issuer, and `accessToken` null where it gave none. */
export type CodeClaims =
  | {
      readonly kind: 'claims'
      readonly sub: string
      readonly claims: Claims
      readonly accessToken: string | null
    }
  | { readonly kind: 'failed'; readonly detail: string }

const Tokens = z.object({
  id_token: z.string().check(z.minLength(1), z.maxLength(16_384)),
  access_token: z.optional(z.string()),
})

/** Follows from the state, so that an ID token of another sign-in does not fit; it reveals nothing of it. */
export const nonceOf = (state: string): string => hashSecret(`nonce ${state}`)

/** Exchanges a code for an ID token, and reads it. `now` is epoch ms. */
export async function claimsOfCode(
  egress: Egress,
  { issuer, tokens, keys }: TokenIssuer,
  client: ProviderClient,
  code: string,
  run: ProviderRun,
  now: number,
): Promise<CodeClaims> {
  const answer = await exchangeCode(egress, tokens, client, code, run)
  if (answer.kind === 'failed') return failed(`token: ${answer.detail}`)
  const given = z.safeParse(Tokens, answer.value)
  if (!given.success) return failed('token: no ID token in the answer')
  const { id_token: idToken, access_token: accessToken = null } = given.data

  const expected = { issuer, audience: client.clientId, nonce: nonceOf(run.state), now }
  const reading = await readIdToken(idToken, keys, expected)
  return reading.kind === 'refused' ? failed(`ID token: ${reading.why}`) : { ...reading, accessToken }
}
