import type { PublicAddress } from '../../http/public-address.ts'
import { type Fault, fault } from '../../platform/fault.ts'

/**
 * Why a request may have been made by a page of another site, or null (CVE-2025-66414): such a page shows in `Origin`.
 * One whose name its owner lets point here (DNS rebinding) shows in `Host`, which the edge has looked at before.
 */
export function foreignPageRefusal(headers: Headers, address: () => PublicAddress): Fault | null {
  const origin = headers.get('origin')
  if (origin === null || isOfHost(origin, headers.get('host') ?? '')) return null
  const own = address()
  if (own.origins.includes(origin)) return null
  return fault('forbidden', `Pages of other sites may not call the gateway; its own address is ${own.origin}`)
}

const isOfHost = (origin: string, host: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}`
