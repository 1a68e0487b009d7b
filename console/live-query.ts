import { useQuery, useQueryCache } from '@pinia/colada'
import type { EntryKey } from '@pinia/colada'
import { useDocumentVisibility, useIntervalFn } from '@vueuse/core'
import { computed, watch } from 'vue'

interface LiveQueryOptions<Answer> {
  readonly key: EntryKey
  readonly query: () => Promise<Answer>
}

/** A query that asks again every so often, for as long as the tab can be seen. `updatedAt` in epoch ms. */
export function useLiveQuery<Answer>({ key, query }: LiveQueryOptions<Answer>, everyMs: number) {
  const cache = useQueryCache()
  const answer = useQuery({ key, query })
  const visibility = useDocumentVisibility()
  const timer = useIntervalFn(askAgain, everyMs)

  function askAgain(): void {
    if (answer.asyncStatus.value === 'idle') void answer.refetch()
  }

  // Coming back is a reason to ask for what is old by now; Colada does that.
  watch(visibility, (state) => (state === 'hidden' ? timer.pause() : timer.resume()))

  /** Of the last good answer: a failure after it leaves the data as it is. */
  const updatedAt = computed(() => (answer.data.value === undefined ? null : (cache.get(key)?.when ?? null)))
  return { ...answer, updatedAt }
}
