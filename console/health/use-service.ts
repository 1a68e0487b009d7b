import { computed, watch } from 'vue'
import type { Ref } from 'vue'

import type { HistoryRange, ServiceHistory } from '../../shared/health-details.ts'
import { useLiveQuery } from '../live-query.ts'
import { callErrorText, faultOf, trpc } from '../trpc.ts'
import { uptimeRanges } from './ranges.ts'

const detailsEveryMs = 2_000
const historyEveryMs = 60_000
/** A change is published first, and stored a moment later. */
const storedWithinMs = 1_500

/** A range of minutes is out of date within seconds. */
const shownEveryMs = 15_000

/**
 * Reads one service with everything behind its decision, and polls it while the tab is visible: the ranges of the uptime
 * figures, and the one that is shown.
 */
export function useService(id: string, shown: Readonly<Ref<HistoryRange>>) {
  const details = useLiveQuery(
    { key: ['services', id, 'details'], query: () => trpc.services.details.query({ id }) },
    detailsEveryMs,
  )
  const historyOf = (range: HistoryRange) => ({
    key: ['services', id, 'history', range],
    query: () => trpc.services.history.query({ id, range }),
  })
  const pasts = [
    ...uptimeRanges.map((range) => useLiveQuery(historyOf(range), historyEveryMs)),
    useLiveQuery(() => historyOf(shown.value), shownEveryMs),
  ]
  watch(
    () => details.data.value?.decision,
    (_decision, before) => {
      if (before === undefined) return
      setTimeout(() => pasts.forEach(({ refetch }) => void refetch()), storedWithinMs)
    },
  )

  return {
    service: details.data,
    answeredAt: details.updatedAt,
    isMissing: computed(() => faultOf(details.error.value) === 'not_found'),
    error: computed(() => (details.error.value === null ? null : callErrorText(details.error.value))),
    reload: () => void details.refetch(),
    histories: computed((): Partial<Record<HistoryRange, ServiceHistory>> => {
      const read = pasts.flatMap(({ data }) => (data.value === undefined ? [] : [data.value]))
      return Object.fromEntries(read.map((history) => [history.range, history]))
    }),
    historyError: computed(() => {
      const failed = pasts.find(({ error }) => error.value !== null)?.error.value ?? null
      return failed === null ? null : callErrorText(failed)
    }),
  }
}
