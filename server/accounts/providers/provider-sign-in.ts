import { generateCodeVerifier, generateState } from 'arctic'

import type { Provider } from '../../../shared/accounts.ts'
import { providers as providerNames } from '../../../shared/accounts.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import { fault } from '../../platform/fault.ts'
import type { Log } from '../../platform/log.ts'
import { hashSecret } from '../../platform/secrets.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { Vault } from '../../platform/vault.ts'
import type { ProvenIdentity } from '../identity.ts'
import type { Intent, PendingStore } from '../pending/store.ts'
import type { OidcProvider } from './oidc.ts'
import type { IdentityProvider } from './provider.ts'

/** Those that are set up; null for one that is not. */
export interface ConfiguredProviders extends Readonly<Record<Provider, IdentityProvider | null>> {
  readonly oidc: OidcProvider | null
}

interface ProvidersOptions {
  readonly providers: ConfiguredProviders
  readonly pending: PendingStore
  readonly vault: Vault
  readonly clock: SteadyClock
  readonly log: Log
  readonly address: () => PublicAddress
}

/** What a browser brought back from a provider. */
export interface ProviderReturn {
  readonly code?: string | undefined
  readonly state?: string | undefined
  readonly error?: string | undefined
  readonly iss?: string | undefined
}

export type ProviderOutcome =
  | {
      readonly kind: 'proven'
      readonly identity: ProvenIdentity
      readonly intent: Intent
      readonly returnTo: string
    }
  | { readonly kind: 'denied' | 'provider_failed'; readonly intent: Intent; readonly returnTo: string }

const redirectLifeMs = 600_000

const sealedPlace = (stateHash: string): string => `oauth_states:${stateHash}:code_verifier`

export type ProviderSignIns = ReturnType<typeof createProviderSignIn>

/** Sign-in at GitHub, Google and a provider of OpenID Connect: away with a state that only this browser can bring back, and back with a code. */
export function createProviderSignIn(options: ProvidersOptions) {
  const { providers, pending, vault, clock, log, address } = options

  function configured(name: Provider): IdentityProvider {
    const provider = providers[name]
    if (provider === null) throw fault('not_found', `Signing in with ${name} is not set up here`)
    return provider
  }

  const redirectUrl = (name: Provider) => `${address().origin}/auth/callback/${name}`

  return {
    /** Which providers are set up. */
    offered: Object.fromEntries(providerNames.map((name) => [name, providers[name] !== null])) as Record<
      Provider,
      boolean
    >,

    /** Reads ahead what can be wrong with the settings of providers, and logs what is. */
    check: async (): Promise<void> => providers.oidc?.check(),

    /** Why nobody can be sent to a provider now, in words for operators; null when that is not known. */
    problemOf: (name: Provider): string | null =>
      name === 'oidc' ? (providers.oidc?.problem() ?? null) : null,

    /**
     * Returns where to send the browser. Faults: `not_found` for a provider that is not set up, `upstream_error` for one that
     * does not say where that is.
     */
    async start(name: Provider, intent: Intent, returnTo: string, preAuthSecret: string): Promise<URL> {
      const provider = configured(name)
      const state = generateState()
      const codeVerifier = generateCodeVerifier()
      const stateHash = hashSecret(state)
      const run = { state, codeVerifier, redirectUrl: redirectUrl(name) }
      const redirect = await provider.redirectTo(run, intent.purpose)
      if (redirect.kind === 'failed') {
        log.warn('nobody can be sent to a provider', { provider: name, reason: redirect.detail })
        throw fault('upstream_error', 'The provider cannot be asked just now; try again, or take another way')
      }
      await pending.saveRedirect({
        stateHash,
        preAuthHash: hashSecret(preAuthSecret),
        provider: name,
        codeVerifier: vault.seal(codeVerifier, sealedPlace(stateHash)),
        ...intent,
        returnTo,
        expiresAt: clock.now() + redirectLifeMs,
      })
      return redirect.url
    },

    /**
     * Finds out who came back. Faults: `bad_request` for a state that this browser did not get, did not get for
     * this provider, or has used already; `not_found` as above.
     */
    async finish(
      name: Provider,
      back: ProviderReturn,
      preAuthSecret: string | null,
    ): Promise<ProviderOutcome> {
      const provider = configured(name)
      const refusal = fault(
        'bad_request',
        'This sign-in was not begun in this browser, or is over; begin again',
      )
      const { state, code, error, iss } = back
      if (state === undefined || preAuthSecret === null) throw refusal
      const stateHash = hashSecret(state)
      const taken = await pending.takeRedirect(stateHash, hashSecret(preAuthSecret), clock.now())
      if (taken === null || taken.provider !== name) throw refusal
      if (iss !== undefined && provider.issuer !== null && iss !== provider.issuer) throw refusal
      const { returnTo, purpose, accountId } = taken
      const begun = { intent: { purpose, accountId }, returnTo }
      if (error === 'access_denied') return { kind: 'denied', ...begun }
      if (error !== undefined) return providerFailed(`redirect: ${error}`)
      if (code === undefined) throw refusal

      const codeVerifier = vault.open(taken.codeVerifier, sealedPlace(stateHash))
      const run = { state, codeVerifier, redirectUrl: redirectUrl(name) }
      const answer = await provider.identify({ code, namesIssuer: iss !== undefined }, run)
      if (answer.kind === 'failed') return providerFailed(answer.detail)
      return { kind: 'proven', identity: answer.identity, ...begun }

      function providerFailed(reason: string): ProviderOutcome {
        log.warn('a provider did not tell who somebody is', { provider: name, reason })
        return { kind: 'provider_failed', ...begun }
      }
    },
  }
}
