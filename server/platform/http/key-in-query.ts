/** Names under which other services take keys in the query. */
const keyParameters = new Set([
  'access_token',
  'api-key',
  'api_key',
  'apikey',
  'authorization',
  'bearer',
  'token',
])

const looksLikeKey = /g[aq]k_[0-9A-Za-z]{16}/

/**
 * Whether an address has a key in its query. Addresses are written down on the way, by proxies, browsers and in
 * `Referer` headers (RFC 6750, section 2.3).
 */
export function hasKeyInQuery(url: string): boolean {
  const begin = url.indexOf('?')
  if (begin < 0) return false
  for (const [name, value] of new URLSearchParams(url.slice(begin + 1))) {
    if (keyParameters.has(name.toLowerCase()) || looksLikeKey.test(value) || looksLikeKey.test(name))
      return true
  }
  return false
}
