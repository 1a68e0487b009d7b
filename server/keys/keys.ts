/**
 * Keys: what API keys and query keys have in common. The database holds an HMAC of a key's value, never the value itself,
 * except sealed where the installation may show it again.
 *
 * The use of a key takes these steps:
 * 1. `key-value.ts` checks format and checksum, so that a typing mistake costs no look-up, and hashes the value.
 * 2. `memory.ts` finds the key by its hash while `replicas/key-sync.ts` knows that memory is in step with the database. One that
 *    it does not hold is found in the database (`key-store.ts`) by `look-up.ts`: one statement at a time for all who wait.
 * 3. `check.ts` decides: enabled, not expired, allowed address (`addresses.ts`), allowed domain of the page.
 *
 * A change takes these steps:
 * 1. `editing.ts` checks what was asked for (`restrictions.ts`) and makes the new value and the new row (`rows.ts`).
 * 2. `changes.ts` writes the row, the audit entry and an entry of the change log (`replicas/change-log.ts`) in one
 *    transaction, one change of an account after the other.
 * 3. The call returns when all processes that live have applied the change, or says that one of them has not yet.
 *
 * Failures: a change of which it is unknown whether it was committed makes this process distrust its memory until the next
 * sync. A process that lost touch reads all keys again.
 *
 * Up to 50,000 keys of a kind are all in memory: a process of that size is small, an unknown key costs nothing, and while the
 * database is away every key goes on. Of more, memory holds those that were used last (some 70 MB); the first
 * use of another one takes a round trip, many unknown ones of one address are refused for a minute, and while the database is
 * away a key that is not in memory is refused as unavailable.
 */
import type { Database, Sql, TransactionSql } from '../platform/database.ts'
import { type SteadyClock, nonDecreasing } from '../platform/steady-clock.ts'
import type { Vault } from '../platform/vault.ts'
import { type RecordKeyEvents, createKeyChanges } from './changes.ts'
import { type KeepLabel, type KeyCap, createKeyEditing } from './editing.ts'
import { createKeyHash } from './key-value.ts'
import type { KeyReplicas } from './key-replicas.ts'
import type { KeyListPosition, KeyStore } from './key-store.ts'
import { createKeyLookUp } from './look-up.ts'
import { type KeyListener, createKeyMemory } from './memory.ts'
import { createAddressLimit } from '../platform/http/address-limit.ts'
import type { KeyKind, StoredKey } from './stored-key.ts'

export interface KeysOptions {
  readonly database: Database
  readonly replicas: KeyReplicas
  readonly vault: Vault
  /** Secret of at least 32 bytes under which keys are hashed: the same in every process of the installation. */
  readonly hashKey: Uint8Array
  readonly clock: SteadyClock
  /** Adds to the audit log, in the transaction of the change. */
  readonly record: RecordKeyEvents
  /** Whether the value of a key can be shown again. */
  readonly canReveal: boolean
  readonly keyCap: KeyCap
  readonly keepLabel: KeepLabel
  /** Keys of a kind that are all held in memory. */
  readonly mostInMemory?: number
}

const usualMostInMemory = 50_000
const unknownKeysPerMinute = 600

/** How one kind of keys differs from the others. */
export interface KeyTraits<Key extends StoredKey, View> {
  readonly kind: KeyKind
  readonly store: KeyStore<Key>
  /** Returns what the owner sees of these keys at an instant (epoch ms), in their order. */
  readonly views: (sql: Sql, keys: readonly Key[], now: number) => Promise<View[]>
  /** Returns the fields of a key that the audit log records. */
  readonly factsOf: (key: Key) => Readonly<Record<string, unknown>>
}

interface AllKeysPart {
  readonly accountId: string | null
  /** A part of the name, an id or a hint; blank: all. */
  readonly search: string
  readonly after: KeyListPosition | null
  readonly limit: number
}

interface OwnedKeysPage<View> {
  readonly keys: readonly { readonly accountId: string; readonly key: View }[]
  /** Behind which the next page begins; null: there is none. */
  readonly last: KeyListPosition | null
}

