import { useQuery, useQueryCache } from '@pinia/colada'
import type { EntryKey } from '@pinia/colada'
import { useDocumentVisibility, useIntervalFn } from '@vueuse/core'
import { computed, toValue, watch } from 'vue'
import type { MaybeRefOrGetter } from 'vue'

interface LiveQueryOptions<Answer> {
  readonly key: EntryKey
  readonly query: () => Promise<Answer>
  /** While another key is asked for the first time, the answer of the last one stays. */
  readonly keepsLast?: boolean
}

/** Of what somebody else may change while it is looked at. */
const usualEveryMs = 10_000

/**
 * A query that asks again every so often, for as long as the tab can be seen. Options that are a getter may change.
 * `updatedAt` in epoch ms.
 */
export function useLiveQuery<Answer>(
  options: MaybeRefOrGetter<LiveQueryOptions<Answer>>,
  everyMs = usualEveryMs,
) {
  const cache = useQueryCache()
  const answer = useQuery(() => {
    const { key, query, keepsLast = false } = toValue(options)
    return { key, query, placeholderData: (last: Answer | undefined) => (keepsLast ? last : undefined) }
  })
  const visibility = useDocumentVisibility()
  const timer = useIntervalFn(askAgain, everyMs)

  function askAgain(): void {
    if (answer.asyncStatus.value === 'idle') void answer.refetch()
  }

  // Coming back is a reason to ask for what is old by now; Colada does that.
  watch(visibility, (state) => (state === 'hidden' ? timer.pause() : timer.resume()), { immediate: true })

  /** Of the last good answer: a failure after it leaves the data as it is. */
  const updatedAt = computed(() => {
    const isAnswered = answer.data.value !== undefined && !answer.isPlaceholderData.value
    return isAnswered ? (cache.get(toValue(options).key)?.when ?? null) : null
  })
  return { ...answer, updatedAt }
}
