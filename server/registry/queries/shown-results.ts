import { searchLimits } from '../../../shared/registry.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import { toListItem } from '../list-item.ts'
import { mcpFactsOf } from '../mcp-facts.ts'
import type { EntryReader } from './entry-reader.ts'
import type { ResultNetworks } from './result-networks.ts'

/** About 1 kB each. */
const mostShown = 8_192

/** Creates the function that returns what the result of an entry has whatever was asked. */
export function createShownOf(
  index: Pick<RegistryIndex, 'providerOf'>,
  entries: EntryReader,
  networksOf: ResultNetworks,
) {
  /** Making it takes longer than finding it, and results are found again and again. */
  function makeShown(entry: number, isFolded: boolean) {
    const { row, serviceId } = entries.at(entry)
    const chain = entries.chainOf(entry)
    const networks = networksOf.of(serviceId, chain)
    const plans = isFolded ? networksOf.otherPlans(entry, searchLimits.plans) : []
    return {
      item: {
        service_id: serviceId,
        chain,
        category: row.listing.category,
        ...toListItem(row, index.providerOf),
      },
      standing: {
        networks: networks.slice(0, searchLimits.networks),
        ...(networks.length > searchLimits.networks && { network_count: networks.length }),
        ...(plans.length > 0 && { plans }),
      },
      execute_hint: {
        operation: mcpFactsOf(row.listing) === null ? 'get_details' : 'connect_mcp',
        service_id: serviceId,
        arguments: { chain },
      },
    } as const
  }

  const shownEntries = new Map<number, ReturnType<typeof makeShown>>()

  return (entry: number, isFolded: boolean) => {
    const key = entry * 2 + Number(isFolded)
    const known = shownEntries.get(key)
    if (known !== undefined) return known
    if (shownEntries.size >= mostShown) shownEntries.clear()
    const shown = makeShown(entry, isFolded)
    shownEntries.set(key, shown)
    return shown
  }
}
