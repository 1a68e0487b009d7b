import type { Decision } from '../../shared/health.ts'
import type { RegistryHealthLink } from '../../shared/registry.ts'
import type { HealthOfEntries } from './answers/entries.ts'
import { hostOf } from './index/host-index.ts'
import type { RowIndex } from './index/row-index.ts'

/** Services whose health is watched here. */
export interface MonitoredServices {
  /** Those of which something is published. */
  list(): readonly { readonly id: string; readonly chain: string | null; readonly endpoint: string }[]
  /** Another one whenever a service came, went or changed. */
  version(): number
  decisionOf(serviceId: string): Decision
}

/**
 * Which entries stand for monitored services: those that the file links, and those one of whose links leads to the host
 * of a service of the same chain. Worked out anew when services or the file's links change.
 */
export function createHealthLinks(
  index: RowIndex,
  services: MonitoredServices,
  linksOfFile: () => readonly RegistryHealthLink[],
): HealthOfEntries {
  let byEntry = new Map<number, string>()
  let known: { version: number; links: readonly RegistryHealthLink[] } | null = null
  const { snapshot, rowOfEntry, networkOfEntry } = index

  function link(links: readonly RegistryHealthLink[]): Map<number, string> {
    const linked = new Map<number, string>()
    const watched = services.list()
    for (const { id, chain, endpoint } of watched) {
      const host = chain === null ? null : hostOf(endpoint)
      if (host === null) continue
      const network = snapshot.networks.indexOf(chain ?? '')
      for (const row of index.rowsOfHost(host)) {
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

  return {
    linked(entry) {
      const now = { version: services.version(), links: linksOfFile() }
      if (known?.version !== now.version || known.links !== now.links) {
        known = now
        byEntry = link(now.links)
      }
      return byEntry.get(entry) ?? null
    },
    decisionOf: (serviceId) => services.decisionOf(serviceId),
  }
}
