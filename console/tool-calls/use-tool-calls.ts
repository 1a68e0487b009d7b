import { computed, ref, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'

import type { ShownToolCall } from '../../shared/tool-calls.ts'
import { useLiveQuery } from '../live-query.ts'
import { withoutRepetition } from '../requests/request-view.ts'
import { callErrorText, trpc } from '../trpc.ts'
import { beginOfRange, filterOfView, scopeOfView, toolCallQueryOf } from './tool-call-view.ts'
import type { ToolCallView } from './tool-call-view.ts'

const refreshMs = 5_000

/** Reads the log: the newest calls again and again, older ones page by page. */
export function useToolCalls(view: Readonly<Ref<ToolCallView>>) {
  const rows = shallowRef<readonly ShownToolCall[]>([])
  const cursor = ref<string | null>(null)
  const olderError = ref<string | null>(null)
  const isLoadingMore = ref(false)
  const address = computed(() => JSON.stringify(toolCallQueryOf({ ...view.value, tab: 'calls', by: 'tool' })))

  const read = (before: string | null) =>
    trpc.toolCalls.list.query({
      ...scopeOfView(view.value),
      ...filterOfView(view.value),
      ...(view.value.group !== '' && { group: view.value.group }),
      from: beginOfRange(view.value.range, Date.now()),
      ...(before !== null && { before }),
    })
  const { data, error, isPending, refetch } = useLiveQuery(
    () => ({ key: ['tool-calls', address.value], query: () => read(null) }),
    refreshMs,
  )

  watch(address, () => {
    rows.value = []
    cursor.value = null
  })
  watch(
    data,
    (page) => {
      if (page === undefined) return
      if (rows.value.length === 0) cursor.value = page.nextCursor
      rows.value = withoutRepetition(page.calls, rows.value)
    },
    { immediate: true },
  )

  async function loadMore(): Promise<void> {
    const asked = address.value
    isLoadingMore.value = true
    olderError.value = null
    try {
      const page = await read(cursor.value)
      if (asked !== address.value) return
      rows.value = withoutRepetition(rows.value, page.calls)
      cursor.value = page.nextCursor
    } catch (thrown) {
      olderError.value = callErrorText(thrown)
    } finally {
      isLoadingMore.value = false
    }
  }

  return {
    rows,
    error: computed(() => olderError.value ?? (error.value === null ? null : callErrorText(error.value))),
    isLoading: isPending,
    isLoadingMore,
    hasMore: computed(() => cursor.value !== null),
    retry: () => void refetch(),
    loadMore,
  }
}
