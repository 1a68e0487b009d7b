import ipaddr from 'ipaddr.js'

import { type Fault, fault } from '../platform/fault.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'

/** Decides which `Host` headers name this installation. */
export interface OwnHosts {
  /** Why a request to this `Host` is refused, or null. */
  refusal(host: string | null): Fault | null
}

interface OwnHostsOptions {
  /** Where browsers reach this installation. Asked at the first request, as a free port is known late. */
  readonly address: () => PublicAddress
  /** Where the server listens; another place than `address` behind a proxy. */
  readonly listening: () => PublicAddress
  /** Further host names that the operator allows. */
  readonly allowed: readonly string[]
}

/** An installation has a few names, each with and without its port. */
const mostRemembered = 256

/**
 * A page of another site can make its own name point to this installation (DNS rebinding, CVE-2025-66414); the browser
 * then takes our answers for the page's own, and lets it read whatever is shown to anybody. Such a request bears the
 * page's name in `Host`. An IP address in `Host` is nobody's name, and cannot be made to point elsewhere, so all of them
 * are accepted: probes of orchestrators and load balancers go to one. A request without `Host` is not of a browser.
 */
export function createOwnHosts({ address, listening, allowed }: OwnHostsOptions): OwnHosts {
  let names: ReadonlySet<string> | null = null
  /** Headers as they were sent, so that nearly every request costs one look-up. */
  const accepted = new Set<string>()

  function ownNames(): ReadonlySet<string> {
    const places = [address(), listening()]
    return new Set([
      'localhost',
      ...places.flatMap(({ origins }) => origins.map((origin) => new URL(origin).hostname)),
      ...places.flatMap(({ machineNames }) => machineNames ?? []),
      ...allowed.map((name) => name.toLowerCase()),
    ])
  }

  return {
    refusal(host) {
      if (host === null || accepted.has(host)) return null
      names ??= ownNames()
      const name = host.replace(/:\d+$/, '').toLowerCase()
      if (!names.has(name) && !ipaddr.isValid(name.replace(/^\[|\]$/g, '')))
        return foreignHost(address().origin)
      if (accepted.size < mostRemembered) accepted.add(host)
      return null
    },
  }
}

const foreignHost = (origin: string): Fault =>
  fault(
    'forbidden',
    `Nothing is answered under this Host: use ${origin}; an operator whose installation has another name ` +
      'sets GATEHOUSE_PUBLIC_URL, or adds the name to GATEHOUSE_ALLOWED_HOSTS',
  )
