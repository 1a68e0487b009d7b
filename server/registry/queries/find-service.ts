import type { McpServerFacts, RegistryAnswer, RegistryEntry } from '../../../shared/registry.ts'
import { createFindCredentialKey } from '../credential-keys.ts'
import type { Listing } from '../snapshot.ts'
import { linksOf } from '../row-links.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import { toListItem } from '../list-item.ts'
import { mcpFactsOf } from '../mcp-facts.ts'
import { mergeRow, rowCells } from '../merge.ts'
import { unknownName } from '../search/refusal.ts'
import type { EntryReader } from './entry-reader.ts'
import { RecentMap } from '../../platform/recent-map.ts'

/** Identifies one entry among those of a service id. */
export interface ServiceLookup {
  readonly serviceId: string
  /** A chain that the service must be on; otherwise the lookup is refused. */
  readonly chain?: string | undefined
  /** A chain to prefer, such as that of the latest search. Without a match the alphabetically first chain is taken. */
  readonly preferredChain?: string | undefined
}

/** Bounds the cache of details. Each tool call looks its server up, and few servers are called at a time. About 2 kB each. */
const maxCached = 500

/** `chainKey` is asked for a chain on which the service is not, as it was written. */
export function createFindService(
  index: RegistryIndex,
  entries: EntryReader,
  chainKey: (written: string) => string,
) {
  const { snapshot, categories, categoryOfRow, serviceIds, rows } = index
  const credentialKeyOf = createFindCredentialKey(() => new Set(rows.map(({ listing }) => listing)))

  const cache = new RecentMap<number, RegistryEntry>(maxCached)

  /** Returns the details that do not change as long as this registry is active. */
  function detailsOf(entry: number, chains: readonly string[]): RegistryEntry {
    const known = cache.get(entry)
    if (known !== undefined) return known
    const made = buildDetails(entry, chains)
    cache.set(entry, made)
    return made
  }

  function mcpOf(listing: Listing): McpServerFacts | null {
    const facts = mcpFactsOf(listing)
    return facts === null ? null : { ...facts, credentialKey: credentialKeyOf(listing, facts) }
  }

  function buildDetails(entry: number, chains: readonly string[]): RegistryEntry {
    const { row, serviceId } = entries.at(entry)
    const chain = entries.chainOf(entry)
    const cells = mergeRow(row.listing, row)
    const provider = index.providerOf(row.listing)
    return {
      service_id: serviceId,
      chain,
      other_chains: chains.filter((other) => other !== chain),
      category: row.listing.category,
      slug: row.slug,
      title: toListItem(row, index.providerOf).title,
      snapshot: cells,
      providerMeta: provider === null ? null : rowCells(provider),
      links: linksOf(cells),
      mcp: mcpOf(row.listing),
    }
  }

  function unknownService(serviceId: string): RegistryAnswer<never> {
    const [category = ''] = serviceId.split(':')
    if (!categories.includes(category))
      return unknownName('unknown_category', 'category', category, categories)
    const ofCategory = serviceIds.filter((_, row) => categories[categoryOfRow[row] ?? 0] === category)
    return unknownName('unknown_service', 'service', serviceId, [...new Set(ofCategory)])
  }

  return ({ serviceId, chain: written, preferredChain }: ServiceLookup): RegistryAnswer<RegistryEntry> => {
    const found = index.entriesOf(serviceId)
    if (found.length === 0) return unknownService(serviceId)
    const chains = found.map(entries.chainOf)
    const chain = written === undefined || chains.includes(written) ? written : chainKey(written)
    if (chain !== undefined && !chains.includes(chain)) {
      if (entries.placeOfNetwork(chain) === null) {
        return unknownName('unknown_chain', 'chain', chain, snapshot.networks)
      }
      return unknownName('unknown_service', `${serviceId} on the chain`, chain, chains)
    }
    const wanted = chains.indexOf(chain ?? preferredChain ?? '')
    const entry = found[Math.max(0, wanted)] ?? 0
    return { ok: true, value: { ...detailsOf(entry, chains), ...entries.healthOf(entry) } }
  }
}
