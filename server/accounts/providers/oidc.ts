import { isFields } from '../../../shared/fields.ts'
import type { Purpose } from '../../../shared/accounts.ts'
import type { Egress } from '../../platform/egress.ts'
import type { Log } from '../../platform/log.ts'
import { remembered } from '../../platform/remembered.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { oidcSubject } from '../identity.ts'
import { type OidcGroupKinds, oidcDomain, oidcGroup } from '../sign-up/allow-list.ts'
import { authorizationUrl } from './authorization-url.ts'
import { claimsOfCode, nonceOf } from './id-token-exchange.ts'
import type { Claims } from './id-token.ts'
import { exchangeJson } from './json-exchange.ts'
import { createKeySet } from './key-set.ts'
import { type OidcMetadata, createOidcMetadata } from './oidc-metadata.ts'
import { type IdentityProvider, type ProviderClient, failed, labelOf } from './provider.ts'

/** Any provider of OpenID Connect, whose addresses are found by its issuer. */
export interface OidcSettings extends ProviderClient {
  /** To the letter what its discovery document and its ID tokens call it. */
  readonly issuer: string
  /** What people know it by. */
  readonly name: string
  /** The claim that names the groups of somebody. */
  readonly groupsClaim: string
}

export interface OidcProvider extends IdentityProvider {
  /** Reads its metadata ahead of the first sign-in, and logs what is wrong with it. */
  check(): Promise<void>
  /** Why nobody can be sent there, in words for operators; null when that is not known. */
  problem(): string | null
}

interface OidcParts {
  readonly egress: Egress
  readonly clock: SteadyClock
  readonly log: Log
}

/** What is used of the claims about somebody. An e-mail address is used for its domain only, and never stored. */
interface Facts {
  readonly label: string | null
  readonly domain: string | null
  readonly groups: readonly string[]
}

/** `asked`: about which groups the allow-list wants to know. */
export function createOidc(
  settings: OidcSettings,
  { egress, clock, log }: OidcParts,
  asked: OidcGroupKinds,
): OidcProvider {
  const { issuer, groupsClaim } = settings
  const { read, problem } = createOidcMetadata(issuer, egress, clock)
  const keysAt = remembered((url) => createKeySet(url, egress))
  const lacks = ({ label, domain, groups }: Facts): boolean =>
    label === null || (asked.domains && domain === null) || (asked.groups && groups.length === 0)

  /** What the ID token says, and where that is not all, what the provider says when it is asked (section 5.3). */
  async function factsAbout(
    { claims, sub, accessToken }: { claims: Claims; sub: string; accessToken: string | null },
    { userinfo_endpoint: url }: OidcMetadata,
  ): Promise<Facts | null> {
    const told = factsIn(claims, groupsClaim)
    if (!lacks(told) || url === undefined || accessToken === null) return told
    const answer = await exchangeJson(egress, { url, headers: { authorization: `Bearer ${accessToken}` } })
    // What cannot be asked counts as not said: nobody is kept from an account that they have.
    if (answer.kind === 'failed' || !isFields(answer.value)) {
      const reason = answer.kind === 'failed' ? answer.detail : 'no claims'
      log.warn('a provider did not say more about somebody', {
        provider: 'oidc',
        reason: `userinfo: ${reason}`,
      })
      return told
    }
    if (answer.value['sub'] !== sub) return null
    const more = factsIn(answer.value, groupsClaim)
    return {
      label: told.label ?? more.label,
      domain: told.domain ?? more.domain,
      groups: [...told.groups, ...more.groups],
    }
  }

  return {
    issuer,
    problem,

    async check() {
      const reading = await read()
      if (reading.kind === 'failed') {
        log.warn('nobody can sign in with OpenID Connect', { provider: 'oidc', reason: reading.detail })
      }
    },

    async redirectTo(run, purpose) {
      const reading = await read()
      if (reading.kind === 'failed') return reading
      const { metadata } = reading
      const scopes = scopesFor(asked, metadata)
      const prompt = promptFor(purpose, metadata)
      const url = authorizationUrl(metadata.authorization_endpoint, settings, scopes, run, prompt)
      url.searchParams.set('nonce', nonceOf(run.state))
      return { kind: 'redirect', url }
    },

    async identify({ code, namesIssuer }, run) {
      const reading = await read()
      if (reading.kind === 'failed') return reading
      const { metadata } = reading
      if (metadata.authorization_response_iss_parameter_supported === true && !namesIssuer) {
        return failed('redirect: no iss, which the provider promises')
      }
      const tokens = { url: metadata.token_endpoint, secretIn: secretPlace(metadata) } as const
      const place = { issuer, tokens, keys: keysAt(metadata.jwks_uri) }
      const answer = await claimsOfCode(egress, place, settings, code, run, clock.now())
      if (answer.kind === 'failed') return answer
      const facts = await factsAbout(answer, metadata)
      if (facts === null) return failed('userinfo: about somebody else')
      const { label, domain, groups } = facts
      return {
        kind: 'identified',
        identity: {
          kind: 'oidc',
          subject: oidcSubject(issuer, answer.sub),
          label,
          groups: [...(domain === null ? [] : [oidcDomain(domain)]), ...groups.map(oidcGroup)],
        },
      }
    },
  }
}

const scopesFor = (asked: OidcGroupKinds, { scopes_supported: offered = [] }: OidcMetadata): string[] => [
  'openid',
  'profile',
  ...(asked.domains ? ['email'] : []),
  // Some tell groups by a scope of this name, and some by their own settings, which refuse a scope that they do not know.
  ...(asked.groups && offered.includes('groups') ? ['groups'] : []),
]

/**
 * Many refuse a prompt that they do not list. Whoever has a session there gets in without being asked, as single sign-on
 * has it; who confirms who they are types their password.
 */
function promptFor(purpose: Purpose, { prompt_values_supported: offered = [] }: OidcMetadata): string | null {
  if (purpose === 'confirm') return 'login'
  return offered.includes('select_account') ? 'select_account' : null
}

/** The header where nothing is said (section 3). */
function secretPlace({ token_endpoint_auth_methods_supported: offered }: OidcMetadata): 'body' | 'header' {
  return offered === undefined || offered.includes('client_secret_basic') ? 'header' : 'body'
}

/** Of one source alone: an address of one with the assurance of another would be assured by nobody. */
const factsIn = (claims: Claims, groupsClaim: string): Facts => ({
  label: labelOf(claims['name']) ?? labelOf(claims['preferred_username']),
  domain: claims['email_verified'] === true ? domainOf(claims['email']) : null,
  groups: textsIn(claims[groupsClaim]),
})

const domainOf = (email: unknown): string | null =>
  typeof email === 'string' ? (/^[^@\s]+@([A-Za-z0-9.-]{1,253})$/.exec(email)?.[1] ?? null) : null

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
