import { createAddressPolicy, isAddress } from '../../platform/egress/address-policy.ts'

const isPublic = createAddressPolicy([])

/** Names that are never delegated, or by custom used inside a network only (RFC 6762, 8375; ICANN on `.internal`). */
const ownNames = /\.(?:local|localhost|internal|lan|home\.arpa|test)$/

/** Returns whether a host, as it stands in a URL, is one of the Internet: a public address, or a name with a domain. */
export function isInternetHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isAddress(bare)) return isPublic(bare)
  return bare.includes('.') && !ownNames.test(bare)
}
