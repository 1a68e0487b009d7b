import type { ListedChain } from '../../shared/chains.ts'
import type { Audit } from '../audit/audit.ts'
import { type ChainUse, createChainChanges } from '../chains/chain-changes.ts'
import { isBuiltIn } from '../chains/chains.ts'
import type { StoredChains } from '../chains/stored-chains.ts'
import type { WatchedFile } from '../config/watched-file.ts'
import type { Endpoints } from '../endpoints/endpoints.ts'
import type { Health } from '../health/health.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { ActiveFile } from './active-file.ts'
import type { CoreServices } from './core-services.ts'

interface ChainParts {
  readonly activeFile: ActiveFile
  readonly storedChains: StoredChains
  readonly file: WatchedFile
  readonly health: Health
  readonly endpoints: Endpoints
  readonly replicas: KeyReplicas
}

/** Connects the chains of operators to what uses them, and to the file that lies over them. */
export function openCustomChains(
  { clock, log }: Pick<CoreServices, 'clock' | 'log'>,
  { activeFile, storedChains, file, health, endpoints, replicas }: ChainParts,
  { record }: Audit,
) {
  let applied: Promise<boolean> = Promise.resolve(true)
  // Services and endpoints are checked against their chains when the file is applied, so it is applied again.
  storedChains.onChanged(() => {
    applied = file.reload()
    applied.catch((error: unknown) => log.error('the chains could not be applied', { error }))
  })

  function usesByKey(): (key: string) => ChainUse {
    const services = Map.groupBy(health.services.access.list(), ({ chain }) => chain)
    const ofChain = Map.groupBy(endpoints.names(), (name) => endpoints.find(name)?.chain?.key)
    return (key) => ({ services: services.get(key)?.length ?? 0, endpoints: ofChain.get(key)?.length ?? 0 })
  }

  return {
    list(): ListedChain[] {
      const useOf = usesByKey()
      const custom = new Map(storedChains.all().map((chain) => [chain.key, chain]))
      return activeFile.chains.all().map((chain) => ({
        ...chain,
        managedBy: isBuiltIn(chain.key) ? 'product' : custom.has(chain.key) ? 'operator' : 'file',
        custom: custom.get(chain.key) ?? null,
        ...useOf(chain.key),
      }))
    },
    changes: createChainChanges({
      replicas,
      declared: () => activeFile.file.chains,
      useOf: (key) => usesByKey()(key),
      activate: () => applied,
      record,
      now: clock.now,
    }),
  }
}
