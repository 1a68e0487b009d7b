import type { ServiceSettings } from '../../../shared/health-services.ts'
import { defaultPolicy } from '../decide/policy.ts'
import type { FindChain, Service } from './service.ts'

/** Returns what an operator may read of a service again: everything that cannot be a credential. */
export function settingsOf(service: Service, findChain: FindChain): ServiceSettings {
  const {
    id,
    name,
    family,
    chain,
    provider,
    labels,
    objective,
    managedBy,
    endpoint,
    ws,
    headers,
    ca,
    rule,
    capabilities,
    overrides,
  } = service
  const policyChain = chain === null ? null : (findChain(chain) ?? null)
  return {
    id,
    name,
    family,
    chain,
    provider,
    labels,
    objective,
    managedBy,
    endpointOrigin: new URL(endpoint).origin,
    webSocketOrigin: ws === null ? null : originOf(ws),
    headerNames: Object.keys(headers),
    hasCa: ca !== null,
    rule,
    capabilities,
    policy: overrides,
    defaultPolicy: defaultPolicy(policyChain, family, overrides.intervalMs),
  }
}

/** `URL.origin` is opaque for schemes that a browser cannot fetch. */
function originOf(address: string): string {
  const { protocol, host } = new URL(address)
  return `${protocol}//${host}`
}
