import { computed, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'

import type { RecentHistory, ServiceSummary } from '../../shared/health-services.ts'
import { useLiveQuery } from '../live-query.ts'
import { callErrorText, trpc } from '../trpc.ts'

/** The newest tick stands for half an hour, and a figure for days. */
const everyMs = 60_000
/** A change is published first, and stored a moment later. */
const storedWithinMs = 1_500

/** Reads the last day and the uptime of the rows that are shown, all in one call. What is known of others stays. */
export function useRecentHistories(rows: Readonly<Ref<readonly Pick<ServiceSummary, 'id' | 'decision'>[]>>) {
  const known = shallowRef<ReadonlyMap<string, RecentHistory>>(new Map())
  /** Without their order, which changes more often than what is shown. */
  const ids = computed(() => rows.value.map(({ id }) => id).toSorted())
  const answer = useLiveQuery(
    () => ({
      key: ['services', 'recent', ...ids.value],
      query: async () => (ids.value.length === 0 ? [] : await trpc.services.recent.query({ ids: ids.value })),
    }),
    everyMs,
  )
  watch(answer.data, (histories) => {
    if (histories === undefined) return
    known.value = new Map([...known.value, ...histories.map((history) => [history.id, history] as const)])
  })
  watch(
    () =>
      rows.value
        .map(({ id, decision }) => `${id} ${decision}`)
        .toSorted()
        .join(' '),
    () => setTimeout(() => void answer.refetch(), storedWithinMs),
  )

  return {
    histories: known,
    error: computed(() => (answer.error.value === null ? null : callErrorText(answer.error.value))),
    reload: () => void answer.refetch(),
  }
}
