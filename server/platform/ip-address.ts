import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Reads an address of full dotted or colon form, in which everybody reads the same one; null for any other text: octal,
 * hexadecimal, integer and short forms mean different things to different programs, and a zone id something on one
 * machine only. `::ffff:a.b.c.d` is `a.b.c.d`.
 */
export function parseIpAddress(text: string): IpAddress | null {
  const { IPv4, IPv6 } = ipaddr
  if (IPv4.isValidFourPartDecimal(text)) return IPv4.parse(text)
  if (!text.includes(':') || text.includes('%') || hasOddTail(text) || !IPv6.isValid(text)) return null
  const address = IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

/** ipaddr.js takes octal and short forms in the dotted end of an IPv6 address. */
function hasOddTail(text: string): boolean {
  return text.includes('.') && !ipaddr.IPv4.isValidFourPartDecimal(text.slice(text.lastIndexOf(':') + 1))
}
