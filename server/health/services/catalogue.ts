import type { Policy } from '../../../shared/health.ts'
import type { Service, FindChain } from './service.ts'

/** A service with its slot in the observation table. A slot is reused once its service is removed. */
export interface ListedService {
  readonly service: Service
  readonly slot: number
}

/** All monitored services, in memory. */
export interface Catalogue {
  find(id: string): ListedService | undefined
  at(slot: number): ListedService | undefined
  all(): IterableIterator<ListedService>
  readonly size: number
  /** The number of slots: one more than the highest ever used. */
  readonly slots: number
  /** Changes whenever a service is put or removed. */
  readonly version: number
  /** Adds a service or replaces the one of the same id, which keeps its slot. */
  put(service: Service): ListedService
  remove(id: string): ListedService | undefined
}

export function createCatalogue(): Catalogue {
  const byId = new Map<string, ListedService>()
  const bySlot: (ListedService | undefined)[] = []
  const freeSlots: number[] = []
  /** Policies by their JSON. They are read 20,000 times a second, and one object for all equal ones stays in a fast cache. */
  const policies = new Map<string, Policy>()
  let version = 0

  function withSharedPolicy(service: Service): Service {
    const key = JSON.stringify(service.policy)
    const policy = policies.get(key) ?? service.policy
    policies.set(key, policy)
    return { ...service, policy }
  }

  return {
    find: (id) => byId.get(id),
    at: (slot) => bySlot[slot],
    all: () => byId.values(),
    get size() {
      return byId.size
    },
    get slots() {
      return bySlot.length
    },
    get version() {
      return version
    },
    put(service) {
      const slot = byId.get(service.id)?.slot ?? freeSlots.pop() ?? bySlot.length
      const listed = { service: withSharedPolicy(service), slot }
      byId.set(service.id, listed)
      bySlot[slot] = listed
      version++
      return listed
    },
    remove(id) {
      const listed = byId.get(id)
      if (!listed) return undefined
      byId.delete(id)
      bySlot[listed.slot] = undefined
      freeSlots.push(listed.slot)
      version++
      return listed
    },
  }
}

export interface CatalogueChange {
  readonly put?: ListedService
  readonly removed?: ListedService
}

/** Writes to the catalogue and reports every change. */
export interface CatalogueWriter {
  put(service: Service): void
  drop(id: string): void
}

export function createCatalogueWriter(
  catalogue: Catalogue,
  onChanged: (change: CatalogueChange) => void,
): CatalogueWriter {
  return {
    put: (service) => onChanged({ put: catalogue.put(service) }),
    drop(id) {
      const removed = catalogue.remove(id)
      if (removed) onChanged({ removed })
    },
  }
}

/** Registered services with their addresses and headers, for the parts that call them. Anchors are excluded. */
interface ServiceAccess {
  find(id: string): Service | undefined
  list(): Service[]
  /** Returns an operator's service, resolved with the chains of a file that is not active yet. */
  findRegistered(id: string, findChain: FindChain): Service | undefined
  /** Returns a number that changes whenever a service is added, removed or changed. */
  version(): number
}

export const createServiceAccess = (
  catalogue: Catalogue,
  findRegistered: ServiceAccess['findRegistered'],
): ServiceAccess => ({
  find(id) {
    const service = catalogue.find(id)?.service
    return service?.isHidden === false ? service : undefined
  },
  list: () => [...catalogue.all()].map(({ service }) => service).filter(({ isHidden }) => !isHidden),
  findRegistered,
  version: () => catalogue.version,
})
