import type { SyncedKeys } from '../../keys/replicas/key-sync.ts'
import type { CatalogueWriter } from './catalogue.ts'
import type { Resolution } from './service.ts'
import type { ServiceStore, StoredSpec } from './store.ts'

export interface StoredServicesEvents {
  /** Verifiers have other services to probe. */
  readonly assignmentsChanged: () => void
  /** A service is gone: nothing of it may be stored any more. */
  readonly dropped: (id: string) => Promise<unknown>
}

interface StoredServicesOptions extends StoredServicesEvents {
  readonly store: Pick<ServiceStore, 'load' | 'some'>
  readonly catalogueWriter: CatalogueWriter
  readonly resolve: (spec: StoredSpec) => Resolution
}

/**
 * What operators registered, as it is stored, in the memory of every process. It is resolved again whenever chains change. A
 * service whose chain is missing is not monitored until it is back.
 */
export function createStoredServices(options: StoredServicesOptions) {
  const { store, catalogueWriter, resolve, assignmentsChanged, dropped } = options
  const specs = new Map<string, StoredSpec>()

  function activate(spec: StoredSpec): void {
    const resolution = resolve(spec)
    if (resolution.kind === 'service') catalogueWriter.put(resolution.service)
    else catalogueWriter.drop(spec.id)
  }

  /** Of these ids, those that are not found are gone. */
  async function take(ids: readonly string[], found: readonly StoredSpec[]): Promise<void> {
    const gone = new Set(ids)
    for (const spec of found) {
      gone.delete(spec.id)
      if (Bun.deepEquals(specs.get(spec.id), spec)) continue
      specs.set(spec.id, spec)
      activate(spec)
    }
    for (const id of gone) {
      if (!specs.delete(id)) continue
      catalogueWriter.drop(id)
      await dropped(id)
    }
    assignmentsChanged()
  }

  const synced: SyncedKeys = {
    kind: 'health_service',
    reload: async () => take([...specs.keys()], await store.load()),
    refresh: async (ids) => take(ids, await store.some(ids)),
  }

  return {
    ...synced,
    get: (id: string): StoredSpec | undefined => specs.get(id),
    activate(): void {
      for (const spec of specs.values()) activate(spec)
    },
  }
}
