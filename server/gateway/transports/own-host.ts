import ipaddr from 'ipaddr.js'

import type { PublicAddress } from '../../http/public-address.ts'
import { type Fault, fault } from '../../platform/fault.ts'

/**
 * Why a request may have been made by a page of another site, or null (CVE-2025-66414). A page whose name its owner
 * lets point here (DNS rebinding) shows it in `Host`; any other foreign page shows it in `Origin`. An IP address in
 * `Host` is nobody's name, and cannot be made to point elsewhere.
 */
export function foreignPageRefusal(headers: Headers, address: PublicAddress): Fault | null {
  const host = headers.get('host')
  if (host === null || !isOwnHost(host, address)) {
    return fault(
      'forbidden',
      `The gateway is not reached by this Host: use ${address.origin}; an operator whose installation has another address sets GATEHOUSE_PUBLIC_URL`,
    )
  }
  const origin = headers.get('origin')
  if (origin === null || address.origins.includes(origin) || isOfHost(origin, host)) return null
  return fault('forbidden', `Pages of other sites may not call the gateway; its own address is ${address.origin}`)
}

function isOwnHost(host: string, { origins, machineNames }: PublicAddress): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  if (name === 'localhost' || ipaddr.isValid(name.replace(/^\[|\]$/g, ''))) return true
  if (machineNames !== null && machineNames.includes(name)) return true
  return origins.some((origin) => new URL(origin).hostname === name)
}

const isOfHost = (origin: string, host: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}`
