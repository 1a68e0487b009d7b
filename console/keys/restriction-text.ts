import type { KeyView } from './key-view.ts'

/** `Only from 198.51.100.0/24 +2, on *.example.com, for eth_call`; empty for a key without restrictions. */
export function restrictionText({
  allowedIps,
  allowedDomains,
  allowedMethods = [],
  allowedContracts = [],
}: Pick<KeyView, 'allowedIps' | 'allowedDomains' | 'allowedMethods' | 'allowedContracts'>): string {
  const parts = [
    ...(allowedIps.length === 0 ? [] : [`from ${shortList(allowedIps)}`]),
    ...(allowedDomains.length === 0 ? [] : [`on ${shortList(allowedDomains)}`]),
    ...(allowedMethods.length === 0 ? [] : [`for ${shortList(allowedMethods)}`]),
    ...(allowedContracts.length === 0 ? [] : [`with ${shortList(allowedContracts)}`]),
  ]
  return parts.length === 0 ? '' : `Only ${parts.join(', ')}`
}

function shortList([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first} +${more.length}`
}
