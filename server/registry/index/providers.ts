import { mergedCell } from '../merge.ts'
import type { Listing, Row } from '../snapshot.ts'

/** What the registry says of a listing's provider; null: nothing. */
export type FindProvider = (listing: Listing) => Row | null

/** Rows name their provider as people write it, sometimes by its slug, in either case. */
export function providersByName(providers: readonly Row[]): FindProvider {
  const byName = new Map<string, Row>()
  for (const provider of providers) byName.set(provider.slug.toLowerCase(), provider)
  for (const provider of providers) {
    const name = provider.cells.get('name')
    if (typeof name === 'string') byName.set(name.toLowerCase(), provider)
  }
  return (listing) => {
    const named = mergedCell(listing, 'provider')
    return typeof named === 'string' ? (byName.get(named.toLowerCase()) ?? null) : null
  }
}
