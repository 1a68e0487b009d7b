import type { FoundKey } from './check.ts'
import type { KeyStore } from './key-store.ts'
import type { SyncedKeys } from './replicas/key-sync.ts'
import type { KeyKindName, StoredKey } from './stored-key.ts'

/**
 * Keys of one kind in memory, by the hashes of their values: all of them, or, where there are too many, those that were
 * used last. `KeySync` keeps them in step with the database.
 */
export interface KeyMemory<Key extends StoredKey> extends SyncedKeys {
  find(hash: string): FoundKey<Key> | null
  /** Whether a key that is not found does not exist. */
  isComplete(): boolean
  /**
   * Called before keys are read that are not here. What it returns keeps one that was read, unless a change was applied
   * meanwhile: the key may have been read before it.
   */
  beginRead(): (key: Key) => void
}

/** Is told of a key that may have changed, after the change, and whether it is gone; null: any key may have changed. */
export type KeyListener = (id: string | null, isGone: boolean) => void

/** Keys that are read from the database at once. */
const pageSize = 2_000

/** Creates the memory of one kind, which holds all keys where there are at most `mostKeys`. */
export function createKeyMemory<Key extends StoredKey>(
  kind: KeyKindName,
  store: Pick<KeyStore<Key>, 'page' | 'findAll' | 'hasMoreThan'>,
  mostKeys: number,
  onChange: KeyListener = () => undefined,
): KeyMemory<Key> {
  let index = createKeyIndex<Key>(mostKeys)
  let isComplete = false
  /** Counts what was learned of changes. */
  let news = 0

  async function readAll() {
    const next = createKeyIndex<Key>(mostKeys)
    let page: Key[] = []
    do {
      page = await store.page(page.at(-1)?.id ?? '', pageSize)
      for (const key of page) next.put(key)
    } while (page.length === pageSize)
    return next
  }

  /** Reads those that were in memory. */
  async function readSome(ids: readonly string[]) {
    const next = createKeyIndex<Key>(mostKeys)
    for (let first = 0; first < ids.length; first += pageSize)
      for (const key of await store.findAll(ids.slice(first, first + pageSize))) next.put(key)
    return next
  }

  return {
    kind,
    find: (hash) => index.find(hash),
    isComplete: () => isComplete && index.isWhole(),

    beginRead() {
      const before = news
      return (key) => {
        if (news === before) index.put(key)
      }
    },

    /** The previous keys stay in use until all are read, because without the database they are the best. */
    async reload() {
      news += 1
      const isTooMuch = await store.hasMoreThan(mostKeys)
      const next = isTooMuch ? await readSome(index.ids()) : await readAll()
      const before = index
      index = next
      isComplete = !isTooMuch
      news += 1
      for (const id of before.ids()) onChange(id, !next.has(id))
      if (isTooMuch) onChange(null, false)
    },

    async refresh(ids) {
      news += 1
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

/** Keys by their ids, and by the hashes of their values. */
interface KeyIndex<Key extends StoredKey> {
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
function createKeyIndex<Key extends StoredKey>(mostKeys: number): KeyIndex<Key> {
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
