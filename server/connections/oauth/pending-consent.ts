import type {
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'

import { ConsentRefusal, isPrintable } from './issuer.ts'
import type { OwnClient } from './own-client.ts'
import type { Registrations } from './registrations.ts'

/** What was on its way while the owner was away. */
export interface PendingConsent {
  readonly discovered: OAuthDiscoveryState
  readonly redirectUrl: string
  readonly scope: string | null
  verifier: string
  client: StoredOAuthClientInformation | null
}

/** What one leg of it brings: an address to go to, or tokens. */
interface Leg {
  readonly state: string
  readonly sent?: { url: URL | null }
  readonly take?: { tokens: StoredOAuthTokens | null }
}

/** The SDK's view of one consent: away to consent, or back from it. Refreshing is none. */
export const createConsentProvider =
  (ownClient: OwnClient, registrations: Pick<Registrations, 'keep'>) =>
  (pending: PendingConsent, { state, sent, take }: Leg): OAuthClientProvider => {
    const { issuer } = pending.discovered.authorizationServerMetadata ?? { issuer: '' }
    return {
      ...ownClient.metadataFor(pending.redirectUrl),
      state: () => state,
      async clientInformation() {
        pending.client ??= await ownClient.known(issuer, pending.redirectUrl)
        return pending.client ?? undefined
      },
      async saveClientInformation(client) {
        if (!isPrintable(client.client_id)) throw notRegistered(issuer)
        pending.client = client as StoredOAuthClientInformation
        await registrations.keep(
          issuer,
          ownClient.isDocument(client.client_id) ? 'document' : 'registered',
          pending.client,
        )
      },
      tokens: () => undefined,
      saveTokens(tokens) {
        if (take !== undefined) take.tokens = tokens
      },
      redirectToAuthorization(url) {
        if (sent !== undefined) sent.url = url
      },
      saveCodeVerifier(verifier) {
        pending.verifier = verifier
      },
      codeVerifier: () => pending.verifier,
      saveDiscoveryState: () => undefined,
      discoveryState: () => pending.discovered,
    }
  }

export const notRegistered = (issuer: string): ConsentRefusal =>
  new ConsentRefusal(
    'not_registered',
    `${new URL(issuer).host} registers nobody by itself: an operator enters the client id that it gave this installation`,
  )
