import type { Chain } from '../../../shared/chains.ts'
import type { ServiceSpec } from '../../../shared/health.ts'
import type { Catalogue, CatalogueWriter } from './catalogue.ts'
import type { OperatorServices } from './operator-services.ts'
import { deriveServiceId } from './service-id.ts'
import { type FindChain, type Resolution, type Service, anchorPrefix, resolveService } from './service.ts'

/** A mistake in a field of the entry at `index` of the file's `services:` section. */
export interface EntryProblem {
  readonly index: number
  readonly field: string
  readonly message: string
}

/** Loads the installation's file into the catalogue: its services, and the anchors of chains. */
export interface FileServices {
  /** Checks the whole section. The caller applies it only when there are no problems. */
  checkFile(
    specs: readonly ServiceSpec[],
    findChain: FindChain,
  ): Promise<{ services: Service[]; problems: EntryProblem[] }>
  /** Replaces all services of the file and all anchors. Services in both versions keep their observations. */
  applyFile(services: readonly Service[], chains: readonly Chain[]): void
}

interface FileServicesOptions {
  catalogue: Catalogue
  catalogueWriter: CatalogueWriter
  registered: OperatorServices
  findChain: FindChain
  /** Resolves to why the guarded fetch would refuse an address; null where it would not. */
  refusalOf: (endpoint: string) => Promise<string | null>
}

export function createFileServices(options: FileServicesOptions): FileServices {
  const { catalogue, catalogueWriter, registered, findChain, refusalOf } = options

  async function checkEntry(spec: ServiceSpec, find: FindChain): Promise<Resolution> {
    const id = spec.id ?? deriveServiceId(spec)
    const resolved = resolveService(spec, { id, managedBy: 'file' }, find)
    if (resolved.kind === 'problem') return resolved
    if (registered.has(id)) {
      return {
        kind: 'problem',
        problem: { field: 'id', message: 'taken by a service that an operator registered' },
      }
    }
    for (const field of ['endpoint', 'ws'] as const) {
      const message = spec[field] === undefined ? null : await refusalOf(spec[field])
      if (message !== null) return { kind: 'problem', problem: { field, message } }
    }
    return resolved
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
        if (service.managedBy === 'file' && !wanted.has(service.id)) catalogueWriter.drop(service.id)
      }
      for (const service of [...services, ...anchors]) catalogueWriter.put(service)
      registered.activate()
    },
  }
}

/** Returns the anchors of a chain: services like others, but never shown. */
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
    const resolved = resolveService(
      spec,
      { id, managedBy: 'file', isHidden: true, isStored: true },
      findChain,
    )
    return resolved.kind === 'service' ? [resolved.service] : []
  })
}
