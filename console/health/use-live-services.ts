import { useQuery } from '@pinia/colada'
import { useDocumentVisibility, useThrottleFn } from '@vueuse/core'
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'

import type { LiveServices } from '../../shared/health-services.ts'
import { callErrorText, faultOf, trpc } from '../trpc.ts'
import { subscribeWithReconnect } from './reconnecting-subscription.ts'
import type { FeedState, SubscriptionEvents } from './reconnecting-subscription.ts'
import { createServiceSummaries } from './service-summaries.ts'
import { servicesQuery } from './services-query.ts'

/** With the id by which the server knows how far this browser has come. */
interface LiveEvent {
  readonly id: string
  readonly data: LiveServices
}

/** Events that arrive within this time (ms) are shown together. */
const togetherMs = 100

/** Reads the list of services, which the server updates while the tab is visible. */
export function useLiveServices() {
  const { data, error, isPending, refetch } = useQuery(servicesQuery)
  const lines = createServiceSummaries()
  const rows = shallowRef(lines.all())
  const changedAt = ref<number | null>(null)
  const knownAt = ref<number | null>(null)
  const feed = ref<FeedState>('connecting')
  let listVersion: string | null = null
  let lastEventId: string | undefined

  function onEvent({ id, data: event }: LiveEvent): void {
    lastEventId = id
    changedAt.value = Date.now()
    if (lines.accept(event)) void show()
    if (listVersion !== null && listVersion !== event.listVersion) void refetch()
    listVersion = event.listVersion
  }

  /** A long list comes as many events at once, and is not drawn for each. */
  const show = useThrottleFn(
    () => {
      rows.value = lines.all()
    },
    togetherMs,
    true,
  )

  watch(
    data,
    (list) => {
      if (list === undefined) return
      lines.load(list)
      rows.value = lines.all()
      knownAt.value = Date.now()
      changedAt.value ??= Date.now()
    },
    { immediate: true },
  )

  const visibility = useDocumentVisibility()
  const subscription = subscribeWithReconnect(
    (events: SubscriptionEvents<LiveEvent>) =>
      trpc.services.live.subscribe(lastEventId === undefined ? undefined : { lastEventId }, events),
    {
      onEvent,
      isCrowded: (refusal) => faultOf(refusal) === 'rate_limited',
      onState(state) {
        if (feed.value === 'live' || state === 'live') knownAt.value = Date.now()
        feed.value = state
      },
    },
    visibility.value === 'hidden',
  )
  watch(visibility, (state) => (state === 'hidden' ? subscription.pause() : subscription.resume()))
  onScopeDispose(() => subscription.stop())

  return {
    rows,
    knownAt,
    changedAt,
    feed,
    isLoading: computed(() => isPending.value),
    error: computed(() => (error.value === null ? null : callErrorText(error.value))),
    reload: () => refetch(),
  }
}
