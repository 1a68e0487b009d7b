import { computed, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'

import { type RecentService, type ServiceSummary, servicesPerPage } from '../../shared/health-services.ts'
import { useLiveQuery } from '../live-query.ts'
import { callErrorText, trpc } from '../trpc.ts'

/** The newest tick stands for half an hour, and a figure for days. */
const everyMs = 60_000
/** A change is published first, and stored a moment later. */
const storedWithinMs = 1_500

async function ask(ids: readonly string[]): Promise<RecentService[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / servicesPerPage) }, (_, place) =>
    trpc.services.recent.query({ ids: ids.slice(place * servicesPerPage, (place + 1) * servicesPerPage) }),
  )
  return (await Promise.all(parts)).flat()
}

/** Reads the last day and the uptime of the rows that are shown, as many in one call as it may hold. What is known of others stays. */
export function useRecentHistories(rows: Readonly<Ref<readonly Pick<ServiceSummary, 'id' | 'decision'>[]>>) {
  const known = shallowRef<ReadonlyMap<string, RecentService>>(new Map())
  /** Without their order, which changes more often than what is shown. */
  const ids = computed(() => rows.value.map(({ id }) => id).toSorted())
  const answer = useLiveQuery(
    () => ({
      key: ['services', 'recent', ...ids.value],
      query: () => ask(ids.value),
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
