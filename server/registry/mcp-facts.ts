import type { McpServerFacts } from '../../shared/registry.ts'
import { mergedCell } from './merge.ts'
import { openableUrl } from './read/markdown-links.ts'
import type { Listing } from './snapshot.ts'

const mcpCategory = 'mcpservers'

/** How a row's MCP server is reached over the network; null: it is none, or one that its user runs. */
export function mcpFactsOf(listing: Listing): McpServerFacts | null {
  if (listing.category !== mcpCategory) return null
  const endpoint = textOf(listing, 'mcpEndpoint')
  const mcpEndpoint = endpoint === null ? null : openableUrl(endpoint)
  const transport = textOf(listing, 'transportType')?.toLowerCase() ?? 'http'
  if (mcpEndpoint === null || transport === 'stdio') return null
  const authType = textOf(listing, 'authType') ?? 'None'
  const authRequired = authType.toLowerCase() !== 'none'
  return {
    mcpEndpoint,
    transportType: transport === 'sse' ? 'sse' : 'http',
    authType,
    authRequired,
    credentialKey: textOf(listing, 'credentialKey') ?? (authRequired ? providerKey(listing) : null),
  }
}

/** Many rows that need a credential name none: then it is the provider's name, as a header can carry it. */
function providerKey(listing: Listing): string | null {
  const provider = textOf(listing, 'provider')?.toLowerCase() ?? ''
  return provider.replaceAll(/[^a-z0-9]+/g, '') || null
}

function textOf(listing: Listing, column: string): string | null {
  const value = mergedCell(listing, column)
  return typeof value === 'string' ? value : null
}
