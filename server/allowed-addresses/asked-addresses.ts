import { fault } from '../platform/fault.ts'
import { withinDeadline } from '../platform/deadline.ts'
import { type ReadAddress, readAddress } from '../platform/egress/address-policy.ts'
import type { Resolve } from '../platform/egress/checked-addresses.ts'

/** What an operator asks to be allowed. */
export interface AskedAddresses {
  /** Null where an address was given. */
  readonly name: string | null
  /** Private addresses, each once, at least one. */
  readonly addresses: readonly string[]
}

const expected =
  'address: expected an IP address such as 10.0.0.5, a name such as node.internal, or an http, https, ws or wss URL (blocks are only for GATEHOUSE_ALLOW_PRIVATE)'

const dnsTimeoutMs = 2_000
const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'ws:', 'wss:'])

/**
 * Finds the addresses that an operator means: the one given, or those that the name resolves to now. Fault:
 * `invalid_request` where there is nothing to allow, or something that operators may not allow.
 */
export async function findAskedAddresses(given: string, resolve: Resolve): Promise<AskedAddresses> {
  const host = readAddress(given)?.text ?? hostIn(given.trim())
  const own = readAddress(host)
  const found = own === null ? await resolved(host, resolve) : [own]
  const special = found.filter(({ kind }) => kind === 'special')
  if (special.length > 0) throw neverAllowed(special)
  const addresses = textsOf(found.filter(({ kind }) => kind === 'private'))
  if (addresses.length === 0)
    throw fault(
      'invalid_request',
      `address: nothing to allow: ${own === null ? `${host} is at ` : ''}${textsOf(found).join(', ')}, which is public and not refused`,
    )
  return { name: own === null ? host : null, addresses }
}

const textsOf = (addresses: readonly ReadAddress[]): string[] => [
  ...new Set(addresses.map(({ text }) => text)),
]

const neverAllowed = (special: readonly ReadAddress[]) =>
  fault(
    'invalid_request',
    `address: ${textsOf(special).join(', ')} cannot be allowed here, where only loopback, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 100.64.0.0/10 and fc00::/7 can be, without the metadata services of clouds in them. Link-local, multicast, broadcast, unspecified and reserved addresses are for GATEHOUSE_ALLOW_PRIVATE alone, on the server's host`,
  )

/** The host of a URL, or of a host with or without a port. It is all of a URL that is ever said again: the rest may hold a key. */
function hostIn(given: string): string {
  const isUrl = given.includes('://')
  // Without a scheme, what follows a slash is the length of a block.
  const url = !isUrl && given.includes('/') ? null : URL.parse(isUrl ? given : `http://${given}`)
  if (url === null || !schemes.has(url.protocol) || url.hostname === '')
    throw fault('invalid_request', expected)
  return url.hostname.replace(/^\[|\]$/g, '')
}

async function resolved(host: string, resolve: Resolve): Promise<ReadAddress[]> {
  const found = await withinDeadline(resolve(host), dnsTimeoutMs, () => new Error('too late')).catch(() => [])
  const addresses = found.flatMap((address) => readAddress(address) ?? [])
  // An address with a zone is link-local, and could not be reached either.
  if (addresses.length === 0 || addresses.length < found.length)
    throw fault('invalid_request', `address: the addresses of ${host} are not found: give one of them itself`)
  return addresses
}