/** When a key ends (epoch ms). */
interface KeyEnd {
  readonly id: string
  readonly name: string
  readonly endsAt: number
}

export type Keys<Key extends StoredKey, View> = ReturnType<typeof createKeys<Key, View>>

/**
 * What keys of every kind have in common. A change is told to all processes, and applied in all that live, before its
 * call returns. Keys of other accounts are `not_found`. Everything that asks the database may be refused with
 * `unavailable`; a change may have been made then. The keys are in memory when `replicas` is loaded.
 */
export function createKeys<Key extends StoredKey, View>(
  options: KeysOptions,
  { kind, store, views: viewsAt, factsOf }: KeyTraits<Key, View>,
) {
  const { database, replicas, hashKey, clock, record } = options
  const { keySync } = replicas
  const hashOf = createKeyHash(hashKey)
  const now = nonDecreasing(clock.now)
  /** `within`: the transaction that changes them, so that it takes no second connection. */
  const views = (shown: readonly Key[], within?: TransactionSql): Promise<View[]> =>
    within === undefined ? database.run((sql) => viewsAt(sql, shown, now())) : viewsAt(within, shown, now())

  async function view(key: Key, within?: TransactionSql): Promise<View> {
    const [shown] = await views([key], within)
    if (shown === undefined) throw new TypeError('a key without a view')
    return shown
  }

  const listeners = new Set<(id: string | null) => void>()
  const deletionListeners = new Set<() => void>()
  const onMemoryChange: KeyListener = (id, isGone) => {
    for (const listener of listeners) listener(id)
    if (isGone) for (const listener of deletionListeners) listener()
  }
  const { mostInMemory = usualMostInMemory } = options
  const memory = createKeyMemory(kind.name, store, mostInMemory, onMemoryChange)
  const unknownKeys = createAddressLimit(unknownKeysPerMinute, now)
  keySync.follow(memory)
  const change = createKeyChanges({ kind, database, replicas, record })

  return {
    hashOf,
    /** Returns epoch ms that never decrease. */
    now,
    view,
    views,
    change,
    editing: createKeyEditing({ ...options, kind, store, change, hashOf, now, view, factsOf }),

    /** The newest first. */
    async list(accountId: string): Promise<View[]> {
      return await views(await store.list(accountId))
    },

    /** Keys of all accounts that can be used and end in this span (epoch ms), the next one first. */
    async ending(span: { readonly from: number; readonly to: number }, limit: number): Promise<KeyEnd[]> {
      const found = await store.ending(span, limit)
      return found.map(({ id, name, expiresAt }) => ({ id, name, endsAt: expiresAt ?? span.to }))
    },

    /** A page of the keys of one account, or of all (null), with whose each is; the newest first. */
    async pageOfAll({ accountId, search, after, limit }: AllKeysPart): Promise<OwnedKeysPage<View>> {
      const text = search === '' ? undefined : search
      const found = await store.listPart(accountId, { equal: {}, text, after, limit: limit + 1 })
      const shown = found.slice(0, limit)
      const seen = await views(shown)
      return {
        keys: seen.map((key, place) => ({ accountId: shown[place]?.accountId ?? '', key })),
        last: found.length > limit ? (shown.at(-1) ?? null) : null,
      }
    },

    /** Null: the account has no such key. */
    async find(accountId: string, id: string): Promise<View | null> {
      const key = await store.find(accountId, id)
      return key === null ? null : await view(key)
    },

    findInMemory: memory.find,
    /** Whether a key that is not in memory does not exist, while memory is in step. */
    isMemoryComplete: memory.isComplete,
    lookUp: createKeyLookUp({ memory, store, unknownKeys, now }),
    /** Tells how far the memory is to be trusted. */
    keySync,

    /**
     * Calls back with the id of each key that may have changed, whoever changed it, when this process goes by it
     * already; with null when any may have. Returns what ends it.
     */
    onChange(listener: (id: string | null) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Calls back when keys were deleted, whoever deleted them. */
    onDelete: (listener: () => void): void => void deletionListeners.add(listener),
  }
}
