import type { Found } from '../platform/keys/check.ts'
import { apiKeyPrefix, isWellFormedKey } from '../platform/keys/key-format.ts'
import { type KeyMemory, foundBy } from '../platform/keys/memory.ts'
import type { Follower } from '../platform/keys/replicas/follower.ts'
import type { ApiKey } from './api-key.ts'
import { type KeyUse, type Verdict, check } from './check.ts'
import type { LastUses } from './last-uses.ts'
import type { ApiKeyStore } from './store.ts'

export interface AuthorizationOptions {
  readonly memory: KeyMemory<ApiKey>
  readonly follower: Follower
  readonly store: ApiKeyStore
  readonly lastUses: LastUses
  readonly hashOf: (value: string) => string
  /** Epoch ms, never running back. */
  readonly now: () => number
}

/** Decides whether a value that somebody shows may be used. */
export function createAuthorization({
  memory,
  follower,
  store,
  lastUses,
  hashOf,
  now,
}: AuthorizationOptions) {
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
      const found = follower.isFresh() ? memory.find(hash) : await readThrough(hash)
      const at = now()
      const verdict = check(found, { ...use, now: at })
      if (verdict.kind === 'allowed') lastUses.note(verdict.key, at)
      return verdict
    },
  }
}
