import type { ServiceSpec } from '../../../shared/health.ts'
import type { ServiceUpdate } from '../../../shared/health-services.ts'
import type { Database } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { RecordChange } from '../audit-entry.ts'
import type { Catalogue } from './catalogue.ts'
import { changeServiceSpec } from './change-service-spec.ts'
import { generateServiceId } from './service-id.ts'
import { resolveService } from './service.ts'
import type { FindChain, Service, SpecProblem } from './service.ts'
import type { CatalogueWriter } from './catalogue.ts'
import type { ServiceStore, StoredSpec } from './store.ts'

/** A service before and after a change. */
export interface ServiceChange {
  /** Null where its chain is not there any more. */
  readonly before: Service | null
  readonly after: Service
}

/** Services that operators registered. Changes are made one after another: each begins with what the last one left. */
export interface OperatorServices {
  has(id: string): boolean
  /** As it is with other chains than those in force; undefined where nobody registered it, or its chain is missing. */
  findWith(id: string, findChain: FindChain): Service | undefined
  /** Loads them; to be called once, before anything is put in force. */
  load(): Promise<void>
  /** Chains may have changed: a service whose chain is gone is not watched until that is back. */
  activate(): void
  /** Faults: `invalid_request` naming the field, `conflict` for an id that is taken. */
  add(spec: ServiceSpec, record: RecordChange<Service>): Promise<Service>
  /** Faults: `not_found`, `conflict` for a service of the file, `invalid_request` naming the field, `conflict` for another chain while endpoints use it. */
  update(change: ServiceUpdate, record: RecordChange<ServiceChange>): Promise<Service>
  /** Faults: `not_found`, `conflict` for a service of the file, or one that endpoints use. */
  remove(id: string, record: RecordChange): Promise<void>
}

interface OperatorServicesOptions {
  database: Database
  store: ServiceStore
  catalogue: Catalogue
  catalogueWriter: CatalogueWriter
  findChain: FindChain
  refusalOf: (endpoint: string) => Promise<string | null>
  endpointsUsing: (serviceId: string) => readonly string[]
  endpointsOnHostOf: (serviceId: string) => readonly string[]
}

export function createOperatorServices(options: OperatorServicesOptions): OperatorServices {
  const { database, store, catalogue, catalogueWriter, findChain, refusalOf } = options
  /** As stored; resolved anew whenever chains change. */
  const stored = new Map<string, StoredSpec>()
  const inTurn = createQueue()

  const resolve = (spec: StoredSpec, chains = findChain) =>
    resolveService(spec, { id: spec.id, managedBy: 'operator' }, chains)

  function resolved(spec: StoredSpec): Service {
    const resolution = resolve(spec)
    if (resolution.kind === 'problem') throw refused(resolution.problem)
    return resolution.service
  }

  async function requireReachable(endpoint: string): Promise<void> {
    const message = await refusalOf(endpoint)
    if (message !== null) throw refused({ field: 'endpoint', message })
  }

  async function save(spec: StoredSpec, service: Service, record: RecordChange): Promise<Service> {
    const full = { ...spec, family: service.family }
    await database.transaction(async (sql) => {
      await store.save(sql, full)
      await record(sql)
    })
    stored.set(full.id, full)
    catalogueWriter.put(service)
    return service
  }

  function find(id: string, whatToDo: string): StoredSpec {
    const spec = stored.get(id)
    if (spec) return spec
    const listed = catalogue.find(id)
    if (!listed || listed.service.isHidden) throw fault('not_found', 'there is no such service')
    throw fault('conflict', `this service is managed by the file: ${whatToDo} it there`)
  }

  /** An endpoint of the file that names a service which is not there would keep the next start from reading the file. */
  function requireUnused(id: string, whatToDo: string): void {
    const names = options.endpointsUsing(id)
    if (names.length === 0) return
    const whose = `${endpointsCalled(names)} ${names.length === 1 ? 'sends' : 'send'}`
    throw fault('conflict', `${whose} calls to this service: take it out there before you ${whatToDo}`)
  }

  /** As would one that gives a WebSocket address of the service, which must be on its host. */
  function requireNotHeld(id: string): void {
    const names = options.endpointsOnHostOf(id)
    if (names.length === 0) return
    const whose = `${endpointsCalled(names)} of the file ${names.length === 1 ? 'has' : 'have'}`
    throw fault(
      'conflict',
      `endpoint: ${whose} a ws address on the host of this service: take that out there before you move it to another host`,
    )
  }

  return {
    has: (id) => stored.has(id),
    findWith(id, chains) {
      const spec = stored.get(id)
      const resolution = spec && resolve(spec, chains)
      return resolution?.kind === 'service' ? resolution.service : undefined
    },
    async load() {
      for (const spec of await store.load()) stored.set(spec.id, spec)
    },
    activate() {
      for (const spec of stored.values()) {
        const resolution = resolve(spec)
        if (resolution.kind === 'service') catalogueWriter.put(resolution.service)
        else catalogueWriter.drop(spec.id)
      }
    },
    add: (given, record) =>
      inTurn(async () => {
        const spec = { ...given, id: given.id ?? generateServiceId() }
        if (catalogue.find(spec.id) || stored.has(spec.id))
          throw fault('conflict', 'id: taken by another service')
        const service = resolved(spec)
        await requireReachable(spec.endpoint)
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
        if (change.endpoint !== undefined) await requireReachable(change.endpoint)
        const was = resolve(before)
        const both = { before: was.kind === 'service' ? was.service : null, after }
        return await save(changed.spec, after, (sql) => record(sql, both))
      }),
    remove: (id, record) =>
      inTurn(async () => {
        find(id, 'remove')
        requireUnused(id, 'remove it')
        await database.transaction(async (sql) => {
          await store.remove(sql, id)
          await record(sql)
        })
        stored.delete(id)
        catalogueWriter.drop(id)
      }),
  }
}

const isOnSameHost = (one: string, other: string): boolean =>
  new URL(one).hostname === new URL(other).hostname

function endpointsCalled(names: readonly string[]): string {
  const listed = names.map((name) => `"${name}"`).join(', ')
  return names.length === 1 ? `the endpoint ${listed}` : `the endpoints ${listed}`
}

const refused = ({ field, message }: SpecProblem) => fault('invalid_request', `${field}: ${message}`)

/** One piece of work at a time, in the order of asking. */
function createQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined) // whoever asked is told; the next one begins all the same
    return mine
  }
}
