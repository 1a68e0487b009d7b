import type { ApiKeyView } from '../../shared/api-keys.ts'
import type { Database } from '../platform/database.ts'
import { type RecordKeyEvents, createKeyChanges } from '../keys/changes.ts'
import type { KeyCap } from '../keys/editing.ts'
import { createKeyHash } from '../keys/key-hash.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import { createKeyMemory } from '../keys/memory.ts'
import { type SteadyClock, nonDecreasing } from '../platform/steady-clock.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/vault.ts'
import { type ApiKey, apiKeyKind, toApiKeyView } from './api-key.ts'
import { createApiKeyAuthorization } from './authorization.ts'
import { createApiKeyEditing } from './editing.ts'
import { createApiKeyUses } from './last-uses.ts'
import { createApiKeyStore } from './store.ts'

export type { ApiKeyGuard } from './guard.ts'

export interface ApiKeysOptions {
  readonly database: Database
  readonly replicas: KeyReplicas
  readonly vault: Vault
  /** Secret of at least 32 bytes under which keys are hashed: the same in every process of the installation. */
  readonly hashKey: Uint8Array
  readonly clock: SteadyClock
  readonly log: Log
  /** Adds to the audit log, in the transaction of the change. */
  readonly record: RecordKeyEvents
  /** Whether the value of a key can be shown again. */
  readonly canReveal: boolean
  readonly keyCap: KeyCap
}

export type ApiKeys = ReturnType<typeof createApiKeys>

/**
 * Administrative API keys. A change is told to all processes, and applied in all that live, before its call returns.
 * Keys of other accounts are `not_found`. Everything that asks the database may be refused with `unavailable`; a
 * change may have been made then. The keys are in memory when `replicas` is loaded.
 */
export function createApiKeys(options: ApiKeysOptions) {
  const { database, replicas, vault, clock, log, record, canReveal, keyCap } = options
  const { keySync } = replicas
  const hashOf = createKeyHash(options.hashKey)
  const now = nonDecreasing(clock.now)
  const store = createApiKeyStore(database)
  const listeners = new Set<(id: string) => void>()
  const memory = createKeyMemory('api_key', store, (id) => {
    for (const listener of listeners) listener(id)
  })
  keySync.follow(memory)
  const lastUses = createApiKeyUses(store, log)
  const authorization = createApiKeyAuthorization({ memory, keySync, store, lastUses, hashOf, now })
  const change = createKeyChanges({ kind: apiKeyKind, database, replicas, record })

  function view(key: ApiKey): ApiKeyView {
    const lastUsedAt = Math.max(key.lastUsedAt ?? 0, lastUses.unwritten(key.id) ?? 0)
    return toApiKeyView({ ...key, lastUsedAt: lastUsedAt === 0 ? null : lastUsedAt }, now())
  }

  return {
    ...createApiKeyEditing({ store, vault, change, hashOf, now, view, canReveal, keyCap }),

    /** The newest first. */
    async list(accountId: string): Promise<ApiKeyView[]> {
      const keys = await store.list(accountId)
      return keys.map(view)
    },

    /** Null: the account has no such key. */
    async find(accountId: string, id: string): Promise<ApiKeyView | null> {
      const key = await store.find(accountId, id)
      return key === null ? null : view(key)
    },

    /**
     * Calls back with the id of each key that may have changed, whoever changed it, when this process goes by it
     * already. Returns what ends it.
     */
    onChange(listener: (id: string) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    authorize: authorization.authorize,
    /** False while every look-up asks the database, because the memory may lack a change. */
    isAnsweringFromMemory: keySync.isFresh,
    start: lastUses.start,
    /** Writes what is in memory. */
    stop: lastUses.stop,
  }
}
