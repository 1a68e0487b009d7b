import { type FetchLike, selectClientAuthMethod } from '@modelcontextprotocol/client'

import { isSecure } from './issuer.ts'
import type { KeptAccess } from './kept-access.ts'

/**
 * Tells the authorization server that access is over (RFC 7009), as far as it listens. By its refresh token, with which
 * servers end all that came of it. Never rejects; false: it was not told, or said no.
 */
export async function revokeThere(access: KeptAccess, fetch: FetchLike): Promise<boolean> {
  const { metadata, client, refreshToken, accessToken } = access
  const url = 'revocation_endpoint' in metadata ? metadata.revocation_endpoint : undefined
  if (typeof url !== 'string' || !isSecure(url, new URL(metadata.issuer).protocol === 'http:')) return false
  const form = new URLSearchParams({
    token: refreshToken ?? accessToken,
    token_type_hint: refreshToken === null ? 'access_token' : 'refresh_token',
  })
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' })
  proveClient(client, metadata.token_endpoint_auth_methods_supported ?? [], headers, form)
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: String(form) })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    return false
  }
}

/** As the SDK proves who we are at the token address, whose function for it is not exported. */
function proveClient(
  client: KeptAccess['client'],
  methods: readonly string[],
  headers: Headers,
  form: URLSearchParams,
): void {
  const { client_id: id, client_secret: secret } = client
  if (secret !== undefined && selectClientAuthMethod(client, [...methods]) === 'client_secret_basic') {
    headers.set('authorization', `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`)
    return
  }
  form.set('client_id', id)
  if (secret !== undefined) form.set('client_secret', secret)
}
