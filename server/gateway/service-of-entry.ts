import type { AuthType } from '../../shared/connections.ts'
import type { McpServerFacts, RegistryEntry } from '../../shared/registry.ts'
import type { DownstreamService } from '../connections/connections.ts'

/** Returns the tool server that a registry entry describes, or null when the entry is no tool server. */
export function downstreamServiceOf(details: RegistryEntry): DownstreamService | null {
  const { mcp } = details
  if (mcp === null) return null
  const known = services.get(mcp)
  if (known !== undefined) return known
  const service = serviceOf(details, mcp)
  services.set(mcp, service)
  return service
}

/** Memoises the result per registry entry, because every call asks for it. */
const services = new WeakMap<McpServerFacts, DownstreamService>()

function serviceOf(details: RegistryEntry, mcp: McpServerFacts): DownstreamService {
  return {
    serviceId: details.service_id,
    chain: details.chain,
    category: details.category,
    provider: providerOf(details),
    name: details.title,
    url: mcp.mcpEndpoint,
    transport: mcp.transportType,
    authType: authTypeOf(mcp),
    // Names of headers have no case.
    credentialKey: mcp.credentialKey?.toLowerCase() ?? null,
  }
}

const providerOf = ({ snapshot }: RegistryEntry): string | null =>
  typeof snapshot.provider === 'string' ? snapshot.provider : null

/**
 * Maps the registry's free text (`None`, `API Key`, `OAuth/PAT` and occasional variants) to an authentication
 * type.
 */
export function authTypeOf({ authType, authRequired }: McpServerFacts): AuthType {
  if (/oauth|pat\b/i.test(authType)) return 'oauth'
  return authRequired || /key|token|bearer/i.test(authType) ? 'api_key' : 'none'
}
