import type { FoundKey } from './check.ts'
import type { KeyStore } from './key-store.ts'
import type { SyncedKeys } from './replicas/key-sync.ts'
import type { KeyKindName, StoredKey } from './stored-key.ts'

/** All keys of one kind in memory, by the hashes of their values. `KeySync` keeps them in step with the database. */
export interface KeyMemory<Key extends StoredKey> extends SyncedKeys {
  find(hash: string): FoundKey<Key> | null
}

/** Keys that are read from the database at once. */
const pageSize = 2_000

/** Creates the memory of one kind. `onChange` is called with the id of each key that may have changed, after the change, and whether it is gone. */
export function createKeyMemory<Key extends StoredKey>(
  kind: KeyKindName,
  store: Pick<KeyStore<Key>, 'page' | 'findAll'>,
  onChange: (id: string, isGone: boolean) => void = () => undefined,
): KeyMemory<Key> {
  let index = createIndex<Key>()

  return {
    kind,
    find: (hash) => index.find(hash),

    /** Reads all keys. The previous ones stay in use until all are read, because without the database they are the best. */
    async reload() {
      const next = createIndex<Key>()
      let page: Key[] = []
      do {
        page = await store.page(page.at(-1)?.id ?? '', pageSize)
        for (const key of page) next.put(key)
      } while (page.length === pageSize)
      const before = index
      index = next
      for (const id of before.ids()) onChange(id, !next.has(id))
    },

    async refresh(ids) {
      for (let first = 0; first < ids.length; first += pageSize) {
        const asked = ids.slice(first, first + pageSize)
        const gone = new Set(asked)
        for (const key of await store.findAll(asked)) {
          gone.delete(key.id)
          index.put(key)
        }
        for (const id of gone) index.remove(id)
        for (const id of asked) onChange(id, gone.has(id))
      }
    },
  }
}

function createIndex<Key extends StoredKey>() {
  const byId = new Map<string, Key>()
  const byHash = new Map<string, Key>()

  function remove(id: string): void {
    const known = byId.get(id)
    if (known === undefined) return
    byId.delete(id)
    byHash.delete(known.keyHash)
    if (known.previous !== null) byHash.delete(known.previous.hash)
  }

  return {
    find(hash: string): FoundKey<Key> | null {
      const key = byHash.get(hash)
      return key === undefined ? null : foundBy(key, hash)
    },
    ids: () => byId.keys(),
    has: (id: string) => byId.has(id),
    /** Adds a key, or replaces the one of the same id. */
    put(key: Key): void {
      remove(key.id)
      byId.set(key.id, key)
      byHash.set(key.keyHash, key)
      if (key.previous !== null) byHash.set(key.previous.hash, key)
    },
    remove,
  }
}

/** Returns a key found by one of its hashes, with the end of that value when it was replaced. */
export const foundBy = <Key extends StoredKey>(key: Key, hash: string): FoundKey<Key> => ({
  key,
  replacedAt: key.keyHash === hash ? null : (key.previous?.endsAt ?? 0),
})
