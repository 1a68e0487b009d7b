import type { Decision } from '../../shared/health.ts'
import type { RegistryHealthLink } from '../../shared/registry.ts'
import type { EntryHealth } from './queries/entry-reader.ts'
import { facetNamed } from './index/facets.ts'
import type { FindChainPlace } from './chain-places.ts'
import { hostOf } from './index/host-index.ts'
import type { RegistryIndex } from './index/registry-index.ts'

/** The services whose health this installation monitors, as the registry needs them. */
export interface MonitoredServiceList {
  /** Returns the services whose decision is public. */
  list(): readonly { readonly id: string; readonly chain: string | null; readonly endpoint: string }[]
  /** Returns a number that changes whenever a service is added, removed or changed. */
  version(): number
  decisionOf(serviceId: string): Decision
}

const testNetwork = 1 << facetNamed('on a test network')

/**
 * Links entries to monitored services: those that the configuration file links, and those one of whose links leads to
 * the host of a service of the same chain. A host serves the test networks of a chain as well, which other nodes run: their
 * rows are linked to services of the test network alone. The links are recomputed when services or the file's links change.
 */
export function createHealthLinks(
  index: RegistryIndex,
  services: MonitoredServiceList,
  placeOf: FindChainPlace,
  linksOfFile: () => readonly RegistryHealthLink[],
): EntryHealth {
  let byEntry = new Map<number, string>()
  let known: { version: number; links: readonly RegistryHealthLink[] } | null = null
  const { snapshot, rowOfEntry, networkOfEntry } = index

  const isOfTestNetwork = (row: number): boolean => ((index.facetsOfRow[row] ?? 0) & testNetwork) !== 0

  /** Returns the rows about a chain of a network, or about the main one, that lead to a host. */
  function rowsAt(host: string, subChain: string | null): readonly number[] {
    const rows = index.rowsOfHost(host)
    if (subChain === null) return rows.filter((row) => !isOfTestNetwork(row))
    const ofSubChain = new Set(index.values.rowsWith('chain', subChain))
    return rows.filter((row) => ofSubChain.has(row))
  }

  function link(links: readonly RegistryHealthLink[]): Map<number, string> {
    const linked = new Map<number, string>()
    const watched = services.list()
    for (const { id, chain, endpoint } of watched) {
      const host = hostOf(endpoint)
      const place = chain === null ? null : placeOf(chain)
      if (host === null || place === null) continue
      const network = snapshot.networks.indexOf(place.network)
      for (const row of rowsAt(host, place.subChain)) {
        const ofId = index.entriesOf(index.serviceIds[row] ?? '')
        const entry = ofId.find((one) => rowOfEntry[one] === row && networkOfEntry[one] === network)
        if (entry !== undefined) linked.set(entry, id)
      }
    }
    for (const { service, service_id: serviceId, chain } of links) {
      const network = snapshot.networks.indexOf(chain)
      const entry = index.entriesOf(serviceId).find((candidate) => networkOfEntry[candidate] === network)
      if (entry !== undefined && watched.some(({ id }) => id === service)) linked.set(entry, service)
    }
    return linked
  }

  function current(): Map<number, string> {
    const now = { version: services.version(), links: linksOfFile() }
    if (known?.version !== now.version || known.links !== now.links) {
      known = now
      byEntry = link(now.links)
    }
    return byEntry
  }

  return {
    isAny: () => current().size > 0,
    linked: (entry) => current().get(entry) ?? null,
    decisionOf: (serviceId) => services.decisionOf(serviceId),
  }
}
