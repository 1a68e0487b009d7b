import type { FoundKey } from '../keys/check.ts'
import { apiKeyPrefix, isWellFormedKey } from '../keys/key-format.ts'
import { type KeyMemory, foundBy } from '../keys/memory.ts'
import type { KeySync } from '../keys/replicas/key-sync.ts'
import type { ApiKey } from './api-key.ts'
import { type KeyUse, type Verdict, check } from './check.ts'
import type { ApiKeyUses } from './last-uses.ts'
import type { ApiKeyStore } from './store.ts'

export interface ApiKeyAuthorizationOptions {
  readonly memory: KeyMemory<ApiKey>
  readonly keySync: KeySync
  readonly store: ApiKeyStore
  readonly lastUses: ApiKeyUses
  readonly hashOf: (value: string) => string
  /** Epoch ms, never running back. */
  readonly now: () => number
}

/** Decides whether a value that somebody shows may be used. */
export function createApiKeyAuthorization({
  memory,
  keySync,
  store,
  lastUses,
  hashOf,
  now,
}: ApiKeyAuthorizationOptions) {
  async function readThrough(hash: string): Promise<FoundKey<ApiKey> | null> {
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
      const found = keySync.isFresh() ? memory.find(hash) : await readThrough(hash)
      const at = now()
      const verdict = check(found, { ...use, now: at })
      if (verdict.kind === 'allowed') lastUses.note(verdict.key, at)
      return verdict
    },
  }
}
