import type { Chain } from '../../../shared/chains.ts'
import type { ServiceSpec } from '../../../shared/health.ts'
import { fault } from '../../platform/fault.ts'
import type { Catalogue, ListedService } from './catalogue.ts'
import { deriveServiceId, generateServiceId } from './service-id.ts'
import { anchorPrefix, resolveService } from './service.ts'
import type { Service } from './service.ts'
import type { ServiceStore, StoredSpec } from './store.ts'

/** A mistake in the `services:` section, at a field of its n-th entry. */
export interface EntryProblem {
  readonly index: number
  readonly field: string
  readonly message: string
}

/** Puts services into the catalogue: those of the file, those of operators, and the anchors of chains. */
export interface Registration {
  /** What the file says now, checked whole: either everything is right, or nothing should be changed. */
  checkFile(
    specs: readonly ServiceSpec[],
    findChain: FindChain,
  ): Promise<{ services: Service[]; problems: EntryProblem[] }>
  /** Replaces all services of the file and all anchors; services that stay keep their observations. */
  applyFile(services: readonly Service[], chains: readonly Chain[]): void
  /** Loads what operators registered; to be called once, before the first `applyFile`. */
  load(): Promise<void>
  /** Faults: `invalid_request` naming the field, `conflict` for an id that is taken. */
  add(spec: ServiceSpec): Promise<Service>
  /** Faults: `not_found`, `conflict` for a service of the file. */
  remove(id: string): Promise<void>
}

export interface CatalogueChange {
  readonly put?: ListedService
  readonly removed?: ListedService
}

type FindChain = (key: string) => Chain | undefined

interface RegistrationOptions {
  catalogue: Catalogue
  store: ServiceStore
  findChain: FindChain
  /** Whether the guarded fetch may go there; the text says why not. */
  refusalOf: (endpoint: string) => Promise<string | null>
  onChanged: (change: CatalogueChange) => void
}

export function createRegistration(options: RegistrationOptions): Registration {
  const { catalogue, store, findChain, refusalOf, onChanged } = options
  /** As stored; resolved anew whenever chains change. */
  const stored = new Map<string, StoredSpec>()
  /** Ids that are on their way into the database. */
  const arriving = new Set<string>()

  function put(service: Service): void {
    onChanged({ put: catalogue.put(service) })
  }

  function drop(id: string): void {
    const removed = catalogue.remove(id)
    if (removed) onChanged({ removed })
  }

  function putStored(spec: StoredSpec): void {
    const resolved = resolveService(spec, { id: spec.id, managedBy: 'operator' }, findChain)
    if (resolved.kind === 'service') put(resolved.service)
    else drop(spec.id)
  }

  async function checkEntry(spec: ServiceSpec, find: FindChain) {
    const id = spec.id ?? deriveServiceId(spec)
    const resolved = resolveService(spec, { id, managedBy: 'file' }, find)
    if (resolved.kind === 'problem') return resolved
    if (stored.has(id)) {
      return {
        kind: 'problem',
        problem: { field: 'id', message: 'taken by a service that an operator registered' },
      } as const
    }
    const refusal = await refusalOf(spec.endpoint)
    if (refusal !== null)
      return { kind: 'problem', problem: { field: 'endpoint', message: refusal } } as const
    return resolved
  }

  async function addAs(id: string, spec: ServiceSpec): Promise<Service> {
    const resolved = resolveService(spec, { id, managedBy: 'operator' }, findChain)
    if (resolved.kind === 'problem') {
      throw fault('invalid_request', `${resolved.problem.field}: ${resolved.problem.message}`)
    }
    const refusal = await refusalOf(spec.endpoint)
    if (refusal !== null) throw fault('invalid_request', `endpoint: ${refusal}`)
    const full = { ...spec, id, family: resolved.service.family }
    await store.save(full)
    stored.set(id, full)
    put(resolved.service)
    return resolved.service
  }

  return {
    async checkFile(specs, find) {
      const services: Service[] = []
      const problems: EntryProblem[] = []
      const seen = new Set<string>()
      for (const [index, spec] of specs.entries()) {
        const checked = await checkEntry(spec, find)
        if (checked.kind === 'problem') problems.push({ index, ...checked.problem })
        else if (seen.has(checked.service.id))
          problems.push({ index, field: 'id', message: 'used twice in this file' })
        else {
          seen.add(checked.service.id)
          services.push(checked.service)
        }
      }
      return { services, problems }
    },

    applyFile(services, chains) {
      const wanted = new Set(services.map(({ id }) => id))
      const anchors = chains.flatMap((chain) => anchorsOf(chain, findChain))
      for (const anchor of anchors) wanted.add(anchor.id)
      for (const { service } of catalogue.all()) {
        if (service.managedBy === 'file' && !wanted.has(service.id)) drop(service.id)
      }
      for (const service of [...services, ...anchors]) put(service)
      for (const spec of stored.values()) putStored(spec)
    },

    async load() {
      for (const spec of await store.load()) stored.set(spec.id, spec)
    },

    async add(spec) {
      const id = spec.id ?? generateServiceId()
      if (catalogue.find(id) || stored.has(id) || arriving.has(id)) {
        throw fault('conflict', 'id: taken by another service')
      }
      arriving.add(id)
      try {
        return await addAs(id, spec)
      } finally {
        arriving.delete(id)
      }
    },

    async remove(id) {
      const listed = catalogue.find(id)
      if (!stored.has(id)) {
        if (!listed || listed.service.isHidden) throw fault('not_found', 'there is no such service')
        throw fault('conflict', 'this service is managed by the file: remove it there')
      }
      await store.remove(id)
      stored.delete(id)
      drop(id)
    },
  }
}

/** Anchors are services like others, except that nobody sees them. */
function anchorsOf(chain: Chain, findChain: FindChain): Service[] {
  return chain.anchors.flatMap((anchor, index) => {
    const id = `${anchorPrefix}${chain.key}:${index}`
    const spec = {
      name: id,
      chain: chain.key,
      provider: anchor.provider,
      endpoint: anchor.endpoint,
      policy: {},
    }
    const resolved = resolveService(spec, { id, managedBy: 'file', isHidden: true }, findChain)
    return resolved.kind === 'service' ? [resolved.service] : []
  })
}
