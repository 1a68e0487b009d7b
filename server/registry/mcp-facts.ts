import type { McpServerFacts } from '../../shared/registry.ts'
import { openableUrl } from '../../shared/openable-url.ts'
import { mergedText } from './merge.ts'
import type { Listing } from './snapshot.ts'

export const mcpCategory = 'mcpservers'

/**
 * Returns how the MCP server of a row is reached over the network. Returns null for a row of another category, and for a
 * server that its user runs locally (`stdio`).
 */
export function mcpFactsOf(listing: Listing): McpServerFacts | null {
  if (listing.category !== mcpCategory) return null
  const endpoint = mergedText(listing, 'mcpEndpoint')
  const mcpEndpoint = endpoint === null ? null : openableUrl(endpoint)
  const transport = mergedText(listing, 'transportType')?.toLowerCase() ?? 'http'
  if (mcpEndpoint === null || transport === 'stdio') return null
  const authType = mergedText(listing, 'authType') ?? 'None'
  const authRequired = authType.toLowerCase() !== 'none'
  return {
    mcpEndpoint,
    transportType: transport === 'sse' ? 'sse' : 'http',
    authType,
    authRequired,
    credentialKey: mergedText(listing, 'credentialKey') ?? (authRequired ? providerKey(listing) : null),
  }
}

/** Returns the provider's name in a form that a header name can carry: the key of rows that need a credential and name none. */
function providerKey(listing: Listing): string | null {
  const provider = mergedText(listing, 'provider')?.toLowerCase() ?? ''
  return provider.replaceAll(/[^a-z0-9]+/g, '') || null
}
