import type { RegistryCounts, RegistryHealthLink, RowProblem } from '../../shared/registry.ts'
import { type RegistryQueries, createRegistryQueries } from './queries/queries.ts'
import { createChainPlaces } from './chain-places.ts'
import { type MonitoredServiceList, createHealthLinks } from './health-links.ts'
import type { LoadedRegistry } from './load.ts'

/** Where the active registry came from. */
export interface RegistryOrigin {
  /** A folder, file name or address as it was given; `built-in` for the product's own registry. */
  readonly source: string
  /** Epoch ms; null for the product's own registry, which is never imported. */
  readonly importedAt: number | null
}

/** One loaded registry with its queries. It is immutable and replaced as a whole. */
export interface ActiveRegistry {
  readonly queries: RegistryQueries
  readonly origin: RegistryOrigin
  readonly version: string
  readonly counts: RegistryCounts
  readonly problems: readonly RowProblem[]
}

interface ActiveRegistryDeps {
  readonly nameOf: (chain: string) => string
  readonly services: MonitoredServiceList
  readonly links: () => readonly RegistryHealthLink[]
}

export function activateRegistry(
  { index, counts, problems }: LoadedRegistry,
  origin: RegistryOrigin,
  { nameOf, services, links }: ActiveRegistryDeps,
): ActiveRegistry {
  const health = createHealthLinks(index, services, createChainPlaces(index, nameOf), links)
  const queries = createRegistryQueries(index, nameOf, health)
  return { queries, origin, version: index.snapshot.version, counts, problems }
}
