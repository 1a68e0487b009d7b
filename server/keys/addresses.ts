import ipaddr from 'ipaddr.js'

import { type IpAddress, parseIpAddress } from '../platform/ip-address.ts'

/**
 * Allowed IPs: addresses and networks of both families. `::ffff:a.b.c.d` is `a.b.c.d`; otherwise a rule of one family
 * never matches an address of the other.
 */
export interface AddressRule {
  /** As it applies: canonical, without host bits. Reading it again gives the same rule. */
  readonly text: string
  readonly network: IpAddress
  readonly bits: number
}

export type AddressReading =
  | { readonly kind: 'rule'; readonly rule: AddressRule }
  /** `why` reads on after the name of the field. */
  | { readonly kind: 'refused'; readonly why: string }

/** The longest textual address has 45 characters, a prefix length four more. */
const maxRuleChars = 64

/** Bits of the IPv6 prefix in which all IPv4 addresses lie. */
const mappedBits = 96

const refused = (why: string): AddressReading => ({ kind: 'refused', why })

/** Reads one entry of Allowed IPs. */
export function parseAddressRule(entry: string): AddressReading {
  const text = entry.trim()
  if (text.length > maxRuleChars) return refused(`expected at most ${maxRuleChars} characters`)
  const slash = text.indexOf('/')
  const base = slash < 0 ? text : text.slice(0, slash)
  const address = parseIpAddress(base)
  if (address === null) return refused(whyNoAddress(base))

  const longest = address.kind() === 'ipv4' ? 32 : 128
  const isMapped = address.kind() === 'ipv4' && base.includes(':')
  const bits = slash < 0 ? longest : prefixLength(text.slice(slash + 1), isMapped ? mappedBits : 0)
  if (bits === null || bits > longest) {
    const [from, to] = isMapped ? [mappedBits, mappedBits + longest] : [0, longest]
    return refused(`expected a prefix length from /${from} to /${to}`)
  }
  const network = withoutHostBits(address, bits)
  const canonical = bits === longest ? network.toString() : `${network.toString()}/${bits}`
  return { kind: 'rule', rule: { text: canonical, network, bits } }
}

const hasLeadingZero = (text: string): boolean => /(?:^|\.)0\d/.test(text)

function whyNoAddress(text: string): string {
  if (/^[\d.]+$/.test(text) && hasLeadingZero(text)) {
    return 'expected an address without leading zeros, which some programs read as octal'
  }
  if (text.includes('%')) return 'expected an address without zone'
  return 'expected an IP address or network such as 192.0.2.7, 198.51.100.0/24 or 2001:db8::/32'
}

function prefixLength(digits: string, already: number): number | null {
  if (!/^(?:0|[1-9]\d{0,2})$/.test(digits)) return null
  const bits = Number(digits) - already
  return bits >= 0 ? bits : null
}

function withoutHostBits(address: IpAddress, bits: number): IpAddress {
  const bytes = address.toByteArray().map((byte, place) => {
    const kept = Math.min(8, Math.max(0, bits - place * 8))
    return byte & (0xff << (8 - kept))
  })
  return ipaddr.fromByteArray(bytes)
}

/**
 * Whether a caller's address (null when it is not known) is on the list. An empty list allows everybody.
 */
export function isAddressAllowed(rules: readonly AddressRule[], caller: string | null): boolean {
  if (rules.length === 0) return true
  const address = caller === null || caller.length > maxRuleChars ? null : parseIpAddress(caller)
  return address !== null && rules.some((rule) => contains(rule, address))
}

const contains = ({ network, bits }: AddressRule, address: IpAddress): boolean =>
  network.kind() === address.kind() && address.match(network, bits)
