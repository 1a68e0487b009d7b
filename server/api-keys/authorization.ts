import type { ApiKey } from './api-key.ts'
import { type KeyCache, foundBy } from './cache.ts'
import { type Found, type KeyUse, type Verdict, check } from './check.ts'
import { apiKeyPrefix, isWellFormedKey } from './key-format.ts'
import type { LastUses } from './last-uses.ts'
import type { Follower } from './replicas/follower.ts'
import type { ApiKeyStore } from './store.ts'

export interface AuthorizationOptions {
  readonly cache: KeyCache
  readonly follower: Follower
  readonly store: ApiKeyStore
  readonly lastUses: LastUses
  readonly hashOf: (value: string) => string
  /** Epoch ms, never running back. */
  readonly now: () => number
}

/** Decides whether a value that somebody shows may be used. */
export function createAuthorization({ cache, follower, store, lastUses, hashOf, now }: AuthorizationOptions) {
  async function readThrough(hash: string): Promise<Found<ApiKey> | null> {
    const key = await store.findByHash(hash)
    return key === null ? null : foundBy(key, hash)
  }

  return {
    /**
     * The verdict on one use of a value; null when none was shown. Fault: `unavailable` when the memory is not
     * known to be in step and the database does not answer.
     */
    async authorize(value: string | null, use: Omit<KeyUse, 'now'>): Promise<Verdict<ApiKey>> {
      if (value === null) return { kind: 'invalid', why: 'missing' }
      if (!isWellFormedKey(value, apiKeyPrefix)) return { kind: 'invalid', why: 'malformed' }
      const hash = hashOf(value)
      const found = follower.isFresh() ? cache.find(hash) : await readThrough(hash)
      const at = now()
      const verdict = check(found, { ...use, now: at })
      if (verdict.kind === 'allowed') lastUses.note(verdict.key, at)
      return verdict
    },
  }
}
