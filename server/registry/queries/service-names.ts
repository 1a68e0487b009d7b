import type { RegistryIndex } from '../index/registry-index.ts'
import { type RegistryListItem, toListName } from '../list-item.ts'

/** What a service is called. One that has other titles on other networks, or parts of them, has several. */
export interface ServiceName extends Pick<RegistryListItem, 'title' | 'provider'> {
  readonly serviceId: string
  readonly category: string
  /** A network on which it is called so. */
  readonly chain: string
}

/** Creates the function that returns the names of all services, each once: the same list as long as the index lives. */
export function createServiceNames(index: RegistryIndex): () => readonly ServiceName[] {
  let names: readonly ServiceName[] | null = null
  return () => (names ??= namesIn(index))
}

function namesIn({ rows, serviceIds, snapshot, entriesOfNetwork }: RegistryIndex): ServiceName[] {
  const size = (network: number): number => entriesOfNetwork[network]?.length ?? 0
  const names = new Map<string, ServiceName>()
  for (const [number, row] of rows.entries()) {
    const serviceId = serviceIds[number] ?? ''
    const { title, provider } = toListName(row)
    const key = `${serviceId} ${title}`
    // Of the networks of a row, the one on which there is most is the one that people mean.
    const [network] = row.networks.toSorted((one, other) => size(other) - size(one))
    if (network === undefined || names.has(key)) continue
    const chain = snapshot.networks[network] ?? ''
    names.set(key, { serviceId, title, provider, category: row.listing.category, chain })
  }
  return [...names.values()]
}
