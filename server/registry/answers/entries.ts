import type { Decision } from '../../../shared/health.ts'
import type { LinkedHealth } from '../../../shared/registry.ts'
import type { RegistryRow } from '../expand.ts'
import type { RowIndex } from '../index/row-index.ts'

/** Decisions about the monitored services that entries are linked to. */
export interface HealthOfEntries {
  /** Null: no monitored service is linked to it. */
  linked(entry: number): string | null
  decisionOf(serviceId: string): Decision
}

/** Entries of an index, as answers show them. */
export type Entries = ReturnType<typeof createEntries>

export function createEntries(index: RowIndex, health: HealthOfEntries) {
  const { snapshot, rows, serviceIds, rowOfEntry, networkOfEntry } = index

  return {
    chainOf: (entry: number): string => snapshot.networks[networkOfEntry[entry] ?? 0] ?? '',

    at(entry: number): { row: RegistryRow; serviceId: string } {
      const number = rowOfEntry[entry] ?? 0
      const row = rows[number]
      if (row === undefined) throw new TypeError(`there is no entry ${entry}`)
      return { row, serviceId: serviceIds[number] ?? '' }
    },

    /** To be spread into an answer. */
    healthOf(entry: number): { health?: LinkedHealth } {
      const serviceId = health.linked(entry)
      return serviceId === null ? {} : { health: { serviceId, decision: health.decisionOf(serviceId) } }
    },

    /** Null: there is no such network. */
    placeOfNetwork(chain: string): number | null {
      const place = snapshot.networks.indexOf(chain)
      return place === -1 ? null : place
    },
  }
}
