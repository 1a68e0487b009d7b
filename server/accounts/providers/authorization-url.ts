import { CodeChallengeMethod, OAuth2Client } from 'arctic'

import type { ProviderClient, ProviderRun } from './provider.ts'

/** Where a browser asks the person whether they want to sign in here. `prompt`: what the provider is to ask; null: what it likes. */
export function authorizationUrl(
  authorizeUrl: string,
  { clientId, clientSecret }: ProviderClient,
  scopes: string[],
  { state, codeVerifier, redirectUrl }: ProviderRun,
  prompt: string | null = 'select_account',
): URL {
  const client = new OAuth2Client(clientId, clientSecret, redirectUrl)
  const { S256 } = CodeChallengeMethod
  const url = client.createAuthorizationURLWithPKCE(authorizeUrl, state, S256, codeVerifier, scopes)
  // Nobody is signed in here without noticing, as an account of the provider that somebody else chose for them.
  if (prompt !== null) url.searchParams.set('prompt', prompt)
  return url
}
