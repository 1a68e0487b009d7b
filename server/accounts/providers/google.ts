import type { Egress } from '../../platform/egress.ts'
import { googleGroup } from '../sign-up/allow-list.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { authorizationUrl } from './authorization-url.ts'
import { claimsOfCode, nonceOf } from './id-token-exchange.ts'
import { createKeySet } from './key-set.ts'
import { type IdentityProvider, type ProviderClient, labelOf } from './provider.ts'

/** Google, or another OpenID Connect provider in its place. */
export interface GoogleSettings extends ProviderClient {
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly jwksUrl: string
  readonly issuer: string
}

/** The e-mail address is not asked for: it identifies nobody here. */
const scopes = ['openid', 'profile']

export function createGoogle(settings: GoogleSettings, egress: Egress, clock: SteadyClock): IdentityProvider {
  const { authorizeUrl, tokenUrl, jwksUrl, issuer } = settings
  const place = {
    issuer,
    tokens: { url: tokenUrl, secretIn: 'body' },
    keys: createKeySet(jwksUrl, egress),
  } as const

  return {
    issuer,
    async redirectTo(run) {
      const url = authorizationUrl(authorizeUrl, settings, scopes, run)
      url.searchParams.set('nonce', nonceOf(run.state))
      return { kind: 'redirect', url }
    },
    async identify({ code }, run) {
      const answer = await claimsOfCode(egress, place, settings, code, run, clock.now())
      if (answer.kind === 'failed') return answer
      const { sub, claims } = answer
      // The domain of an organisation at Google.
      const groups = typeof claims['hd'] === 'string' ? [googleGroup(claims['hd'])] : []
      return {
        kind: 'identified',
        identity: { kind: 'google', subject: sub, label: labelOf(claims['name']), groups },
      }
    },
  }
}
