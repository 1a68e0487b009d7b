import { type IpAddress, parseIpAddress } from '../ip-address.ts'
import { type Network, parseNetwork } from '../ip-network.ts'
import { remembered } from '../remembered.ts'

/** The origin of one request, as far as it can be known. */
export interface Caller {
  /** Canonical IPv4 or IPv6 address of the client; null when a proxy in front told nothing usable. */
  address: string | null
  /** `scheme://host[:port]` of the page that made the request; null when absent or not to be believed. */
  origin: string | null
}

/** Networks whose word about the client's address is believed. */
export type TrustedProxies = readonly Network[]

/** Reads addresses and CIDR networks. Throws a `RangeError` that names the bad entry. */
export function parseTrustedProxies(entries: readonly string[]): TrustedProxies {
  return entries.map((entry) => {
    const network = parseNetwork(entry.trim())
    if (network === null)
      throw new RangeError(`${JSON.stringify(entry)} is neither an IP address nor a network`)
    return network
  })
}

/** The one form of an address; null for a text that is none. The same few peers ask again and again. */
const canonicalAddress = remembered((text) => parseIpAddress(text)?.toString() ?? null)

const isTrusted = (address: IpAddress, trusted: TrustedProxies) =>
  trusted.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))

export function isTrustedPeer(peer: string | null, trusted: TrustedProxies): boolean {
  const address = peer === null ? null : parseIpAddress(peer)
  return address !== null && isTrusted(address, trusted)
}

/**
 * The client's address: the TCP peer, or behind trusted proxies the right-most hop of X-Forwarded-For that is not
 * itself trusted. Hops further left are the client's own claims. An unreadable hop gives null, never a guess.
 */
export function clientAddress(
  peer: string | null,
  forwardedFor: string | null,
  trusted: TrustedProxies,
): string | null {
  if (peer === null) return null
  if (forwardedFor === null) return canonicalAddress(peer)
  let client = parseIpAddress(peer)
  if (client === null) return null
  if (!isTrusted(client, trusted)) return client.toString()

  for (const hop of forwardedFor.split(',').toReversed()) {
    client = parseHop(hop.trim())
    if (client === null) return null
    if (!isTrusted(client, trusted)) break
  }
  return client.toString()
}

/**
 * Whom the peer says it asks for: the last hop of X-Forwarded-For, which the peer has written. Not to be believed of a peer
 * that is not trusted; null when it says nothing.
 */
export function claimedAddress(forwardedFor: string | null): string | null {
  const lastHop = forwardedFor?.split(',').at(-1)
  return lastHop === undefined ? null : (parseHop(lastHop.trim())?.toString() ?? null)
}

/** Some proxies write a port: `198.51.100.7:52814`, `[2001:db8::7]:443`. */
function parseHop(hop: string): IpAddress | null {
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(hop)
  if (bracketed !== null) return parseIpAddress(bracketed[1] ?? '')
  const withPort = /^([\d.]+):\d{1,5}$/.exec(hop)
  return parseIpAddress(withPort === null ? hop : (withPort[1] ?? ''))
}

/** `Origin`; the origin of `Referer` only where there is no `Origin` at all (`null` is not rescued by it). */
export function callerOrigin(origin: string | null, referer: string | null): string | null {
  if (origin === null) return referer === null ? null : webOrigin(referer)
  const url = webOrigin(origin)
  // An Origin has no path; `https://a.example\.b.example` would be read as one.
  return url !== null && /^https?:\/\/[^/\\?#]+\/?$/i.test(origin) ? url : null
}

function webOrigin(text: string): string | null {
  if (!/^https?:\/\//i.test(text) || /[\s,]/.test(text.split(/[?#]/, 1)[0] ?? '') || !URL.canParse(text))
    return null
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return null
  const host = url.hostname.replace(/\.$/, '')
  return host === '' ? null : `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`
}
