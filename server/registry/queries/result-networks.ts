import type { RegistryIndex } from '../index/registry-index.ts'
import { mergedCell } from '../merge.ts'
import type { ServiceQuery } from '../search/find-services.ts'

export type ResultNetworks = ReturnType<typeof createResultNetworks>

/** Chooses the network that a result is shown on, and lists those that its service stands on. */
export function createResultNetworks(index: RegistryIndex) {
  const { snapshot, rows, rowOfEntry, networkOfEntry, entriesOfNetwork, entryCount } = index
  const entriesByRow: number[][] = rows.map(() => [])
  for (let entry = 0; entry < entryCount; entry++) entriesByRow[rowOfEntry[entry] ?? 0]?.push(entry)
  const rowsOfService = Map.groupBy(rows.keys(), (row) => index.serviceOfRow[row] ?? 0)
  const partOf = (row: number): unknown => {
    const { listing, subChain } = rows[row] ?? {}
    return subChain ?? (listing === undefined ? null : mergedCell(listing, 'chain'))
  }
  const size = (network: number): number => entriesOfNetwork[network]?.length ?? 0
  const bySize = (one: number, other: number): number =>
    size(networkOfEntry[other] ?? 0) - size(networkOfEntry[one] ?? 0)
  // Networks on which there is more are those that people mean.
  for (const [row, entries] of entriesByRow.entries()) entriesByRow[row] = entries.toSorted(bySize)

  const networksOfService = new Map<string, string[]>()
  const networksBySize = (serviceId: string): string[] => {
    const sorted = index.entriesOf(serviceId).toSorted(bySize)
    return [...new Set(sorted.map((entry) => snapshot.networks[networkOfEntry[entry] ?? 0] ?? ''))]
  }

  const entriesOfRow = (row: number, network: number | null): readonly number[] => {
    const all = entriesByRow[row] ?? []
    return network === null ? all : all.filter((entry) => networkOfEntry[entry] === network)
  }

  return {
    /** Returns the entries of a row, of one network or of all; those of the networks with the most services first. */
    entriesOfRow,

    /** Returns the entry of a row on the network that is asked for, in the arguments or else in the words. */
    entryFor(row: number, { network, understood, isHealthyEntry }: ServiceQuery): number {
      const all = entriesOfRow(row, network).filter(
        (entry) => isHealthyEntry === null || isHealthyEntry(entry),
      )
      const named = new Set(
        understood.wishes.flatMap((wish) =>
          wish.kind === 'network' ? [snapshot.networks.indexOf(wish.network)] : [],
        ),
      )
      return all.find((entry) => named.has(networkOfEntry[entry] ?? -1)) ?? all[0] ?? 0
    },

    /** Returns the ids of other plans of the service of an entry, on the same network and the same part of it, at most `most`. */
    otherPlans(entry: number, most: number): string[] {
      const row = rowOfEntry[entry] ?? 0
      const network = networkOfEntry[entry] ?? 0
      const own = index.serviceIds[row] ?? ''
      const part = partOf(row)
      const plans = new Set<string>()
      for (const other of rowsOfService.get(index.serviceOfRow[row] ?? 0) ?? []) {
        if (plans.size === most) break
        const id = index.serviceIds[other] ?? ''
        if (id === own || plans.has(id)) continue
        if (rows[other]?.networks.includes(network) === true && partOf(other) === part) plans.add(id)
      }
      return [...plans]
    },

    /** Returns the networks of a service id, `first` first. */
    of(serviceId: string, first: string): string[] {
      const networks = networksOfService.get(serviceId) ?? networksBySize(serviceId)
      networksOfService.set(serviceId, networks)
      return networks[0] === first ? networks : [first, ...networks.filter((network) => network !== first)]
    },
  }
}
