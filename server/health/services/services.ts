import type { Chain } from '../../../shared/chains.ts'
import type { ServiceSpec } from '../../../shared/health.ts'
import type { Database } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { Vault } from '../../platform/vault.ts'
import { createCatalogue } from './catalogue.ts'
import type { ListedService } from './catalogue.ts'
import { createRegistration } from './registration.ts'
import type { CatalogueChange } from './registration.ts'
import type { Service } from './service.ts'
import { createServiceStore } from './store.ts'

export interface ServicesOptions {
  readonly database: Database
  readonly vault: Vault
  readonly clock: SteadyClock
  readonly findChain: (key: string) => Chain | undefined
  /** Why the guarded fetch would refuse an address; null where it would not. */
  readonly refusalOf: (endpoint: string) => Promise<string | null>
}

/** What is watched: services of the file and of operators, anchors, and announced maintenance. */
export function createServices(options: ServicesOptions, onChanged: (change: CatalogueChange) => void) {
  const { database, vault, clock, findChain, refusalOf } = options
  const catalogue = createCatalogue()
  const store = createServiceStore(database, vault)
  const registration = createRegistration({ catalogue, store, findChain, refusalOf, onChanged })
  /** Until when, epoch ms. */
  let maintenance = new Map<string, number>()

  function find(id: string): ListedService {
    const listed = catalogue.find(id)
    if (!listed || listed.service.isHidden) throw fault('not_found', 'no service of this id is registered')
    return listed
  }

  return {
    catalogue,

    /** Fault: `not_found`, for anchors too. */
    find,

    list: (): Service[] => [...catalogue.all()].flatMap(({ service }) => (service.isHidden ? [] : [service])),

    add: (spec: ServiceSpec) => registration.add(spec),
    async remove(id: string) {
      await registration.remove(id)
      maintenance.delete(id)
    },
    checkFile: registration.checkFile,
    applyFile: registration.applyFile,

    isInMaintenance: (id: string) => clock.now() < (maintenance.get(id) ?? 0),

    /**
     * Announces work until an instant (epoch ms; null: until it is ended), or longer when that is announced already.
     * Faults: `not_found`, `invalid_request`.
     */
    async startMaintenance(id: string, until: number | null, note: string) {
      find(id)
      const now = clock.now()
      if (until !== null && until <= now) throw fault('invalid_request', 'until: must be in the future')
      await store.startMaintenance(id, now, until, note)
      maintenance.set(id, Math.max(maintenance.get(id) ?? 0, until ?? Number.POSITIVE_INFINITY))
    },

    async endMaintenance(id: string) {
      find(id)
      await store.endMaintenance(id, clock.now())
      maintenance.delete(id)
    },

    async load() {
      await registration.load()
      maintenance = await store.maintenance(clock.now())
    },
  }
}
