import { createHash } from 'node:crypto'

import type { Chain } from '../../shared/chains.ts'
import type { UpstreamSpec } from '../../shared/endpoints.ts'
import { withoutCredentials } from '../platform/address-credentials.ts'
import { isOnSameHost } from '../platform/same-host.ts'
import { type KnownService, whyUnfit } from './check.ts'
import type { Upstream } from './endpoint.ts'

/** An upstream that is used, or why it is not at present. */
export type ResolvedUpstream =
  | { readonly kind: 'in'; readonly spec: UpstreamSpec; readonly upstream: Upstream }
  | { readonly kind: 'out'; readonly spec: UpstreamSpec; readonly id: string; readonly why: string }

/** Resolves upstreams from the services that they name. A service that does not fit takes only its upstream out of use. */
export function resolveUpstreams(
  specs: readonly UpstreamSpec[],
  chain: Pick<Chain, 'key' | 'family'>,
  findService: (id: string) => KnownService | undefined,
  isRest = false,
): ResolvedUpstream[] {
  const ids = upstreamIds(specs)
  const identities = upstreamIdentities(specs)
  return specs.map((spec, index) => {
    const id = ids[index] ?? ''
    const own = { id, identity: identities[index] ?? '' }
    if (spec.url !== undefined)
      return { kind: 'in', spec, upstream: upstreamOf(own, spec, spec.url, spec.headers) }
    const service = findService(id)
    if (service === undefined) return { kind: 'out', spec, id, why: `the service ${id} is not registered` }
    const why = whyUnfit(service, chain, isRest)
    if (why !== null) return { kind: 'out', spec, id, why }
    return { kind: 'in', spec, upstream: upstreamOf(own, spec, service.endpoint, service.headers) }
  })
}

/** Returns an id for each upstream: that of its service, or one made of its position. */
export function upstreamIds(specs: readonly UpstreamSpec[]): string[] {
  const services = new Set(specs.map(({ service }) => service))
  return specs.map(({ service }, index) => {
    const byPlace = `upstream-${index + 1}`
    return service ?? (services.has(byPlace) ? `${byPlace}-address` : byPlace)
  })
}

/**
 * Returns what each upstream is known by when it changes its place. Credentials are no part of it: of several with the same
 * address the first is the first.
 */
function upstreamIdentities(specs: readonly UpstreamSpec[]): string[] {
  const seen = new Map<string, number>()
  return specs.map(({ service, url }) => {
    const identity = service ?? hashOf(withoutCredentials(url ?? '').url)
    const before = seen.get(identity) ?? 0
    seen.set(identity, before + 1)
    return before === 0 ? identity : `${identity}.${before + 1}`
  })
}

const hashOf = (address: string): string =>
  `address:${createHash('sha256').update(address).digest('base64url').slice(0, 22)}`

function upstreamOf(
  { id, identity }: Pick<Upstream, 'id' | 'identity'>,
  { service, ws, weight, tier = 0, budget, compression }: UpstreamSpec,
  address: string,
  given: Readonly<Record<string, string>> = {},
): Upstream {
  const { url, authorization } = withoutCredentials(address)
  const headers: Record<string, string> = authorization === null ? {} : { authorization }
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value
  return {
    id,
    identity,
    url,
    webSocketUrl: webSocketUrlOf(url, ws, service),
    headers,
    weight,
    tier,
    budget: budget ?? null,
    // Without TLS it is a node near by, where the way of an answer costs less than its compression.
    compression: compression ?? url.startsWith('https:'),
    serviceId: service ?? null,
  }
}

/** Returns null when the service has moved to another host: its headers must not be sent to the old one. */
function webSocketUrlOf(url: string, ws: string | undefined, service: string | undefined): string | null {
  if (ws === undefined) return url.replace(/^http/, 'ws')
  return service === undefined || isOnSameHost(ws, url) ? ws : null
}
