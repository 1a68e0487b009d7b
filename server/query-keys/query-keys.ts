import type { DefaultLimits, QueryKeyUse, QueryKeyView } from '../../shared/query-keys.ts'
import type { Database } from '../platform/database.ts'
import { type RecordKeyEvents, createKeyChanges } from '../keys/changes.ts'
import type { KeyCap } from '../keys/editing.ts'
import { createKeyHash } from '../keys/key-hash.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import { createKeyMemory } from '../keys/memory.ts'
import { type SteadyClock, nonDecreasing } from '../platform/steady-clock.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/vault.ts'
import { createQueryKeyAuthorization } from './authorization.ts'
import { createQueryKeyEditing } from './editing.ts'
import { createIdempotency } from './idempotency/idempotency.ts'
import { createAnswerStore } from './idempotency/store.ts'
import { type QueryKey, queryKeyKind, toQueryKeyView } from './query-key.ts'
import { createQueryKeyStore } from './store.ts'

export type { QueryKey } from './query-key.ts'

/** What query keys need to know of the installation's endpoints. */
export interface KnownEndpoints {
  names(): readonly string[]
  /** Kinds of keys that the operator has listed. */
  keyTypes(): readonly string[]
  /** Of keys that are created without limits. */
  defaultLimits(): DefaultLimits
}

export interface QueryKeysOptions {
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
  readonly world: {
    readonly endpoints: KnownEndpoints
    /** When keys were used last, by their ids; epoch ms, to the minute. */
    lastUses(): ReadonlyMap<string, number>
    /** Where clients reach this installation: `scheme://host[:port]`. */
    origin(): string
    /** What a key has used of its limits now; null: the store of limits does not say. */
    limitsUse(id: string, limits: DefaultLimits): Promise<Omit<QueryKeyUse, 'keyId'> | null>
  }
}

export type QueryKeys = ReturnType<typeof createQueryKeys>

/**
 * Keys for blockchain access. A change is told to all processes, and applied in all that live, before its call
 * returns. Keys of other accounts are `not_found`. Everything that asks the database may be refused with
 * `unavailable`; a change may have been made then. The keys are in memory when `replicas` is loaded.
 */
export function createQueryKeys(options: QueryKeysOptions) {
  const { database, replicas, vault, clock, log, record, canReveal, keyCap, world } = options
  const { endpoints } = world
  const hashOf = createKeyHash(options.hashKey)
  const now = nonDecreasing(clock.now)
  const store = createQueryKeyStore(database)
  const listeners = new Set<(id: string) => void>()
  const memory = createKeyMemory('query_key', store, (id) => {
    for (const listener of listeners) listener(id)
  })
  replicas.keySync.follow(memory)
  const idempotency = createIdempotency({ store: createAnswerStore(database), vault, hashOf, now, log })

  const view = (key: QueryKey): QueryKeyView =>
    toQueryKeyView(key, world.lastUses().get(key.id) ?? null, now())

  const editing = createQueryKeyEditing({
    store,
    vault,
    change: createKeyChanges({ kind: queryKeyKind, database, replicas, record }),
    hashOf,
    now,
    view,
    canReveal,
    keyCap,
    idempotency,
    known: () => ({ endpoints: endpoints.names(), types: endpoints.keyTypes() }),
    defaultLimits: () => endpoints.defaultLimits(),
    urlOf: (endpoint, value) => `${world.origin()}/rpc/${endpoint}/${value}`,
  })

  return {
    ...editing,
    ...createQueryKeyAuthorization({ memory, keySync: replicas.keySync, store, hashOf, now }),

    /** The newest first. */
    async list(accountId: string): Promise<QueryKeyView[]> {
      const keys = await store.list(accountId)
      return keys.map(view)
    },

    /** Null: the account has no such key. */
    async find(accountId: string, id: string): Promise<QueryKeyView | null> {
      const key = await store.find(accountId, id)
      return key === null ? null : view(key)
    },

    /** How much of their limits keys of the account have used now; without those of which that is not known. */
    async uses(accountId: string, ids: readonly string[]): Promise<QueryKeyUse[]> {
      const keys = await store.list(accountId)
      const asked = keys.filter(({ id }) => ids.includes(id))
      const uses = await Promise.all(
        asked.map(async ({ id, rate, credits }) => ({
          keyId: id,
          use: await world.limitsUse(id, { rate, credits }),
        })),
      )
      return uses.flatMap(({ keyId, use }) => (use === null ? [] : [{ keyId, ...use }]))
    },

    /**
     * Calls back with the id of each key that may have changed, whoever changed it, when this process goes by it
     * already. Returns what ends it.
     */
    onChange(listener: (id: string) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },

    /** Answers that are kept for a day for repetitions. Happens by itself. */
    forgetOldAnswers: idempotency.clean,

    start: idempotency.start,
    stop: idempotency.stop,
  }
}
