import type { Decision } from '../../../shared/health.ts'
import type { LinkedHealth } from '../../../shared/registry.ts'
import type { RegistryRow } from '../expand.ts'
import type { RegistryIndex } from '../index/registry-index.ts'

/** The monitored services that entries are linked to, and their decisions. */
export interface EntryHealth {
  /** Whether any entry is linked. */
  isAny(): boolean
  /** Returns the id of the monitored service that an entry is linked to, or null. */
  linked(entry: number): string | null
  decisionOf(serviceId: string): Decision
}

/** Reads the fields of entries that results show. */
export type EntryReader = ReturnType<typeof createEntryReader>

export function createEntryReader(index: RegistryIndex, health: EntryHealth) {
  const { snapshot, rows, serviceIds, rowOfEntry, networkOfEntry } = index

  return {
    chainOf: (entry: number): string => snapshot.networks[networkOfEntry[entry] ?? 0] ?? '',

    at(entry: number): { row: RegistryRow; serviceId: string } {
      const number = rowOfEntry[entry] ?? 0
      const row = rows[number]
      if (row === undefined) throw new TypeError(`there is no entry ${entry}`)
      return { row, serviceId: serviceIds[number] ?? '' }
    },

    /** Returns the health field of an entry, to be spread into a result; it is empty without a linked service. */
    healthOf(entry: number): { health?: LinkedHealth } {
      const serviceId = health.linked(entry)
      return serviceId === null ? {} : { health: { serviceId, decision: health.decisionOf(serviceId) } }
    },

    /** Returns the index of a network in the snapshot, or null for an unknown one. */
    placeOfNetwork(chain: string): number | null {
      const place = snapshot.networks.indexOf(chain)
      return place === -1 ? null : place
    },
  }
}
