import type {
  CategoryName,
  DiscoverCategoriesOutput,
  DiscoverNetworksOutput,
  ListedMcpServer,
  RegistryAnswer,
} from '../../../shared/registry.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import { toListItem } from '../list-item.ts'
import { mcpFactsOf } from '../mcp-facts.ts'
import { mergedCell } from '../merge.ts'
import { answered, unknownName } from '../search/refusal.ts'
import type { EntryReader } from './entry-reader.ts'

const sampleCount = 5

/** Creates the queries that list networks, categories and MCP servers. */
export function createDiscovery(
  index: RegistryIndex,
  entries: EntryReader,
  nameOf: (network: string) => string,
) {
  const { snapshot, rowOfEntry, categoryOfRow, categories, entriesOfNetwork } = index

  return {
    networks: (): DiscoverNetworksOutput => ({
      networks: snapshot.networks.map((chain, place) => ({
        chain,
        name: nameOf(chain),
        services: entriesOfNetwork[place]?.length ?? 0,
      })),
      total: snapshot.networks.length,
    }),

    categories(chain: string): RegistryAnswer<DiscoverCategoriesOutput> {
      const network = entries.placeOfNetwork(chain)
      if (network === null)
        return unknownName('unknown_chain', 'chain', chain, snapshot.networks, [['chain']])
      const found = categories.map(() => ({ services: 0, providers: new Set<string>() }))
      for (const entry of entriesOfNetwork[network] ?? []) {
        const ofCategory = found[categoryOfRow[rowOfEntry[entry] ?? 0] ?? 0]
        if (ofCategory === undefined) continue
        ofCategory.services++
        if (ofCategory.providers.size === sampleCount) continue
        const provider = mergedCell(entries.at(entry).row.listing, 'provider')
        if (typeof provider === 'string') ofCategory.providers.add(provider)
      }
      return answered({
        chain,
        categories: categories.flatMap((category, place) => {
          const { services, providers } = found[place] ?? { services: 0, providers: [] }
          if (services === 0) return []
          const label = snapshot.categories.get(category)?.label ?? category
          return [{ category, label, services, sample_providers: [...providers] }]
        }),
      })
    },

    allCategories: (): CategoryName[] =>
      categories.map((category) => ({
        category,
        label: snapshot.categories.get(category)?.label ?? category,
      })),

    /** Returns the MCP servers of one chain or of all that are reached over the network, each once. */
    mcpServers(chain: string | undefined): RegistryAnswer<ListedMcpServer[]> {
      const network = chain === undefined ? null : entries.placeOfNetwork(chain)
      if (chain !== undefined && network === null) {
        return unknownName('unknown_chain', 'chain', chain, snapshot.networks)
      }
      const servers = new Map<string, ListedMcpServer>()
      const listed = network === null ? rowOfEntry.keys() : (entriesOfNetwork[network] ?? [])
      for (const entry of listed) {
        const { row, serviceId } = entries.at(entry)
        const facts = mcpFactsOf(row.listing)
        if (facts === null) continue
        const known = servers.get(serviceId)
        if (known) {
          known.chains.push(entries.chainOf(entry))
          continue
        }
        const { provider, title, summary } = toListItem(row, index.providerOf)
        const chains = [entries.chainOf(entry)]
        servers.set(serviceId, { service_id: serviceId, chains, provider, title, summary, ...facts })
      }
      return answered([...servers.values()])
    },
  }
}
