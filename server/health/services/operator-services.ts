import type { InvalidField } from '../../../shared/faults.ts'
import type { ServiceSpec } from '../../../shared/health.ts'
import type { ServiceUpdate } from '../../../shared/health-services.ts'
import type { KeyReplicas } from '../../keys/key-replicas.ts'
import type { TransactionSql } from '../../platform/database.ts'
import { privateHostOf } from '../../platform/egress/private-address.ts'
import { fault } from '../../platform/fault.ts'
import { isOnSameHost } from '../../platform/same-host.ts'
import type { RecordChange } from '../audit-entry.ts'
import type { Catalogue, CatalogueWriter } from './catalogue.ts'
import { changeServiceSpec } from './change-service-spec.ts'
import { generateServiceId } from './service-id.ts'
import type { SpecProblem } from './check-access.ts'
import { type FindChain, type Service, resolveService } from './service.ts'
import type { ServiceStore, StoredSpec } from './store.ts'
import { type StoredServicesEvents, createStoredServices } from './stored-services.ts'

/** A service before and after a change. */
export interface ServiceChange {
  /** The service before the change; null where its chain is missing. */
  readonly before: Service | null
  readonly after: Service
}

/**
 * Services that operators registered, the same in every process. Changes run one after another, so that each begins with the
 * result of the last; one that another process was faster than is refused with `conflict`.
 */
export interface OperatorServices {
  has(id: string): boolean
  /** Returns a service resolved with other chains than the active ones; undefined for an unknown service or chain. */
  findWith(id: string, findChain: FindChain): Service | undefined
  /** Resolves all services with the active chains. A service whose chain is missing is not monitored until it is back. */
  activate(): void
  /** Registers a service. Faults: `invalid_request` naming the field, `conflict` for an id that is taken. */
  add(spec: ServiceSpec, record: RecordChange<Service>): Promise<Service>
  /** Changes a service. Faults: `not_found`, `conflict` for a service of the file or another chain while endpoints use it, `invalid_request` naming the field. */
  update(change: ServiceUpdate, record: RecordChange<ServiceChange>): Promise<Service>
  /** Removes a service. Faults: `not_found`, `conflict` for one of the file, or that endpoints use or the file shows. */
  remove(id: string, record: RecordChange): Promise<void>
}

interface OperatorServicesOptions {
  replicas: KeyReplicas
  store: ServiceStore
  catalogue: Catalogue
  catalogueWriter: CatalogueWriter
  findChain: FindChain
  refusalOf: (endpoint: string) => Promise<string | null>
  endpointsUsing: (serviceId: string) => readonly string[]
  endpointsOnHostOf: (serviceId: string) => readonly string[]
  pagesShowing: (serviceId: string) => readonly string[]
  events: StoredServicesEvents
}

