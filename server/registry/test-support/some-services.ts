import { type RegistryQueries, createRegistryQueries } from '../queries/queries.ts'
import type { EntryHealth } from '../queries/entry-reader.ts'
import { loadContents } from './small-registry.ts'

/** A registry with a bit of everything. */
export const someServices = {
  providers: [
    { slug: 'acme', name: 'Acme Nodes', description: 'Runs nodes in two regions.', website: 'https://acme.example/' },
  ],
  'offers/apis': [
    { slug: 'acme-free', provider: 'Acme Nodes', planType: 'Free', price: '$0', trial: 'FALSE', tag: '["Archive","RPC"]' },
    { slug: 'acme-pro', provider: 'Acme Nodes', planType: 'Tiered', price: '$49/mo', trial: 'TRUE', tag: '["RPC"]' },
    { slug: 'bolt', provider: 'Bolt', planType: 'Enterprise', price: 'Custom', updatedAt: '2026-05-04' },
  ],
  'offers/mcpservers': [
    {
      slug: 'docs-mcp', provider: 'Acme Nodes', description: 'Searches documentation.', authType: 'None',
      mcpEndpoint: 'https://docs.acme.example/mcp', transportType: 'http',
    },
    {
      slug: 'trade-mcp', provider: 'Bolt', mcpEndpoint: 'https://bolt.example/sse', transportType: 'sse',
      authType: 'API Key', credentialKey: 'bolt',
    },
    { slug: 'own-mcp', provider: 'Bolt', transportType: 'stdio', authType: 'None' },
  ],
  'all/apis': [{ slug: 'acme-pro', offer: '!offer:acme-pro' }],
  'all/mcpservers': [{ slug: 'docs-mcp', offer: '!offer:docs-mcp' }],
  'ethereum/apis': [
    { slug: 'acme-free', offer: '!offer:acme-free', chain: 'mainnet', actionButtons: '["[Endpoint](https://eth.acme.example/)"]' },
    { slug: 'bolt', offer: '!offer:bolt', chain: 'sepolia' },
  ],
  'ethereum/mcpservers': [
    { slug: 'trade-mcp', offer: '!offer:trade-mcp' },
    { slug: 'own-mcp', offer: '!offer:own-mcp' },
  ],
  'base/apis': [
    { slug: 'acme-free', offer: '!offer:acme-free', chain: 'mainnet', price: '$5', actionButtons: '["[Endpoint](https://base.acme.example/)"]' },
  ],
} // prettier-ignore

const unlinked: EntryHealth = { isAny: () => false, linked: () => null, decisionOf: () => 'UNKNOWN' }

const names: Readonly<Record<string, string>> = { ethereum: 'Ethereum', base: 'Base' }

export async function answersAbout(
  contents: Parameters<typeof loadContents>[0] = someServices,
  health: EntryHealth = unlinked,
): Promise<RegistryQueries> {
  const { index } = await loadContents(contents)
  return createRegistryQueries(index, (network) => names[network] ?? network, health)
}
