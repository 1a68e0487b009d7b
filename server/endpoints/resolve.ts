import type { Chain } from '../../shared/chains.ts'
import type { UpstreamSpec } from '../../shared/endpoints.ts'
import { withoutCredentials } from '../platform/address-credentials.ts'
import { type KnownService, isOnSameHost, whyUnfit } from './check.ts'
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
  return specs.map((spec, index) => {
    const id = ids[index] ?? ''
    if (spec.url !== undefined)
      return { kind: 'in', spec, upstream: upstreamOf(id, spec, spec.url, spec.headers) }
    const service = findService(id)
    if (service === undefined) return { kind: 'out', spec, id, why: `the service ${id} is not registered` }
    const why = whyUnfit(service, chain, isRest)
    if (why !== null) return { kind: 'out', spec, id, why }
    return { kind: 'in', spec, upstream: upstreamOf(id, spec, service.endpoint, service.headers) }
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

function upstreamOf(
  id: string,
  { service, ws, weight, tier = 0, budget }: UpstreamSpec,
  address: string,
  given: Readonly<Record<string, string>> = {},
): Upstream {
  const { url, authorization } = withoutCredentials(address)
  const headers: Record<string, string> = authorization === null ? {} : { authorization }
  for (const [name, value] of Object.entries(given)) headers[name.toLowerCase()] = value
  return {
    id,
    url,
    webSocketUrl: webSocketUrlOf(url, ws, service),
    headers,
    weight,
    tier,
    budget: budget ?? null,
    serviceId: service ?? null,
  }
}

/** Returns null when the service has moved to another host: its headers must not be sent to the old one. */
function webSocketUrlOf(url: string, ws: string | undefined, service: string | undefined): string | null {
  if (ws === undefined) return url.replace(/^http/, 'ws')
  return service === undefined || isOnSameHost(ws, url) ? ws : null
}
