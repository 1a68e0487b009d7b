import { mergedCell } from '../merge.ts'
import type { Listing, SourceRow } from '../snapshot.ts'

/** Returns the provider row of a listing, or null when the registry has none. */
export type FindProvider = (listing: Listing) => SourceRow | null

/** Finds providers by name or slug without regard to case, because rows use either. */
export function providersByName(providers: readonly SourceRow[]): FindProvider {
  const byName = new Map<string, SourceRow>()
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
