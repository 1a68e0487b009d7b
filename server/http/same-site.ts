import { type Fault, fault } from '../platform/fault.ts'
import type { PublicAddress } from './public-address.ts'

/** What browsers say of where a request comes from: header values. */
interface RequestOrigin {
  origin: string | null
  /** `Sec-Fetch-Site`; browsers send it to https and loopback addresses only. */
  fetchSite: string | null
}

/**
 * Why a request that may change something is refused, or null. Cookies come along with requests that other sites
 * make, so a page of ours must be seen to be behind it: by `Origin`, which no page can set, or by `Sec-Fetch-Site`
 * where a browser leaves `Origin` out. Whoever sends neither is no browser, and has to name the origin.
 */
export function crossSiteRefusal({ origin, fetchSite }: RequestOrigin, address: PublicAddress): Fault | null {
  const isOwnOrigin = origin !== null && address.origins.includes(origin)
  const isOwnSite = fetchSite === 'same-origin' || fetchSite === 'none'
  const isAllowed = origin === null ? isOwnSite : isOwnOrigin && (fetchSite === null || isOwnSite)
  if (isAllowed) return null
  return fault(
    'forbidden',
    `Only pages of ${address.origin} may ask for this, with its address in Origin; ` +
      'an operator whose installation has another address sets GATEHOUSE_PUBLIC_URL',
  )
}

/** Throws `forbidden`. */
export function requireSameSite({ headers }: Request, address: PublicAddress): void {
  const refused = crossSiteRefusal(
    { origin: headers.get('origin'), fetchSite: headers.get('sec-fetch-site') },
    address,
  )
  if (refused !== null) throw refused
}
