import type { ApiKeyView } from '../../shared/api-keys.ts'
import { apiKeyPrefix, isWellFormedKey } from '../keys/key-value.ts'
import type { Keys } from '../keys/keys.ts'
import type { ApiKey } from './api-key.ts'
import { type KeyUse, type Verdict, check } from './check.ts'
import type { ApiKeyUses } from './last-uses.ts'

/** Decides whether a value that somebody shows may be used. */
export function createApiKeyAuthorization(keys: Keys<ApiKey, ApiKeyView>, lastUses: ApiKeyUses) {
  const { keySync, findInMemory, isMemoryComplete, lookUp } = keys

  function find(hash: string, caller: Pick<KeyUse, 'address'>) {
    if (!keySync.isFresh()) return lookUp.read(hash)
    const found = findInMemory(hash)
    return found !== null || isMemoryComplete() ? found : lookUp.find(hash, caller)
  }

  return {
    /**
     * The verdict on one use of a value; null when none was shown. Faults: `unavailable` when the memory is not known to be in
     * step, or does not have the key, and the database does not answer; `rate_limited` for many unknown keys of one address.
     */
    async authorize(value: string | null, use: KeyUse): Promise<Verdict<ApiKey>> {
      if (value === null) return { kind: 'invalid', why: 'missing' }
      if (!isWellFormedKey(value, apiKeyPrefix)) return { kind: 'invalid', why: 'malformed' }
      const hash = keys.hashOf(value)
      const found = await find(hash, use)
      const at = keys.now()
      const verdict = check(found, use, at)
      if (verdict.kind === 'allowed') lastUses.note(verdict.key, at)
      return verdict
    },
  }
}
