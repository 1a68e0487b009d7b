import type { ApiKeyView } from '../../shared/api-keys.ts'
import type { Database } from '../platform/database.ts'
import { randomId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Vault } from '../platform/vault.ts'
import { type ApiKey, viewOf } from './api-key.ts'
import { createAuthorization } from './authorization.ts'
import { createKeyCache } from './cache.ts'
import { type RecordKeyEvent, createKeyChanges } from './changes.ts'
import { createEditing } from './editing.ts'
import { createKeyHash } from './key-hash.ts'
import { createLastUses } from './last-uses.ts'
import { neverBack } from './never-back.ts'
import { createFollower } from './replicas/follower.ts'
import { createReplicaStore } from './replicas/store.ts'
import { createRowReader } from './rows.ts'
import { createApiKeyStore } from './store.ts'

export type { Author, KeyEvent, RecordKeyEvent } from './changes.ts'
export type { ApiKeyGuard } from './guard.ts'

export interface ApiKeysOptions {
  readonly database: Database
  readonly vault: Vault
  /** Secret of at least 32 bytes under which keys are hashed: the same in every process of the installation. */
  readonly hashKey: Uint8Array
  readonly clock: SteadyClock
  readonly log: Log
  /** Adds to the audit log, in the transaction of the change. */
  readonly record: RecordKeyEvent
  /** Whether the value of a key can be shown again. */
  readonly canReveal: boolean
}

export type ApiKeys = Awaited<ReturnType<typeof createApiKeys>>

/**
 * Administrative API keys. A change is told to all processes, and applied in all that live, before its call returns.
 * Keys of other accounts are `not_found`. Everything that asks the database may be refused with `unavailable`; a
 * change may have been made then.
 */
export async function createApiKeys(options: ApiKeysOptions) {
  const { database, vault, clock, log, record, canReveal } = options
  const hashOf = createKeyHash(options.hashKey)
  const now = neverBack(() => Math.floor(clock.now()))
  const toApiKey = createRowReader()
  const store = createApiKeyStore(database, toApiKey)
  const replicas = createReplicaStore(database, toApiKey)
  const cache = createKeyCache()
  const nodeId = randomId('node')
  const follower = createFollower({ database, cache, keys: store, replicas, clock, log, nodeId })
  const lastUses = createLastUses(store, log)
  const authorization = createAuthorization({ cache, follower, store, lastUses, hashOf, now })
  const change = createKeyChanges({ database, replicas, follower, record })

  function view(key: ApiKey): ApiKeyView {
    const lastUsedAt = Math.max(key.lastUsedAt ?? 0, lastUses.unwritten(key.id) ?? 0)
    return viewOf({ ...key, lastUsedAt: lastUsedAt === 0 ? null : lastUsedAt }, now())
  }

  await follower.load()

  return {
    ...createEditing({ store, vault, change, hashOf, now, view, canReveal }),

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

    authorize: authorization.authorize,
    /** False while every look-up asks the database, because the memory may lack a change. */
    isAnsweringFromMemory: follower.isFresh,
    /** Applies what was committed elsewhere before the call. Happens by itself twice a second. */
    sync: follower.sync,

    start() {
      follower.start()
      lastUses.start()
    },
    /** Writes what is in memory. */
    async stop() {
      await lastUses.stop()
      await follower.stop()
    },
  }
}
