import ipaddr from 'ipaddr.js'

import { remembered } from '../remembered.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Says whether a connection to this address, in text, may be opened. */
export type AddressPolicy = (address: string) => boolean

/** Global unicast is handed out from this block alone (RFC 4291 section 2.4, IANA IPv6 address space). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Public by their allocation, but answered by the cloud that a machine stands in, and by nobody else: Azure's wire server
 * (it hands out a machine's configuration and certificates), and IBM Cloud's own services. Other clouds use addresses
 * that are special already: 169.254.169.254, 100.100.100.200, 192.0.0.192, fd00:ec2::254, fd20:ce::254.
 */
const cloudInternal = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((cidr) =>
  ipaddr.IPv4.parseCIDR(cidr),
)

/**
 * Builds the rule: public addresses, and those inside the CIDRs that the operator listed.
 * @throws TypeError naming the entry that is not a CIDR
 */
export function createAddressPolicy(allowedCidrs: readonly string[]): AddressPolicy {
  const allowed = allowedCidrs.map(parseCidr)
  const judge = (text: string): boolean => {
    const address = parseAddress(text)
    if (address === null) return false
    return isPublic(address) || allowed.some((block) => contains(block, address))
  }
  return remembered(judge)
}

/** True for an address in one of the two forms that a resolver or a parsed URL can give. */
export const isAddress = (text: string): boolean => parseAddress(text) !== null

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6) return address.match(globalUnicast)
  return !cloudInternal.some(([network, prefixLength]) => address.match(network, prefixLength))
}

function contains([network, prefixLength]: [Address, number], address: Address): boolean {
  if (network instanceof ipaddr.IPv4) {
    return address instanceof ipaddr.IPv4 && address.match(network, prefixLength)
  }
  return address instanceof ipaddr.IPv6 && address.match(network, prefixLength)
}

/** Strict on purpose: octal, hex, short and zone-bearing spellings mean different things to different parsers. */
function parseAddress(text: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  if (text.includes('%') || !ipaddr.IPv6.isValid(text)) return null
  const address = ipaddr.IPv6.parse(text)
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address
}

function parseCidr(text: string): [Address, number] {
  const [network = '', prefixLength = ''] = text.split('/', 2)
  const address = parseAddress(network)
  const longest = address instanceof ipaddr.IPv4 ? 32 : 128
  if (address === null || !/^\d{1,3}$/.test(prefixLength) || Number(prefixLength) > longest) {
    throw new TypeError(`not a CIDR such as 10.0.0.0/8 or fd00::/8: ${JSON.stringify(text)}`)
  }
  return [address, Number(prefixLength)]
}
