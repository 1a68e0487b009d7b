import type { Maintenance } from '../../../shared/health-services.ts'
import type { Database } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { Vault } from '../../platform/vault.ts'
import type { RecordChange } from '../record-change.ts'
import { createServiceAccess } from './access.ts'
import { createCatalogue } from './catalogue.ts'
import type { ListedService } from './catalogue.ts'
import { createRegisteredServices } from './registered-services.ts'
import { createRegistration } from './registration.ts'
import type { FindChain, Service } from './service.ts'
import { createShelf } from './shelf.ts'
import type { CatalogueChange } from './shelf.ts'
import { createServiceStore } from './store.ts'

export interface ServicesOptions {
  readonly database: Database
  readonly vault: Vault
  readonly clock: SteadyClock
  readonly findChain: FindChain
  /** Why the guarded fetch would refuse an address; null where it would not. */
  readonly refusalOf: (endpoint: string) => Promise<string | null>
  /** Names of the relay's endpoints that send calls to a service. */
  readonly endpointsUsing: (serviceId: string) => readonly string[]
  /** Names of those that the file keeps on the host of a service. */
  readonly endpointsOnHostOf: (serviceId: string) => readonly string[]
}

export type Services = ReturnType<typeof createServices>

/** What is watched: services of the file and of operators, anchors, and announced maintenance. */
export function createServices(options: ServicesOptions, onChanged: (change: CatalogueChange) => void) {
  const { database, vault, clock, findChain, refusalOf, endpointsUsing, endpointsOnHostOf } = options
  const catalogue = createCatalogue()
  const store = createServiceStore(database, vault)
  const shelf = createShelf(catalogue, onChanged)
  const registered = createRegisteredServices({
    database,
    store,
    catalogue,
    shelf,
    findChain,
    refusalOf,
    endpointsUsing,
    endpointsOnHostOf,
  })
  const registration = createRegistration({ catalogue, shelf, registered, findChain, refusalOf })
  let maintenance = new Map<string, Maintenance>()

  function maintenanceOf(id: string): Maintenance | null {
    const announced = maintenance.get(id)
    return announced && isUnderWay(announced, clock.now()) ? announced : null
  }

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

    access: createServiceAccess(catalogue, registered),

    add: registered.add,
    update: registered.update,
    async remove(id: string, record: RecordChange) {
      await registered.remove(id, record)
      maintenance.delete(id)
    },
    checkFile: registration.checkFile,
    applyFile: registration.applyFile,

    /** The announced work that is under way; null when there is none. */
    maintenance: maintenanceOf,

    /**
     * Announces work until an instant (epoch ms; null: until it is ended), or longer when that is announced already.
     * Faults: `not_found`, `invalid_request`.
     */
    async startMaintenance(id: string, work: Maintenance, record: RecordChange) {
      find(id)
      const now = clock.now()
      if (!isUnderWay(work, now)) throw fault('invalid_request', 'until: must be in the future')
      await database.transaction(async (sql) => {
        await store.startMaintenance(sql, id, now, work)
        await record(sql)
      })
      maintenance.set(id, longer(work, maintenanceOf(id)))
    },

    /** Fault: `not_found`. */
    async endMaintenance(id: string, record: RecordChange) {
      find(id)
      await database.transaction(async (sql) => {
        await store.endMaintenance(sql, id, clock.now())
        await record(sql)
      })
      maintenance.delete(id)
    },

    async load() {
      await registered.load()
      maintenance = await store.maintenance(clock.now())
    },
  }
}

const isUnderWay = ({ until }: Maintenance, now: number): boolean => until === null || now < until

/** Of two announcements the one that lasts longer; of equal ones the newer. */
function longer(one: Maintenance, other: Maintenance | null): Maintenance {
  if (other === null || one.until === null) return one
  return other.until === null || other.until > one.until ? other : one
}
