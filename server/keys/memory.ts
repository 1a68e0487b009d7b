import type { FoundKey } from './check.ts'
import { createKeyIndex } from './key-index.ts'
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
