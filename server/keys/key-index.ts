import type { FoundKey } from './check.ts'
import type { StoredKey } from './stored-key.ts'

/** Keys by their ids, and by the hashes of their values. */
export interface KeyIndex<Key extends StoredKey> {
  find(hash: string): FoundKey<Key> | null
  ids(): string[]
  has(id: string): boolean
  /** Adds a key, or replaces the one of the same id. */
  put(key: Key): void
  remove(id: string): void
  /** Whether it has every key that was ever put into it and not removed. */
  isWhole(): boolean
}

/** The keys that were put into it or found at about the same time. */
interface Generation<Key> {
  readonly byId: Map<string, Key>
  readonly byHash: Map<string, Key>
}

const emptyGeneration = <Key>(): Generation<Key> => ({ byId: new Map(), byHash: new Map() })

/**
 * Creates an index that holds every key up to `mostKeys`. With more it forgets: keys are in two generations then, a key
 * that is found is moved into the younger one, and whenever that holds half of the most, the older one is forgotten. So
 * a look-up changes nothing for a key that is in frequent use, and none of those that are is forgotten.
 */
export function createKeyIndex<Key extends StoredKey>(mostKeys: number): KeyIndex<Key> {
  let young = emptyGeneration<Key>()
  let old = emptyGeneration<Key>()
  let isWhole = true

  function remove(id: string): void {
    removeFrom(young, id)
    removeFrom(old, id)
  }

  function add(key: Key): void {
    if (young.byId.size >= (isWhole ? mostKeys : mostKeys / 2)) {
      isWhole = false
      old = young
      young = emptyGeneration()
    }
    young.byId.set(key.id, key)
    young.byHash.set(key.keyHash, key)
    if (key.previous !== null) young.byHash.set(key.previous.hash, key)
  }

  function findOld(hash: string): Key | undefined {
    const key = old.byHash.get(hash)
    if (key === undefined) return undefined
    remove(key.id)
    add(key)
    return key
  }

  return {
    find(hash) {
      const key = young.byHash.get(hash) ?? findOld(hash)
      return key === undefined ? null : foundBy(key, hash)
    },
    ids: () => [...young.byId.keys(), ...old.byId.keys()],
    has: (id) => young.byId.has(id) || old.byId.has(id),
    put(key) {
      remove(key.id)
      add(key)
    },
    remove,
    isWhole: () => isWhole,
  }
}

function removeFrom<Key extends StoredKey>({ byId, byHash }: Generation<Key>, id: string): void {
  const known = byId.get(id)
  if (known === undefined) return
  byId.delete(id)
  byHash.delete(known.keyHash)
  if (known.previous !== null) byHash.delete(known.previous.hash)
}

/** Returns a key found by one of its hashes, with the end of that value when it was replaced. */
export const foundBy = <Key extends StoredKey>(key: Key, hash: string): FoundKey<Key> => ({
  key,
  replacedAt: key.keyHash === hash ? null : (key.previous?.endsAt ?? 0),
})
