import type { RegistryAnswer, RegistryEntry } from '../../../shared/registry.ts'
import { linksOf } from '../actions.ts'
import type { RowIndex } from '../index/row-index.ts'
import { lineOf } from '../lines.ts'
import { mcpFactsOf } from '../mcp-facts.ts'
import { mergeRow, rowCells } from '../merge.ts'
import { answered, unknownName } from '../search/refusal.ts'
import type { Entries } from './entries.ts'

/** Which of several rows of one id is meant. */
export interface ServiceQuestion {
  readonly serviceId: string
  /** The chain that was asked for: refused when the id does not stand on it. */
  readonly chain?: string | undefined
  /** For instance that of the latest search: taken when the id stands on it. Else the alphabetically first is. */
  readonly preferredChain?: string | undefined
}

/** Tool servers are looked up with each call to them, and few are called at a time. About 2 kB each. */
const maxRemembered = 500

export function createFindService(index: RowIndex, entries: Entries) {
  const { snapshot, categories, categoryOfRow, serviceIds } = index

  const remembered = new Map<number, RegistryEntry>()

  /** What does not change as long as this registry is in force. */
  function lastingOf(entry: number, chains: readonly string[]): RegistryEntry {
    const known = remembered.get(entry)
    if (known !== undefined) return known
    const made = lastingDetailsOf(entry, chains)
    remembered.set(entry, made)
    if (remembered.size > maxRemembered) remembered.delete(remembered.keys().next().value ?? entry)
    return made
  }

  function lastingDetailsOf(entry: number, chains: readonly string[]): RegistryEntry {
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
      title: lineOf(row, index.providerOf).title,
      snapshot: cells,
      providerMeta: provider === null ? null : rowCells(provider),
      links: linksOf(cells),
      mcp: mcpFactsOf(row.listing),
    }
  }

  function unknownService(serviceId: string): RegistryAnswer<never> {
    const [category = ''] = serviceId.split(':')
    if (!categories.includes(category))
      return unknownName('unknown_category', 'category', category, categories)
    const ofCategory = serviceIds.filter((_, row) => categories[categoryOfRow[row] ?? 0] === category)
    return unknownName('unknown_service', 'service', serviceId, [...new Set(ofCategory)])
  }

  return ({ serviceId, chain, preferredChain }: ServiceQuestion): RegistryAnswer<RegistryEntry> => {
    const found = index.entriesOf(serviceId)
    if (found.length === 0) return unknownService(serviceId)
    const chains = found.map(entries.chainOf)
    if (chain !== undefined && !chains.includes(chain)) {
      if (entries.placeOfNetwork(chain) === null) {
        return unknownName('unknown_chain', 'chain', chain, snapshot.networks)
      }
      return unknownName('unknown_service', `${serviceId} on the chain`, chain, chains)
    }
    const wanted = chains.indexOf(chain ?? preferredChain ?? '')
    const entry = found[Math.max(0, wanted)] ?? 0
    return answered({ ...lastingOf(entry, chains), ...entries.healthOf(entry) })
  }
}
