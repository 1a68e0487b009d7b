import type { ServiceSpec } from '../../../shared/health.ts'
import type { ServiceSettings, ServiceUpdate } from '../../../shared/health-services.ts'
import type { Database } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { Vault } from '../../platform/vault.ts'
import type { RecordChange } from '../audit-entry.ts'
import {
  type Catalogue,
  type CatalogueChange,
  type ListedService,
  createServiceAccess,
  createCatalogueWriter,
} from './catalogue.ts'
import { createFileServices } from './file-services.ts'
import { createMaintenance } from './maintenance.ts'
import { type ServiceChange, createOperatorServices } from './operator-services.ts'
import type { FindChain, Service } from './service.ts'
import { settingsOf } from './settings.ts'
import { createServiceStore } from './store.ts'

export interface ServicesOptions {
  readonly database: Database
  readonly vault: Vault
  readonly clock: SteadyClock
  readonly catalogue: Catalogue
  readonly findChain: FindChain
  /** Why the guarded fetch would refuse an address; null where it would not. */
  readonly refusalOf: (endpoint: string) => Promise<string | null>
  /** Names of the relay's endpoints that send calls to a service. */
  readonly endpointsUsing: (serviceId: string) => readonly string[]
  /** Names of the endpoints whose place in the file depends on the host of a service. */
  readonly endpointsOnHostOf: (serviceId: string) => readonly string[]
}

/** What a change of the services causes elsewhere. */
export interface ServiceEvents {
  readonly catalogueChanged: (change: CatalogueChange) => void
  /** Verifiers have other services to probe. */
  readonly assignmentsChanged: () => void
  /** A service was removed, and its history with it. */
  readonly removed: (id: string) => Promise<unknown>
}

export type Services = ReturnType<typeof createServices>

/** The services that verifiers probe: those of the file and of operators, the anchors of chains, announced work. */
export function createServices(options: ServicesOptions, events: ServiceEvents) {
  const { database, vault, clock, catalogue, findChain, refusalOf, endpointsUsing, endpointsOnHostOf } =
    options
  const store = createServiceStore(database, vault)
  const catalogueWriter = createCatalogueWriter(catalogue, events.catalogueChanged)
  const registered = createOperatorServices({
    database,
    store,
    catalogue,
    catalogueWriter,
    findChain,
    refusalOf,
    endpointsUsing,
    endpointsOnHostOf,
  })
  const ofFile = createFileServices({ catalogue, catalogueWriter, registered, findChain, refusalOf })
  const maintenance = createMaintenance({ database, store, clock, requireService: find })

  function find(id: string): ListedService {
    const listed = catalogue.find(id)
    if (!listed || listed.service.isHidden) throw fault('not_found', 'no service of this id is registered')
    return listed
  }

  return {
    /** Returns a registered service. Throws the fault `not_found`, for anchors too. */
    find,

    list: (): Service[] => [...catalogue.all()].flatMap(({ service }) => (service.isHidden ? [] : [service])),

    access: createServiceAccess(catalogue, registered.findWith),

    /** Returns what a form that edits a service begins with. Throws the fault `not_found`. */
    settings: (id: string): ServiceSettings => settingsOf(find(id).service, findChain),

    async add(spec: ServiceSpec, record: RecordChange<Service>): Promise<Service> {
      const service = await registered.add(spec, record)
      events.assignmentsChanged()
      return service
    },

    /** Changes a service, which keeps its id, its history and its decision. */
    async update(change: ServiceUpdate, record: RecordChange<ServiceChange>): Promise<Service> {
      const service = await registered.update(change, record)
      events.assignmentsChanged()
      return service
    },

    /** Removes a service and its history. */
    async remove(id: string, record: RecordChange): Promise<void> {
      await registered.remove(id, record)
      maintenance.forget(id)
      events.assignmentsChanged()
      await events.removed(id)
    },

    checkFile: ofFile.checkFile,
    applyFile: ofFile.applyFile,

    maintenance: maintenance.current,
    startMaintenance: maintenance.start,
    endMaintenance: maintenance.end,

    async load() {
      await registered.load()
      await maintenance.load()
    },
  }
}
