import ipaddr from 'ipaddr.js'

interface Prefix {
  ipv4: number
  ipv6: number
}

/** The network around an address, such as `198.51.100.0/24`; null when there is no address. */
export function networkOf(address: string | null, prefix: Prefix): string | null {
  if (address === null || !ipaddr.isValid(address)) return null
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) {
    return `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/${prefix.ipv4}`).toString()}/${prefix.ipv4}`
  }
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${prefix.ipv6}`).toString()}/${prefix.ipv6}`
}
