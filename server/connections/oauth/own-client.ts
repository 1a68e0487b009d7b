import type { OAuthClientProvider, StoredOAuthClientInformation } from '@modelcontextprotocol/client'

import type { Clock } from '../../platform/clock.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import type { Registrations } from './registrations.ts'

export const callbackPath = '/oauth/callback'
export const clientDocumentPath = '/oauth/client.json'

export type OwnClient = ReturnType<typeof createOwnClient>

/** What this installation is as a client of authorization servers of others. */
export function createOwnClient(
  address: () => PublicAddress,
  registrations: Pick<Registrations, 'find' | 'forget'>,
  clock: Pick<Clock, 'now'>,
) {
  const redirects = (): string[] => address().origins.map((origin) => `${origin}${callbackPath}`)

  /** Where others can read our document; null where they cannot reach us by https. */
  function documentUrl(): string | null {
    const { isTls, isLoopback, origin } = address()
    return isTls && !isLoopback ? `${origin}${clientDocumentPath}` : null
  }

  const metadata = () => ({
    client_name: 'Gatehouse',
    redirect_uris: redirects(),
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })

  return {
    /** Null: there is none. */
    document(): Readonly<Record<string, unknown>> | null {
      const url = documentUrl()
      if (url === null) return null
      return { client_id: url, client_uri: address().origin, application_type: 'web', ...metadata() }
    },

    isDocument: (clientId: string): boolean => clientId === documentUrl(),

    metadataFor(
      redirectUrl: string,
    ): Pick<OAuthClientProvider, 'redirectUrl' | 'clientMetadata' | 'clientMetadataUrl'> {
      const url = documentUrl()
      return { redirectUrl, clientMetadata: metadata(), ...(url === null ? {} : { clientMetadataUrl: url }) }
    },

    /** Our name at an authorization server; null where we have none that is good any more. */
    async known(issuer: string, redirectUrl: string): Promise<StoredOAuthClientInformation | null> {
      const found = await registrations.find(issuer)
      if (found === null) return null
      const isGiven = found.origin === 'operator' || found.origin === 'file'
      if (isGiven || isGood(found.client, redirectUrl, clock.now() / 1_000)) return found.client
      await registrations.forget(issuer)
      return null
    },
  }
}

/** A secret may end, and an installation may move to another address, which was not registered. */
function isGood(client: StoredOAuthClientInformation, redirectUrl: string, nowSec: number): boolean {
  const { client_secret_expires_at: endsAt } = client
  if (endsAt !== undefined && endsAt !== 0 && endsAt <= nowSec) return false
  const redirectUris = 'redirect_uris' in client ? client.redirect_uris : undefined
  return !Array.isArray(redirectUris) || redirectUris.includes(redirectUrl)
}
