import type { CustomChain } from '../../shared/chains.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Database } from '../platform/database.ts'

interface StoredChainsOptions {
  readonly database: Database
  readonly replicas: Pick<KeyReplicas, 'keySync'>
}

/** The chains of operators, in the memory of this process. */
export interface StoredChains {
  /** In the order of their keys. */
  all(): readonly CustomChain[]
  /** Calls back when they have changed, here or at another process, before they are active. */
  onChanged(listener: () => void): void
}

/** It has to exist before health, with which it is read for the first time. */
export function createStoredChains({ database, replicas }: StoredChainsOptions): StoredChains {
  let stored: readonly CustomChain[] = []
  let changed: (() => void) | null = null

  async function reload(): Promise<void> {
    const rows = await database.run(
      (sql) => sql<{ chain: CustomChain }[]>`SELECT chain FROM custom_chains ORDER BY key`,
    )
    const chains = rows.map(({ chain }) => chain)
    const isOther = !Bun.deepEquals(chains, stored)
    stored = chains
    if (isOther) changed?.()
  }

  replicas.keySync.follow({ kind: 'chain', reload, refresh: reload })
  return {
    all: () => stored,
    onChanged(listener) {
      changed = listener
    },
  }
}
