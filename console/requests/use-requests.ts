import { useDocumentVisibility } from '@vueuse/core'
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'

import { missingRequests } from '../../shared/request-log.ts'
import type {
  AskedProcesses,
  LiveRequests,
  RequestPage,
  ShownRequest,
  UpstreamHealth,
} from '../../shared/request-log.ts'
import { subscribeWithReconnect } from '../health/reconnecting-subscription.ts'
import type {
  FeedState,
  ReconnectingSubscription,
  SubscriptionEvents,
} from '../health/reconnecting-subscription.ts'
import { callErrorText, faultOf, trpc } from '../trpc.ts'
import { beginOf, requestFilterOf, withoutRepetition } from './request-view.ts'
import type { RequestView } from './request-view.ts'

/** More rows than anybody reads make a page slow; older ones come by "Load older ones". */
const mostLive = 500

const answeringOf = ({ processes, silent }: AskedProcesses): number => processes - silent.length

/** Reads the log page by page, and adds what comes meanwhile unless that is held. */
export function useRequests(view: Readonly<Ref<RequestView>>, isHeld: Readonly<Ref<boolean>>) {
  const rows = shallowRef<readonly ShownRequest[]>([])
  const held = shallowRef<readonly ShownRequest[]>([])
  const health = shallowRef<readonly UpstreamHealth[]>([])
  const asked = shallowRef<AskedProcesses | null>(null)
  const cursor = ref<string | null>(null)
  const error = ref<string | null>(null)
  const isLoading = ref(true)
  const isLoadingMore = ref(false)
  const feed = ref<FeedState>('connecting')
  let subscription: ReconnectingSubscription | null = null
  /** Tells answers to an earlier view apart. */
  let reading = 0

  async function read(before: string | null): Promise<void> {
    const own = ++reading
    try {
      const page = await trpc.requests.list.query({
        ...requestFilterOf(view.value),
        from: beginOf(view.value, Date.now()),
        ...(before !== null && { before }),
      })
      if (own === reading) take(page)
    } catch (thrown) {
      if (own === reading) error.value = callErrorText(thrown)
    } finally {
      if (own === reading) isLoading.value = isLoadingMore.value = false
    }
  }

  function take({ requests, nextCursor, health: decisions, processes, silent }: RequestPage): void {
    error.value = null
    health.value = decisions
    asked.value = { processes, silent }
    cursor.value = nextCursor
    rows.value = withoutRepetition(rows.value, requests)
  }

  function onLive({ data }: { readonly data: LiveRequests }): void {
    const answeredBefore = asked.value === null ? 0 : answeringOf(asked.value)
    asked.value = data
    // What a process logged before it answered is not in the list yet.
    if (answeringOf(data) > answeredBefore && answeredBefore > 0) void read(null)
    if (data.requests.length === 0) return
    health.value = data.health
    const newest = data.requests.toReversed()
    const most = Math.max(mostLive, rows.value.length)
    if (isHeld.value) held.value = withoutRepetition(newest, held.value).slice(0, mostLive)
    else rows.value = withoutRepetition(newest, rows.value).slice(0, most)
  }

  function showHeld(): void {
    rows.value = withoutRepetition(held.value, rows.value)
    held.value = []
  }

  function begin(): void {
    subscription?.stop()
    rows.value = []
    held.value = []
    asked.value = null
    cursor.value = null
    isLoading.value = true
    const filter = requestFilterOf(view.value)
    subscription = subscribeWithReconnect(
      (events: SubscriptionEvents<{ readonly data: LiveRequests }>) =>
        trpc.requests.live.subscribe(filter, events),
      {
        onEvent: onLive,
        isCrowded: (refusal) => faultOf(refusal) === 'rate_limited',
        onState: (state) => (feed.value = state),
      },
    )
    void read(null)
  }

  watch(view, begin, { immediate: true })
  watch(isHeld, (holds) => !holds && showHeld())
  watch(useDocumentVisibility(), (visibility) => {
    if (visibility === 'hidden') subscription?.pause()
    else begin() // What came meanwhile is in the log.
  })
  onScopeDispose(() => {
    reading++
    subscription?.stop()
  })

  return {
    rows,
    health,
    missing: computed(() => (asked.value === null ? null : missingRequests(asked.value))),
    heldCount: computed(() => held.value.length),
    error,
    isLoading,
    isLoadingMore,
    hasMore: computed(() => cursor.value !== null),
    feed,
    retry: begin,
    loadMore() {
      isLoadingMore.value = true
      void read(cursor.value)
    },
  }
}
