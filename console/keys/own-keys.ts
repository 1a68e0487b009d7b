import { useQueryCache } from '@pinia/colada'
import { computed, shallowReactive } from 'vue'

import { useConfirmation } from '../accounts/confirmation.ts'
import { useLiveQuery } from '../live-query.ts'
import { withEnabled, withUpdatedKey, withoutKey } from './key-changes.ts'
import type { KeyView } from './key-view.ts'
import type { Propagation } from './propagation.ts'

/** What the server answers to a change of a key. */
export interface ChangedKey<Key extends KeyView> extends Propagation {
  readonly key: Key
}

/** A key that just got a value. */
export interface MintedKey<Key extends KeyView> extends ChangedKey<Key> {
  readonly value: string
}

/** The calls that keys of every kind have. */
export interface KeyCalls<Key extends KeyView> {
  list(): Promise<readonly Key[]>
  rotate(id: string, overlapMs: number): Promise<MintedKey<Key>>
  setEnabled(id: string, isEnabled: boolean): Promise<ChangedKey<Key>>
  delete(id: string): Promise<Propagation>
  reveal(id: string): Promise<{ readonly value: string }>
}

/** When a key was last used is known to the minute. */
const refreshMs = 30_000

/**
 * The keys of one kind of whoever is signed in, under `name` in the cache. Calls that change one put the answer into
 * the list, and reject with the refusal.
 */
export function useOwnKeys<Key extends KeyView>(name: string, calls: KeyCalls<Key>) {
  const listKey = [name]
  const none: readonly Key[] = []
  const cache = useQueryCache()
  const confirmation = useConfirmation()
  const { data, error, isPending, refetch, updatedAt } = useLiveQuery<readonly Key[]>(
    { key: listKey, query: calls.list },
    refreshMs,
  )
  const switching = shallowReactive(new Set<string>())

  /** A list that was asked for before the change must not come after it. */
  function change(changed: (keys: readonly Key[]) => readonly Key[]): void {
    cache.cancelQueries({ key: listKey })
    const keys = cache.getQueryData<readonly Key[]>(listKey)
    if (keys !== undefined) cache.setQueryData(listKey, changed(keys))
  }

  /** Puts the key of an answer into the list. */
  async function keep<Answer extends { readonly key: Key }>(answer: Promise<Answer>): Promise<Answer> {
    const kept = await answer
    change((keys) => withUpdatedKey(keys, kept.key))
    return kept
  }

  return {
    /** Undefined until they were read. */
    data,
    keys: computed(() => data.value ?? none),
    updatedAt,
    error,
    isPending,
    refetch,
    keep,
    rotate: (id: string, overlapMs: number) => keep(calls.rotate(id, overlapMs)),

    async delete(id: string) {
      const answer = await calls.delete(id)
      change((keys) => withoutKey(keys, id))
      return answer
    },

    /** Shows the new state at once, and takes it back when it is refused. Null: the last switch is still under way. */
    async setEnabled(id: string, isEnabled: boolean) {
      if (switching.has(id)) return null
      switching.add(id)
      change((keys) => withEnabled(keys, id, isEnabled))
      try {
        return await keep(calls.setEnabled(id, isEnabled))
      } catch (refusal) {
        change((keys) => withEnabled(keys, id, !isEnabled))
        throw refusal
      } finally {
        switching.delete(id)
      }
    },

    /** Asks the owner first to confirm who they are, when their sign-in was a while ago. */
    async reveal(id: string): Promise<string> {
      const { value } = await confirmation.withFreshSession(() => calls.reveal(id))
      return value
    },
  }
}
