import ipaddr from 'ipaddr.js'

import type { PublicAddress } from '../../http/public-address.ts'
import { type Fault, fault } from '../../platform/fault.ts'

/** What the guard knows of this installation; made once. */
export interface OwnHosts {
  readonly address: PublicAddress
  readonly names: ReadonlySet<string>
}

export const ownHosts = (address: PublicAddress): OwnHosts => ({
  address,
  names: new Set([
    'localhost',
    ...address.origins.map((origin) => new URL(origin).hostname),
    ...(address.machineNames ?? []),
  ]),
})

/**
 * Why a request may have been made by a page of another site, or null (CVE-2025-66414). A page whose name its owner
 * lets point here (DNS rebinding) shows it in `Host`; any other foreign page shows it in `Origin`. An IP address in
 * `Host` is nobody's name, and cannot be made to point elsewhere.
 */
export function foreignPageRefusal(headers: Headers, { address, names }: OwnHosts): Fault | null {
  const host = headers.get('host') ?? ''
  const name = host.replace(/:\d+$/, '').toLowerCase()
  if (!names.has(name) && !ipaddr.isValid(name.replace(/^\[|\]$/g, ''))) {
    return fault(
      'forbidden',
      `The gateway is not routed by this Host: use ${address.origin}; an operator whose installation has another address sets GATEHOUSE_PUBLIC_URL`,
    )
  }
  const origin = headers.get('origin')
  if (origin === null || address.origins.includes(origin) || isOfHost(origin, host)) return null
  return fault(
    'forbidden',
    `Pages of other sites may not call the gateway; its own address is ${address.origin}`,
  )
}

const isOfHost = (origin: string, host: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}`
