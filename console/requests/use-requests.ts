import { useDocumentVisibility } from '@vueuse/core'
import { computed, onScopeDispose, ref, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'

import { missingRequests } from '../../shared/request-log.ts'
import type { AskedProcesses, LiveRequests, UpstreamHealth } from '../../shared/request-log.ts'
import { subscribeWithReconnect } from '../health/reconnecting-subscription.ts'
import type {
  FeedState,
  ReconnectingSubscription,
  SubscriptionEvents,
} from '../health/reconnecting-subscription.ts'
import { callErrorText, faultOf, trpc } from '../trpc.ts'
import { useOlderPages } from '../use-older-pages.ts'
import {
  heldCountText,
  nothingFollowed,
  withHeldShown,
  withLive,
  withNewest,
  withOlder,
} from './followed-requests.ts'
import type { RequestList } from './followed-requests.ts'
import { beginOf, requestFilterOf } from './request-view.ts'
import type { RequestView } from './request-view.ts'

const answeringOf = ({ processes, silent }: AskedProcesses): number => processes - silent.length

/** Reads the log page by page, and adds what comes meanwhile unless that is held. */
export function useRequests(view: Readonly<Ref<RequestView>>, isHeld: Readonly<Ref<boolean>>) {
  const followed = shallowRef(nothingFollowed)
  const health = shallowRef<readonly UpstreamHealth[]>([])
  const asked = shallowRef<AskedProcesses | null>(null)
  const error = ref<string | null>(null)
  const isLoading = ref(true)
  const feed = ref<FeedState>('connecting')
  const visibility = useDocumentVisibility()
  let subscription: ReconnectingSubscription | null = null
  /** Tells answers to an earlier question for the newest page apart. */
  let reading = 0

  async function readPage(before: string | null): Promise<RequestList> {
    const page = await trpc.requests.list.query({
      ...requestFilterOf(view.value),
      from: beginOf(view.value, Date.now()),
      ...(before !== null && { before }),
    })
    health.value = page.health
    asked.value = { processes: page.processes, silent: page.silent }
    return { rows: page.requests, cursor: page.nextCursor }
  }

  async function readNewest(): Promise<void> {
    const own = ++reading
    try {
      const page = await readPage(null)
      if (own !== reading) return
      error.value = null
      followed.value = withNewest(followed.value, page, isHeld.value)
    } catch (thrown) {
      if (own === reading) error.value = callErrorText(thrown)
    } finally {
      if (own === reading) isLoading.value = false
    }
  }

  function onLive({ data }: { readonly data: LiveRequests }): void {
    const answeredBefore = asked.value === null ? 0 : answeringOf(asked.value)
    asked.value = data
    if (data.requests.length > 0) health.value = data.health
    // What a process logged before it answered is not in the list yet, and of too much at once a part is left out.
    const isGapless = data.left === 0 && (answeredBefore === 0 || answeringOf(data) <= answeredBefore)
    followed.value = withLive(followed.value, data.requests, { isHeld: isHeld.value, isGapless })
    if (!isGapless && !isHeld.value) void readNewest()
  }

  function onState(state: FeedState): void {
    feed.value = state
    // Something may have come before the stream began, or while it was away.
    if (state === 'live' && followed.value.isWhole) void readNewest()
  }

  function begin(): void {
    subscription?.stop()
    followed.value = nothingFollowed
    asked.value = null
    isLoading.value = true
    const filter = requestFilterOf(view.value)
    subscription = subscribeWithReconnect(
      (events: SubscriptionEvents<{ readonly data: LiveRequests }>) =>
        trpc.requests.live.subscribe(filter, events),
      { onEvent: onLive, isCrowded: (refusal) => faultOf(refusal) === 'rate_limited', onState },
      visibility.value === 'hidden',
    )
    void readNewest()
  }

  function showHeld(): void {
    const shown = withHeldShown(followed.value)
    if (shown === null) begin()
    else followed.value = shown
  }

  const older = useOlderPages({
    known: () => ({ of: view.value, list: followed.value.list }),
    read: readPage,
    take: (page) => (followed.value = withOlder(followed.value, page)),
  })

  watch(view, begin, { immediate: true })
  watch(isHeld, (holds) => !holds && showHeld())
  watch(visibility, (state) => (state === 'hidden' ? subscription?.pause() : subscription?.resume()))
  onScopeDispose(() => {
    reading++
    subscription?.stop()
  })

  return {
    rows: computed(() => followed.value.list.rows),
    health,
    missing: computed(() => (asked.value === null ? null : missingRequests(asked.value))),
    heldCount: computed(() => heldCountText(followed.value)),
    error,
    isLoading,
    feed,
    retry: begin,
    ...older,
  }
}
