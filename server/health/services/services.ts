import type { Policy } from '../../../shared/health.ts'
import type { PolicySubject, ServiceSettings } from '../../../shared/health-services.ts'
import type { KeyReplicas } from '../../keys/key-replicas.ts'
import type { Database } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { Vault } from '../../platform/vault.ts'
import type { RecordChange } from '../audit-entry.ts'
import { defaultPolicy } from '../decide/policy.ts'
import {
  type Catalogue,
  type CatalogueChange,
  type ListedService,
  createServiceAccess,
  createCatalogueWriter,
} from './catalogue.ts'
import { createFileServices } from './file-services.ts'
import { createMaintenance } from './maintenance.ts'
import { createOperatorServices } from './operator-services.ts'
import type { FindChain, Service } from './service.ts'
import { settingsOf } from './settings.ts'
import { createServiceStore } from './store.ts'

export interface ServicesOptions {
  readonly database: Database
  readonly replicas: KeyReplicas
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
  /** Names of the status pages of the file that show a service. */
  readonly pagesShowing: (serviceId: string) => readonly string[]
}

/** What a change of the services causes elsewhere. */
export interface ServiceEvents {
  readonly catalogueChanged: (change: CatalogueChange) => void
  /** Verifiers have other services to probe. */
  readonly assignmentsChanged: () => void
  /** A service of an operator was removed, here or at another process: nothing of it may be stored any more. */
  readonly dropped: (id: string) => Promise<unknown>
  /** A service was removed here, and its history is removed with it. */
  readonly removed: (id: string) => Promise<unknown>
}

export type Services = ReturnType<typeof createServices>

/** The services that verifiers probe: those of the file and of operators, the anchors of chains, announced work. */
export function createServices(options: ServicesOptions, events: ServiceEvents) {
  const { database, replicas, vault, clock, catalogue, findChain, refusalOf } = options
  const { endpointsUsing, endpointsOnHostOf, pagesShowing } = options
  const store = createServiceStore(database, vault)
  const catalogueWriter = createCatalogueWriter(catalogue, events.catalogueChanged)
  const maintenance = createMaintenance({ replicas, store, clock, requireService: find })
  const registered = createOperatorServices({
    replicas,
    store,
    catalogue,
    catalogueWriter,
    findChain,
    refusalOf,
    endpointsUsing,
    endpointsOnHostOf,
    pagesShowing,
    events: {
      assignmentsChanged: events.assignmentsChanged,
      async dropped(id) {
        maintenance.forget(id)
        await events.dropped(id)
      },
    },
  })
  const ofFile = createFileServices({ catalogue, catalogueWriter, registered, findChain, refusalOf })

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

    /** Returns the thresholds of a service that sets none of its own. Throws the fault `not_found` for an unknown chain. */
    defaultPolicy({ chain, family }: PolicySubject): Policy {
      const known = chain === undefined ? null : findChain(chain)
      if (known === undefined) throw fault('not_found', 'chain: there is no chain of this key')
      return defaultPolicy(known, family ?? known?.family ?? 'http')
    },

    add: registered.add,

    /** Changes a service, which keeps its id, its history and its decision. */
    update: registered.update,

    /** Removes a service and its history. */
    async remove(id: string, record: RecordChange): Promise<void> {
      await registered.remove(id, record)
      await events.removed(id)
    },

    checkFile: ofFile.checkFile,
    applyFile: ofFile.applyFile,

    maintenance: maintenance.current,
    startMaintenance: maintenance.start,
    endMaintenance: maintenance.end,
  }
}
