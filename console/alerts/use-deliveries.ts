import { computed, ref, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'

import type { DeliveryQuery, DeliveryView } from '../../shared/deliveries.ts'
import { useLiveQuery } from '../live-query.ts'
import { callErrorText, trpc } from '../trpc.ts'
import { useToasts } from '../ui/toasts.ts'
import { deliveriesQuery } from './alert-queries.ts'

const refreshMs = 3_000

type DeliveryFilter = Pick<DeliveryQuery, 'channel' | 'state'>

/** The newest deliveries, live, and older ones page by page below them. */
export function useDeliveries(filter: Readonly<Ref<DeliveryFilter>>) {
  const toasts = useToasts()
  const newest = useLiveQuery(() => deliveriesQuery(filter.value), refreshMs)
  const older = shallowRef<readonly DeliveryView[]>([])
  /** Undefined: older ones were not asked for; null: there are no more. */
  const olderCursor = ref<number | null>()
  const isLoadingMore = ref(false)
  const cursor = computed(() =>
    olderCursor.value === undefined ? (newest.data.value?.nextCursor ?? null) : olderCursor.value,
  )
  watch(
    () => JSON.stringify(filter.value),
    () => {
      older.value = []
      olderCursor.value = undefined
    },
  )

  async function loadMore(): Promise<void> {
    if (cursor.value === null || isLoadingMore.value) return
    isLoadingMore.value = true
    const asked = filter.value
    try {
      const page = await trpc.deliveries.list.query({ ...asked, cursor: cursor.value })
      if (asked !== filter.value) return
      older.value = [...older.value, ...page.deliveries]
      olderCursor.value = page.nextCursor
    } catch (error) {
      toasts.show('bad', callErrorText(error))
    } finally {
      isLoadingMore.value = false
    }
  }

  return {
    /** Each once: what is new pushes others from the first page into the second. */
    rows: computed(() => {
      const all = [...(newest.data.value?.deliveries ?? []), ...older.value]
      return [...new Map(all.toReversed().map((delivery) => [delivery.id, delivery])).values()].toReversed()
    }),
    isLoading: newest.isPending,
    error: computed(() => (newest.error.value === null ? null : callErrorText(newest.error.value))),
    retry: () => void newest.refetch(),
    hasMore: computed(() => cursor.value !== null),
    isLoadingMore,
    loadMore,
  }
}