export function createOperatorServices(options: OperatorServicesOptions): OperatorServices {
  const { replicas, store, catalogue, catalogueWriter, findChain, refusalOf } = options
  const inTurn = createQueue()

  const resolve = (spec: StoredSpec, chains = findChain) =>
    resolveService(spec, { id: spec.id, managedBy: 'operator', isStored: true }, chains)
  const stored = createStoredServices({ store, catalogueWriter, resolve, ...options.events })
  replicas.keySync.follow(stored)

  function resolved(spec: StoredSpec): Service {
    const resolution = resolveService(spec, { id: spec.id, managedBy: 'operator' }, findChain)
    if (resolution.kind === 'problem') throw refused(resolution.problem)
    return resolution.service
  }

  async function requireReachable({ endpoint, ws }: Pick<ServiceUpdate, 'endpoint' | 'ws'>): Promise<void> {
    for (const [field, address] of Object.entries({ endpoint, ws })) {
      const message = address ? await refusalOf(address) : null
      if (!address || message === null) continue
      throw refused({ field, message }, [{ path: [field], message, ...privateHostOf(address) }])
    }
  }

  async function save(spec: StoredSpec, service: Service, record: RecordChange): Promise<Service> {
    const before = stored.get(spec.id)
    await replicas.change('health_service', async (sql) => {
      await requireUnchanged(sql, spec.id, before)
      await store.save(sql, { ...spec, family: service.family })
      await record(sql)
      return { ids: [spec.id], result: null }
    })
    return service
  }

  /** Throws where another process was faster. */
  async function requireUnchanged(
    sql: TransactionSql,
    id: string,
    known: StoredSpec | undefined,
  ): Promise<void> {
    const found = await store.find(sql, id)
    if (!Bun.deepEquals(found, known))
      throw fault('conflict', 'the service was changed by somebody else just now: look at it again')
  }

  function find(id: string, whatToDo: string): StoredSpec {
    const spec = stored.get(id)
    if (spec) return spec
    const listed = catalogue.find(id)
    if (!listed || listed.service.isHidden) throw fault('not_found', 'there is no such service')
    throw fault('conflict', `this service is managed by the file: ${whatToDo} it there`)
  }

  /** Throws while endpoints use the service: a file whose endpoint names a missing service fails at the next start. */
  const requireUnused = (id: string, whatToDo: string): void =>
    requireNoUsers('endpoint', options.endpointsUsing(id), (whose, isOne) => {
      const says = `${whose} ${isOne ? 'sends' : 'send'} calls to this service`
      return `${says}: take it out there before you ${whatToDo}`
    })

  /** Throws while the file shows the service on a status page, which would be refused at the next start, too. */
  const requireNotShown = (id: string): void =>
    requireNoUsers('status page', options.pagesShowing(id), (whose, isOne) => {
      const says = `${whose} of the file ${isOne ? 'shows' : 'show'} this service`
      return `${says}: take it out there before you remove it`
    })

  /** Throws while the file gives a WebSocket address of the service, which must be on its host. */
  const requireNotHeld = (id: string): void =>
    requireNoUsers('endpoint', options.endpointsOnHostOf(id), (whose, isOne) => {
      const says = `endpoint: ${whose} of the file ${isOne ? 'has' : 'have'} a ws address on the host of this service`
      return `${says}: take that out there before you move it to another host`
    })

  return {
    has: (id) => stored.get(id) !== undefined,
    findWith(id, chains) {
      const spec = stored.get(id)
      const resolution = spec && resolve(spec, chains)
      return resolution?.kind === 'service' ? resolution.service : undefined
    },
    activate: stored.activate,
    add: (given, record) =>
      inTurn(async () => {
        const spec = { ...given, id: given.id ?? generateServiceId() }
        if (catalogue.find(spec.id) || stored.get(spec.id))
          throw fault('conflict', 'id: taken by another service')
        const service = resolved(spec)
        await requireReachable(spec)
        return await save(spec, service, (sql) => record(sql, service))
      }),
    update: (change, record) =>
      inTurn(async () => {
        const before = find(change.id, 'change')
        const changed = changeServiceSpec(before, change)
        if (changed.kind === 'problem') throw refused(changed.problem)
        const after = resolved(changed.spec)
        if (changed.spec.chain !== before.chain) requireUnused(change.id, 'give it another chain')
        if (!isOnSameHost(changed.spec.endpoint, before.endpoint)) requireNotHeld(change.id)
        await requireReachable(change)
        const was = resolve(before)
        const both = { before: was.kind === 'service' ? was.service : null, after }
        return await save(changed.spec, after, (sql) => record(sql, both))
      }),
    remove: (id, record) =>
      inTurn(async () => {
        find(id, 'remove')
        requireUnused(id, 'remove it')
        requireNotShown(id)
        await replicas.change('health_service', async (sql) => {
          await store.remove(sql, id)
          await record(sql)
          return { ids: [id], result: null }
        })
      }),
  }
}

/** Throws the fault `conflict` that `says` words, if there is somebody: of whom, and whether it is one. */
function requireNoUsers(
  word: string,
  names: readonly string[],
  says: (whose: string, isOne: boolean) => string,
): void {
  if (names.length === 0) return
  const isOne = names.length === 1
  const listed = names.map((name) => `"${name}"`).join(', ')
  throw fault('conflict', says(`the ${word}${isOne ? '' : 's'} ${listed}`, isOne))
}

const refused = ({ field, message }: SpecProblem, fields: readonly InvalidField[] = []) =>
  fault('invalid_request', `${field}: ${message}`, { fields })

/** Returns a function that runs one task at a time, in the order of the calls. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined) // the caller gets the error, and the next task starts all the same
    return mine
  }
}
