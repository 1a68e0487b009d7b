import ipaddr from 'ipaddr.js'

import { type Fault, fault } from '../fault.ts'
import type { PublicAddress } from './public-address.ts'

/** The header values by which browsers say where a request comes from and goes to. */
interface RequestOrigin {
  origin: string | null
  /** `Sec-Fetch-Site`; browsers send it to https and loopback addresses only. */
  fetchSite: string | null
  host: string | null
}

/**
 * Why a request that may change something is refused, or null. Cookies come along with requests that other sites
 * make, so a page of ours must be seen to be behind it: by `Origin`, which no page can set, or by `Sec-Fetch-Site`
 * where a browser leaves `Origin` out. Whoever sends neither is no browser, and has to name the origin.
 */
function crossSiteRefusal(from: RequestOrigin, address: PublicAddress): Fault | null {
  const isOwnSite = from.fetchSite === 'same-origin' || from.fetchSite === 'none'
  const isAllowed =
    from.origin === null ? isOwnSite : isOwnOrigin(from, address) && (from.fetchSite === null || isOwnSite)
  if (isAllowed) return null
  return fault(
    'forbidden',
    `Only pages of ${address.origin} may ask for this, with its address in Origin; ` +
      'an operator whose installation has another address sets GATEHOUSE_PUBLIC_URL',
  )
}

/**
 * Where no address was configured and the server listens on all, a page is its own whose origin is the very host that
 * the request went to, as long as that is an IP address or a name of this machine. Any other name could belong to
 * somebody who lets it point here (DNS rebinding): then page and host agree, and neither is ours.
 */
function isOwnOrigin(
  { origin, host }: Pick<RequestOrigin, 'origin' | 'host'>,
  { origins, machineNames }: PublicAddress,
): boolean {
  if (origin === null) return false
  if (origins.includes(origin)) return true
  if (machineNames === null || host === null || origin !== `http://${host}`) return false
  const name = URL.parse(origin)?.hostname ?? ''
  return machineNames.includes(name) || ipaddr.isValid(name.replace(/^\[|\]$/g, ''))
}

const originOf = ({ headers }: Request): RequestOrigin => ({
  origin: headers.get('origin'),
  fetchSite: headers.get('sec-fetch-site'),
  host: headers.get('host'),
})

/** Throws `forbidden`. */
export function requireSameSite(request: Request, address: PublicAddress): void {
  const refused = crossSiteRefusal(originOf(request), address)
  if (refused !== null) throw refused
}

/** Under which of its own origins the installation was asked. */
export function ownOriginOf(request: Request, address: PublicAddress): string {
  const from = originOf(request)
  return from.origin !== null && isOwnOrigin(from, address) ? from.origin : address.origin
}
