import type { ApiKey } from './api-key.ts'
import type { Found } from './check.ts'

/** All keys of the installation in memory, by the hashes of their values. */
export interface KeyCache {
  find(hash: string): Found<ApiKey> | null
  /** Adds a key, or puts it in the place of what was known of it. */
  put(key: ApiKey): void
  remove(id: string): void
  clear(): void
  readonly size: number
}

export function createKeyCache(): KeyCache {
  const byId = new Map<string, ApiKey>()
  const byHash = new Map<string, ApiKey>()

  function remove(id: string): void {
    const known = byId.get(id)
    if (known === undefined) return
    byId.delete(id)
    byHash.delete(known.keyHash)
    if (known.previous !== null) byHash.delete(known.previous.hash)
  }

  return {
    find(hash) {
      const key = byHash.get(hash)
      return key === undefined ? null : foundBy(key, hash)
    },
    put(key) {
      remove(key.id)
      byId.set(key.id, key)
      byHash.set(key.keyHash, key)
      if (key.previous !== null) byHash.set(key.previous.hash, key)
    },
    remove,
    clear() {
      byId.clear()
      byHash.clear()
    },
    get size() {
      return byId.size
    },
  }
}

/** What finding a key by one of its hashes means. */
export const foundBy = (key: ApiKey, hash: string): Found<ApiKey> => ({
  key,
  replacedAt: key.keyHash === hash ? null : (key.previous?.endsAt ?? 0),
})
