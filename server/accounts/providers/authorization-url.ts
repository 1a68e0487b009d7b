import { CodeChallengeMethod, OAuth2Client } from 'arctic'

import type { ProviderClient, ProviderRun } from './provider.ts'

/** Where a browser asks the person whether they want to sign in here. */
export function authorizationUrl(
  authorizeUrl: string,
  { clientId, clientSecret }: ProviderClient,
  scopes: string[],
  { state, codeVerifier, redirectUrl }: ProviderRun,
): URL {
  const client = new OAuth2Client(clientId, clientSecret, redirectUrl)
  const { S256 } = CodeChallengeMethod
  const url = client.createAuthorizationURLWithPKCE(authorizeUrl, state, S256, codeVerifier, scopes)
  // Nobody is signed in here without noticing, as an account of the provider that somebody else chose for them.
  url.searchParams.set('prompt', 'select_account')
  return url
}
