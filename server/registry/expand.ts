import type { Copy } from './merge.ts'
import type { Listing, Snapshot } from './snapshot.ts'

/** What an agent finds: a listing, or a copy of one, with the networks on which it stands. */
export interface RegistryRow extends Copy {
  readonly listing: Listing
  /** Places in the snapshot's networks, ascending. */
  readonly networks: readonly number[]
}

/** Categories whose listings for all networks stand once on each sub-chain (mainnet, sepolia, …) of a network. */
const chainAware: ReadonlySet<string> = new Set(['apis', 'analytics'])

/**
 * All rows: those of single networks, and the copies of those that stand on all. An id stands once on a network, and
 * what a network says itself comes first; `onTaken` hears of the others.
 */
export function expandRows(
  { networks, listings }: Snapshot,
  onTaken: (listing: Listing, network: string) => void,
): RegistryRow[] {
  const placeOf = new Map(networks.map((network, place) => [network, place]))
  const subChains = subChainsOf(listings)
  const everywhere = networks.map((_, place) => place)
  const taken = new Set<string>()

  const claim = (listing: Listing, slug: string, places: readonly number[]): number[] =>
    places.filter((place) => {
      const key = `${place}:${listing.category}:${slug}`
      if (taken.has(key)) onTaken(listing, networks[place] ?? '')
      return !taken.has(key) && taken.add(key)
    })

  const copiesOf = ({ slug, network, category }: Listing): (Copy & { places: readonly number[] })[] => {
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
      const claimed = claim(listing, slug, places)
      return claimed.length === 0 ? [] : [{ listing, slug, subChain, networks: claimed }]
    }),
  )
}

/** How many rows `expandRows` would make, network by network; cheap enough to ask first. */
export function countRows({ networks, listings }: Snapshot): number {
  const subChains = subChainsOf(listings)
  const copies = networks.reduce((sum, network) => sum + subChains.of(network).size, 0)
  return listings.reduce((sum, { network, category }) => {
    if (network !== null) return sum + 1
    return sum + (chainAware.has(category) ? copies : networks.length)
  }, 0)
}

/** The distinct sub-chains that the own rows of a network name, in any category. */
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
