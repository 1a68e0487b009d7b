import type { QueryKeyView } from '../../shared/query-keys.ts'
import { createPatternMatcher } from '../../shared/method-access.ts'
import { Fault, fault, isFault } from '../platform/fault.ts'
import { type FoundKey, type KeyCaller, type KeyVerdict, checkKey } from '../keys/check.ts'
import { isWellFormedKey, queryKeyPrefix } from '../keys/key-value.ts'
import type { Keys } from '../keys/keys.ts'
import { type QueryKey, goesOnWithoutDatabaseSec } from './query-key.ts'

/** Callers choose the names that a pattern matches, so only so many are remembered of a key. */
const mostRemembered = 100

const keysElsewhere = new WeakMap<QueryKey, Map<string, QueryKey>>()

/** Returns the key as one for another endpoint, and the same object each time: much is remembered by it. */
function keyAt(key: QueryKey, endpoint: string): QueryKey {
  const known = keysElsewhere.get(key) ?? new Map<string, QueryKey>()
  keysElsewhere.set(key, known)
  const found = known.get(endpoint) ?? { ...key, endpoint }
  if (known.size < mostRemembered) known.set(endpoint, found)
  return found
}

/** Whether a key works at an endpoint besides the one that it is made for. */
const worksAt = ({ moreEndpoints }: QueryKey, endpoint: string): boolean =>
  moreEndpoints.length > 0 && createPatternMatcher(moreEndpoints)(endpoint)

/** Whether a query key may be used. All that is `invalid` looks the same to who called. */
export type QueryKeyVerdict =
  | KeyVerdict<QueryKey>
  | { readonly kind: 'invalid'; readonly why: 'other_endpoint' }

/** Decides whether a value that somebody shows may be used. */
export function createQueryKeyAuthorization(keys: Keys<QueryKey, QueryKeyView>) {
  const { keySync, findInMemory, isMemoryComplete, lookUp, hashOf, now } = keys

  function verdict(found: FoundKey<QueryKey> | null, endpoint: string, caller: KeyCaller): QueryKeyVerdict {
    // As if it did not exist, before its restrictions could tell that it does.
    if (found !== null && found.key.endpoint !== endpoint) return verdictElsewhere(found, endpoint, caller)
    return checkKey(found, caller, now())
  }

  /** Of a key that was made for another endpoint, and may work at this one besides. */
  function verdictElsewhere(found: FoundKey<QueryKey>, endpoint: string, caller: KeyCaller): QueryKeyVerdict {
    if (!worksAt(found.key, endpoint)) return { kind: 'invalid', why: 'other_endpoint' }
    return checkKey({ ...found, key: keyAt(found.key, endpoint) }, caller, now())
  }

  const isMemoryBelieved = (): boolean => keySync.ageMs() <= goesOnWithoutDatabaseSec * 1_000

  /**
   * What was known last goes on for a while without the database; of others it cannot be said whether they exist. No
   * change claims to have been applied everywhere before that while is over.
   */
  function rememberedOrThrow(hash: string): FoundKey<QueryKey> {
    const found = isMemoryBelieved() ? findInMemory(hash) : null
    if (found !== null) return found
    throw fault('unavailable', 'Keys cannot be looked up at the moment; try again shortly', {
      retryAfterSec: 2,
    })
  }

  /** While memory is in step with the database. */
  function findFresh(hash: string, caller: Pick<KeyCaller, 'address'>) {
    const found = findInMemory(hash)
    return found !== null || isMemoryComplete() ? found : lookUp.find(hash, caller)
  }

  async function readThrough(hash: string): Promise<FoundKey<QueryKey> | null> {
    try {
      return await lookUp.read(hash)
    } catch (error) {
      if (isFault(error, 'unavailable')) return rememberedOrThrow(hash)
      throw error
    }
  }

  return {
    /**
     * The verdict on one use of a value at an endpoint; null when no value was shown. Synchronous and without SQL
     * for a key in memory that is in step with the database, and while the database is away. Faults: `unavailable` while
     * the database is away, for a key that is not in memory, and after five minutes for every key; `rate_limited` for many
     * unknown keys of one address.
     */
    authorize(
      value: string | null,
      endpoint: string,
      caller: KeyCaller,
    ): QueryKeyVerdict | Promise<QueryKeyVerdict> {
      if (value === null) return { kind: 'invalid', why: 'missing' }
      if (!isWellFormedKey(value, queryKeyPrefix)) return { kind: 'invalid', why: 'malformed' }
      const hash = hashOf(value)
      if (keySync.isFresh()) {
        const found = findFresh(hash, caller)
        return found instanceof Promise
          ? found.then((read) => verdict(read, endpoint, caller))
          : verdict(found, endpoint, caller)
      }
      if (keySync.isCutOff()) return verdict(rememberedOrThrow(hash), endpoint, caller)
      return readThrough(hash).then((found) => verdict(found, endpoint, caller))
    },

    /** Whether keys are looked up as ever; while the database is away, whether those in memory are still believed. */
    databaseState(): 'answering' | 'away' | 'away_too_long' {
      if (keySync.isFresh() || !keySync.isCutOff()) return 'answering'
      return isMemoryBelieved() ? 'away' : 'away_too_long'
    },

    /**
     * Finds a key, whether it may be used or not: for what must be answered before a key is checked. Null also where it
     * cannot be looked up.
     */
    findByValue(
      value: string,
      caller: Pick<KeyCaller, 'address'>,
    ): QueryKey | null | Promise<QueryKey | null> {
      if (!isWellFormedKey(value, queryKeyPrefix)) return null
      const hash = hashOf(value)
      const found = keySync.isFresh() ? findFresh(hash, caller) : findInMemory(hash)
      if (!(found instanceof Promise)) return found?.key ?? null
      return found.then((read) => read?.key ?? null, nullIfRefused)
    },
  }
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Fault) return null
  throw error
}
