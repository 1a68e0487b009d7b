import type { ListingCopy } from './merge.ts'
import type { Listing, RegistrySnapshot } from './snapshot.ts'

/** A listing, or a copy of one, with the networks on which it is offered. Searches return these rows. */
export interface RegistryRow extends ListingCopy {
  readonly listing: Listing
  /** Indexes into the snapshot's networks, ascending. */
  readonly networks: readonly number[]
}

/** Categories whose listings for all networks are copied once for each sub-chain (mainnet, sepolia, …) of a network. */
const chainAware: ReadonlySet<string> = new Set(['apis', 'analytics'])

/**
 * Returns all rows: listings of single networks, then copies of those for all networks. An id occurs once on a network,
 * and the network's own listing takes precedence; `onDuplicate` is called for each listing that gives way.
 */
export function expandRows(
  { networks, listings }: RegistrySnapshot,
  onDuplicate: (listing: Listing, network: string) => void,
): RegistryRow[] {
  const placeOf = new Map(networks.map((network, place) => [network, place]))
  const subChains = subChainsOf(listings)
  const everywhere = networks.map((_, place) => place)
  const taken = new Set<string>()

  const claim = (listing: Listing, slug: string, places: readonly number[]): number[] =>
    places.filter((place) => {
      const key = `${place}:${listing.category}:${slug}`
      if (taken.has(key)) onDuplicate(listing, networks[place] ?? '')
      return !taken.has(key) && taken.add(key)
    })

  const copiesOf = ({
    slug,
    network,
    category,
  }: Listing): (ListingCopy & { places: readonly number[] })[] => {
    if (network !== null) return [{ slug, subChain: null, places: [placeOf.get(network) ?? 0] }]
    if (!chainAware.has(category)) return [{ slug, subChain: null, places: everywhere }]
    return subChains.names.map((subChain) => ({
      slug: `${slug}-${subChain}`,
      subChain,
      places: everywhere.filter((place) => subChains.of(networks[place] ?? '').has(subChain)),
    }))
  }

  const own = listings.filter(({ network }) => network !== null)
  const shared = listings.filter(({ network }) => network === null)
  return [...own, ...shared].flatMap((listing) =>
    copiesOf(listing).flatMap(({ slug, subChain, places }): RegistryRow[] => {
      const free = claim(listing, slug, places)
      return free.length === 0 ? [] : [{ listing, slug, subChain, networks: free }]
    }),
  )
}

/** Returns how many rows `expandRows` would make at most. It is cheap, so that the limit is checked before any is made. */
export function countExpandedRows({ networks, listings }: RegistrySnapshot): number {
  const subChains = subChainsOf(listings)
  const copies = networks.reduce((sum, network) => sum + subChains.of(network).size, 0)
  return listings.reduce((sum, { network, category }) => {
    if (network !== null) return sum + 1
    return sum + (chainAware.has(category) ? copies : networks.length)
  }, 0)
}

/** Collects the distinct sub-chains that the listings of each network name, in any category. */
function subChainsOf(listings: readonly Listing[]) {
  const byNetwork = new Map<string, Set<string>>()
  for (const { network, cells } of listings) {
    const chain = cells.get('chain')
    if (network === null || typeof chain !== 'string') continue
    const known = byNetwork.get(network)
    if (known) known.add(chain)
    else byNetwork.set(network, new Set([chain]))
  }
  const none: ReadonlySet<string> = new Set()
  return {
    names: [...new Set([...byNetwork.values()].flatMap((names) => [...names]))].toSorted(),
    of: (network: string): ReadonlySet<string> => byNetwork.get(network) ?? none,
  }
}
