import type { Egress } from '../../platform/egress.ts'
import { type JsonAnswer, exchangeJson } from './json-exchange.ts'
import type { ProviderClient, ProviderRun } from './provider.ts'

/**
 * Exchanges a code for tokens (RFC 6749, 4.1.3). Not by arctic, whose client fetches past the address guard. The
 * secret goes in the body: GitHub and Google both document that, and not both of them the other way.
 */
export function exchangeCode(
  egress: Egress,
  tokenUrl: string,
  { clientId, clientSecret }: ProviderClient,
  code: string,
  { codeVerifier, redirectUrl }: ProviderRun,
): Promise<JsonAnswer> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUrl,
    code_verifier: codeVerifier,
    client_id: clientId,
    client_secret: clientSecret,
  })
  return exchangeJson(egress, {
    url: tokenUrl,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
}
