import { useQueryCache } from '@pinia/colada'
import { computed, shallowReactive } from 'vue'

import type { ApiKeyInput, ApiKeyView } from '../../shared/api-keys.ts'
import { useConfirmation } from '../accounts/confirmation.ts'
import { useLiveQuery } from '../live-query.ts'
import { trpc } from '../trpc.ts'
import { withEnabled, withKey, withoutKey } from './key-changes.ts'

type Keys = readonly ApiKeyView[]

const listKey = ['api-key-list']
/** When a key was last used is known to the minute. */
const refreshMs = 30_000
const none: Keys = []

/** The keys of whoever is signed in. Calls that change one put the answer into the list, and reject with the refusal. */
export function useApiKeys() {
  const cache = useQueryCache()
  const confirmation = useConfirmation()
  const { data, error, isPending, refetch, updatedAt } = useLiveQuery<Keys>(
    { key: listKey, query: () => trpc.apiKeys.list.query() },
    refreshMs,
  )
  const switching = shallowReactive(new Set<string>())

  /** A list that was asked for before the change must not come after it. */
  function change(changed: (keys: Keys) => Keys): void {
    cache.cancelQueries({ key: listKey })
    const keys = cache.getQueryData<Keys>(listKey)
    if (keys !== undefined) cache.setQueryData(listKey, changed(keys))
  }

  async function keep<Answer extends { readonly key: ApiKeyView }>(answer: Promise<Answer>): Promise<Answer> {
    const kept = await answer
    change((keys) => withKey(keys, kept.key))
    return kept
  }

  return {
    keys: computed(() => data.value ?? none),
    updatedAt,
    error,
    isPending,
    refetch,
    create: (input: ApiKeyInput) => keep(trpc.apiKeys.create.mutate(input)),
    update: (id: string, input: ApiKeyInput) => keep(trpc.apiKeys.update.mutate({ id, ...input })),
    rotate: (id: string, overlapMs: number) => keep(trpc.apiKeys.rotate.mutate({ id, overlapMs })),

    async delete(id: string) {
      const answer = await trpc.apiKeys.delete.mutate({ id })
      change((keys) => withoutKey(keys, id))
      return answer
    },

    /** Shows the new state at once, and takes it back when it is refused. Null: the last switch is still under way. */
    async setEnabled(id: string, isEnabled: boolean) {
      if (switching.has(id)) return null
      switching.add(id)
      change((keys) => withEnabled(keys, id, isEnabled))
      try {
        return await keep(trpc.apiKeys.setEnabled.mutate({ id, isEnabled }))
      } catch (refusal) {
        change((keys) => withEnabled(keys, id, !isEnabled))
        throw refusal
      } finally {
        switching.delete(id)
      }
    },

    /** Asks the owner first to confirm who they are, when their sign-in was a while ago. */
    async reveal(id: string): Promise<string> {
      const { value } = await confirmation.withFreshSession(() => trpc.apiKeys.reveal.mutate({ id }))
      return value
    },
  }
}
export type OwnApiKeys = ReturnType<typeof useApiKeys>
