import { fault } from '../platform/fault.ts'
import { type AddressLimit, sourceOf } from '../platform/http/address-limit.ts'
import { RecentMap } from '../platform/recent-map.ts'
import type { FoundKey, KeyCaller } from './check.ts'
import type { KeyStore } from './key-store.ts'
import { type KeyMemory, foundBy } from './memory.ts'
import type { StoredKey } from './stored-key.ts'

/** Finds keys in the database by the hashes of their values, those that are not in memory. */
export interface KeyLookUp<Key extends StoredKey> {
  /**
   * Finds a key together with whoever looks for one now, and keeps it in memory. Null at once for a key that did not exist a
   * moment ago. Faults: `unavailable` when the database does not answer or has too much to do, `rate_limited` for many
   * unknown keys of one address.
   */
  find(hash: string, caller: Pick<KeyCaller, 'address'>): null | Promise<Found<Key>>
  /** Asks the database, by itself. Fault: `unavailable`. */
  read(hash: string): Promise<Found<Key>>
}

type Found<Key extends StoredKey> = FoundKey<Key> | null

interface KeyLookUpOptions<Key extends StoredKey> {
  readonly memory: KeyMemory<Key>
  readonly store: Pick<KeyStore<Key>, 'findByHashes'>
  /** Counts unknown keys by address: each costs a look-up in the database. */
  readonly unknownKeys: AddressLimit
  /** Returns ms that never decrease. */
  readonly now: () => number
}

/** Values that are asked for in one statement. */
const mostAtOnce = 500
/** Values that wait for one: more would wait for longer than a caller does. */
const mostWaiting = 10_000
/** Shorter than usual, because others wait behind it. */
const deadlineMs = 1_500
const unknownForMs = 1_000
const mostUnknown = 10_000

/**
 * One statement is under way at a time. Whoever comes meanwhile waits for the next one, together with all others: so a
 * look-up never sees less than what was committed before it began, a disabled key least of all, and however many keys are
 * asked for, this process asks with one connection.
 */
export function createKeyLookUp<Key extends StoredKey>(options: KeyLookUpOptions<Key>): KeyLookUp<Key> {
  const { memory, store, unknownKeys, now } = options
  const waiting = new Map<string, PromiseWithResolvers<Found<Key>>>()
  let isReading = false

  /** Those that did not exist a moment ago, and until when. One that is created meanwhile is in memory, which comes first. */
  const unknown = new RecentMap<string, number>(mostUnknown)

  async function readWaiting(): Promise<void> {
    isReading = true
    while (waiting.size > 0) {
      const asked = [...waiting.entries().take(mostAtOnce)]
      for (const [hash] of asked) waiting.delete(hash)
      await answer(asked)
    }
    isReading = false
  }

  async function answer(asked: readonly [string, PromiseWithResolvers<Found<Key>>][]): Promise<void> {
    try {
      const keep = memory.beginRead()
      const keys = new Map<string, Key>()
      for (const key of await store.findByHashes(
        asked.map(([hash]) => hash),
        deadlineMs,
      )) {
        keep(key)
        keys.set(key.keyHash, key)
        if (key.previous !== null) keys.set(key.previous.hash, key)
      }
      for (const [hash, { resolve }] of asked) {
        const key = keys.get(hash)
        resolve(key === undefined ? null : foundBy(key, hash))
      }
    } catch (error) {
      for (const [, { reject }] of asked) reject(error)
    }
  }

  function readInTurn(hash: string): Promise<Found<Key>> {
    const known = waiting.get(hash)
    if (known !== undefined) return known.promise
    if (waiting.size >= mostWaiting)
      throw fault('unavailable', 'Keys cannot be looked up at the moment; try again shortly', {
        retryAfterSec: 1,
      })
    const asked = Promise.withResolvers<Found<Key>>()
    waiting.set(hash, asked)
    if (!isReading) void readWaiting()
    return asked.promise
  }

  async function readUnlessTooMany(
    hash: string,
    { address }: Pick<KeyCaller, 'address'>,
  ): Promise<Found<Key>> {
    const retryAfterSec = unknownKeys.waitSec(address)
    if (retryAfterSec > 0)
      throw fault('rate_limited', `Too many unknown keys from ${sourceOf(address)}`, { retryAfterSec })
    const found = await readInTurn(hash)
    if (found !== null) return found
    unknownKeys.count(address)
    unknown.set(hash, now() + unknownForMs)
    return null
  }

  return {
    async read(hash) {
      const [key] = await store.findByHashes([hash])
      return key === undefined ? null : foundBy(key, hash)
    },
    find(hash, caller) {
      return (unknown.get(hash) ?? 0) > now() ? null : readUnlessTooMany(hash, caller)
    },
  }
}
