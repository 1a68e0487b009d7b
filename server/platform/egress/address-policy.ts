import ipaddr from 'ipaddr.js'

import { type IpAddress, parseIpAddress } from '../ip-address.ts'
import { type Network, parseNetwork } from '../ip-network.ts'
import { remembered } from '../remembered.ts'

/** Says whether a connection to this address, in text, may be opened. */
export type AddressPolicy = (address: string) => boolean

/** Global unicast is handed out from this block alone (RFC 4291 section 2.4, IANA IPv6 address space). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** IPv4 addresses as machines on IPv6-only networks reach them, which DNS64 and NAT64 translate (RFC 6052 section 2.1). */
const translatedIpv4 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * Public by their allocation, but answered by the cloud that a machine stands in, and by nobody else: Azure's wire server
 * (it hands out a machine's configuration and certificates), and IBM Cloud's own services. Other clouds use addresses
 * that are special already: 169.254.169.254, 100.100.100.200, 192.0.0.192, fd00:ec2::254, fd20:ce::254.
 */
const cloudInternal = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((cidr) =>
  ipaddr.IPv4.parseCIDR(cidr),
)

/**
 * Other addresses of own networks at which clouds answer their machines. All others of theirs are link-local, reserved, or
 * public by allocation (`cloudInternal`).
 */
const cloudServices = new Set(['100.100.100.200', 'fd20:ce::254', 'fd00:42::42', 'fd00:a9fe:a9fe::1'])
/** All services that AWS offers its machines over IPv6, which are in one network. */
const amazonServices = ipaddr.IPv6.parseCIDR('fd00:ec2::/32')

/** Ranges of own networks: loopback, RFC 1918, shared addresses (RFC 6598), and unique local ones (RFC 4193). */
const ownNetworks: ReadonlySet<string> = new Set(['loopback', 'private', 'carrierGradeNat', 'uniqueLocal'])

/**
 * `private`: of a network of one's own, which operators may allow. `special`: neither that nor public, such as link-local,
 * multicast and reserved addresses, and those at which clouds answer their machines.
 */
export type AddressKind = 'public' | 'private' | 'special'

/** An address in its canonical form, in which an IPv4 address that is mapped into IPv6 is the IPv4 address. */
export interface ReadAddress {
  readonly text: string
  readonly kind: AddressKind
}

/** Returns null for what is no plain address. */
export function readAddress(given: string): ReadAddress | null {
  const address = parseIpAddress(given)
  if (address === null) return null
  const text = address.toString()
  if (isPublic(address)) return { text, kind: 'public' }
  const isOwn =
    ownNetworks.has(address.range()) && !cloudServices.has(text) && !contains(amazonServices, address)
  return { text, kind: isOwn ? 'private' : 'special' }
}

/**
 * Builds the rule: public addresses, those that the environment lists, and those that `alsoAllowed` lets through,
 * which is asked each time, because what it says may change.
 * @throws TypeError naming the entry that is neither an address nor a CIDR block
 */
export function createAddressPolicy(
  allowedNetworks: readonly string[],
  alsoAllowed: AddressPolicy = () => false,
): AddressPolicy {
  const allowed = allowedNetworks.map(blockOf)
  const judge = (text: string): boolean => {
    const address = parseIpAddress(text)
    if (address === null) return false
    return isPublic(address) || allowed.some((block) => contains(block, address))
  }
  const isAlwaysAllowed = remembered(judge)
  return (address) => isAlwaysAllowed(address) || alsoAllowed(address)
}

/** True for an address in one of the two forms that a resolver or a parsed URL can give. */
export const isAddress = (text: string): boolean => parseIpAddress(text) !== null

function isPublic(address: IpAddress): boolean {
  if (address instanceof ipaddr.IPv6 && address.match(translatedIpv4))
    return isPublic(new ipaddr.IPv4(address.toByteArray().slice(-4)))
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6) return address.match(globalUnicast)
  return !cloudInternal.some(([network, prefixLength]) => address.match(network, prefixLength))
}

function contains([network, prefixLength]: Network, address: IpAddress): boolean {
  if (network instanceof ipaddr.IPv4) {
    return address instanceof ipaddr.IPv4 && address.match(network, prefixLength)
  }
  return address instanceof ipaddr.IPv6 && address.match(network, prefixLength)
}

function blockOf(text: string): Network {
  const block = parseNetwork(text)
  if (block === null)
    throw new TypeError(
      `neither an address nor a CIDR block such as 10.0.0.0/8 or fd00::/8: ${JSON.stringify(text)}`,
    )
  return block
}
