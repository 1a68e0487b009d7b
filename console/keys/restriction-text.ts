import type { KeyView } from './key-view.ts'

/** `Only from 198.51.100.0/24 +2, on *.example.com`; empty for a key that works from anywhere. */
export function restrictionText({
  allowedIps,
  allowedDomains,
}: Pick<KeyView, 'allowedIps' | 'allowedDomains'>): string {
  const parts = [
    ...(allowedIps.length === 0 ? [] : [`from ${shortList(allowedIps)}`]),
    ...(allowedDomains.length === 0 ? [] : [`on ${shortList(allowedDomains)}`]),
  ]
  return parts.length === 0 ? '' : `Only ${parts.join(', ')}`
}

function shortList([first = '', ...more]: readonly string[]): string {
  return more.length === 0 ? first : `${first} +${more.length}`
}
