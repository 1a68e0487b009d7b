import type { Egress } from '../../platform/egress.ts'
import { type JsonAnswer, exchangeJson } from './json-exchange.ts'
import type { ProviderClient, ProviderRun } from './provider.ts'

/** Where a provider gives tokens, and where it wants our secret: of OAuth, `client_secret_post` and `client_secret_basic`. */
export interface TokenPlace {
  readonly url: string
  readonly secretIn: 'body' | 'header'
}

/** Exchanges a code for tokens (RFC 6749, 4.1.3). Not by arctic, whose client fetches past the address guard. */
export function exchangeCode(
  egress: Egress,
  { url, secretIn }: TokenPlace,
  { clientId, clientSecret }: ProviderClient,
  code: string,
  { codeVerifier, redirectUrl }: ProviderRun,
): Promise<JsonAnswer> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUrl,
    code_verifier: codeVerifier,
    ...(secretIn === 'body' && { client_id: clientId, client_secret: clientSecret }),
  })
  return exchangeJson(egress, {
    url,
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(secretIn === 'header' && { authorization: basic(clientId, clientSecret) }),
    },
    body: form.toString(),
  })
}

/** Both parts are encoded as in a form first (RFC 6749, 2.3.1), so that a colon in the id does not divide them. */
function basic(clientId: string, clientSecret: string): string {
  const [id, secret] = [clientId, clientSecret].map((part) =>
    new URLSearchParams({ '': part }).toString().slice(1),
  )
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
}
