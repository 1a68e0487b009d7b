import { hostname } from 'node:os'

import type { Config } from '../config/config.ts'
import { type TrustedProxies, parseTrustedProxies } from '../platform/http/caller.ts'
import { type OwnHosts, createOwnHosts } from '../http/own-hosts.ts'
import { createInstallationAddress } from '../platform/http/public-address.ts'
import { type UnnamedProxies, createUnnamedProxies } from '../http/unnamed-proxies.ts'
import { systemClock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'

/** What the HTTP edge knows of the world around it: under which names it is asked, and by which proxies. */
export interface EdgeParts {
  readonly trustedProxies: TrustedProxies
  readonly ownHosts: OwnHosts
  readonly unnamedProxies: UnnamedProxies
}

/** Creates the address of the installation with what the edge needs of it. */
export function openEdge(config: Config, log: Log) {
  const address = createInstallationAddress(config.publicUrl, hostname())
  const edge: EdgeParts = {
    trustedProxies: parseTrustedProxies(config.trustedProxies),
    ownHosts: createOwnHosts({
      address: address.current,
      listening: address.ofListener,
      allowed: config.allowedHosts,
    }),
    unnamedProxies: createUnnamedProxies({ log, clock: systemClock, named: config.trustedProxies }),
  }
  return { address, edge }
}
