import * as z from 'zod/mini'

import type { Egress } from '../../platform/egress.ts'
import { hashSecret } from '../../platform/secrets.ts'
import { googleGroup } from '../sign-up/allow-list.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { authorizationUrl } from './authorization-url.ts'
import { exchangeCode } from './code-exchange.ts'
import { readIdToken } from './id-token.ts'
import { createKeySet } from './key-set.ts'
import { type IdentityProvider, type ProviderClient, failed } from './provider.ts'

/** Google, or another OpenID Connect provider in its place. */
export interface GoogleSettings extends ProviderClient {
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly jwksUrl: string
  readonly issuer: string
}

const Tokens = z.object({ id_token: z.string().check(z.minLength(1), z.maxLength(16_384)) })

/** The e-mail address is not asked for: it identifies nobody here. */
const scopes = ['openid', 'profile']

/** Follows from the state, so that an ID token of another sign-in does not fit; it reveals nothing of it. */
const nonceOf = (state: string): string => hashSecret(`nonce ${state}`)

export function createGoogle(settings: GoogleSettings, egress: Egress, clock: SteadyClock): IdentityProvider {
  const { authorizeUrl, tokenUrl, jwksUrl, issuer, clientId } = settings
  const keys = createKeySet(jwksUrl, egress)

  return {
    issuer,
    redirectTo(run) {
      const url = authorizationUrl(authorizeUrl, settings, scopes, run)
      url.searchParams.set('nonce', nonceOf(run.state))
      return url
    },
    async identify(code, run) {
      const answer = await exchangeCode(egress, tokenUrl, settings, code, run)
      if (answer.kind === 'failed') return failed(`token: ${answer.detail}`)
      const tokens = z.safeParse(Tokens, answer.value)
      if (!tokens.success) return failed('token: no ID token in the answer')

      const expected = { issuer, audience: clientId, nonce: nonceOf(run.state), now: clock.now() }
      const reading = await readIdToken(tokens.data.id_token, keys, expected)
      if (reading.kind === 'refused') return failed(`ID token: ${reading.why}`)
      const { sub, name, hostedDomain } = reading.claims
      const groups = hostedDomain === null ? [] : [googleGroup(hostedDomain)]
      return {
        kind: 'identified',
        identity: { kind: 'google', subject: sub, label: name?.slice(0, 100) ?? null, groups },
      }
    },
  }
}
