import { sampleOrigin } from '../keys/sample-origin.ts'

/** Says what the key that is shown to it may do. */
const checkPath = '/account/api-key'

/**
 * A command that tries a key. `address` is that of the installation. curl is no browser: for a key with Allowed
 * Domains it says that it comes from one of them.
 */
export function curlLine(value: string, allowedDomains: readonly string[], address: string): string {
  const origin = allowedDomains[0] === undefined ? null : sampleOrigin(allowedDomains[0])
  return [
    `curl '${address}${checkPath}'`,
    `-H 'Authorization: Bearer ${value}'`,
    ...(origin === null ? [] : [`-H 'Origin: ${origin}'`]),
  ].join(' \\\n  ')
}
