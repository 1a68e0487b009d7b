import type { EntryKey } from '@pinia/colada'
import { computed, ref, shallowRef, watch } from 'vue'

import { useLiveQuery } from './live-query.ts'
import { boundedTo, withNewestPage, withOlderPage } from './record-list.ts'
import type { RecordList } from './record-list.ts'
import { callErrorText } from './trpc.ts'
import { useToasts } from './ui/toasts.ts'

interface RecordSource<Row extends { readonly id: string }, Cursor> {
  /** With another one the list begins anew. */
  readonly key: EntryKey
  /** Reads the page that begins there; null: the first one. */
  readonly read: (before: Cursor | null) => Promise<RecordList<Row, Cursor>>
  /** The cursor of the page after this row; without it the list has no bound. */
  readonly cursorAfter?: (row: Row) => Cursor
  /** Whether a row belongs to the list still, of which the period ends now. */
  readonly holds?: (row: Row) => boolean
}

/** Rows that came by themselves are at most so many; those of "Load older ones" come on top. */
const mostRows = 500

/** A log: its newest records again and again, and older ones page by page below them. */
export function useRecordList<Row extends { readonly id: string }, Cursor extends string | number>(
  source: () => RecordSource<Row, Cursor>,
  everyMs: number,
) {
  const toasts = useToasts()
  const empty: RecordList<Row, Cursor> = { rows: [], cursor: null }
  const list = shallowRef(empty)
  let most = mostRows
  const isLoadingMore = ref(false)
  const newest = useLiveQuery(() => {
    const { key, read } = source()
    return { key, query: () => read(null) }
  }, everyMs)
  const key = computed(() => JSON.stringify(source().key))

  watch(key, () => {
    list.value = empty
    most = mostRows
  })
  watch(
    newest.data,
    (page) => {
      if (page !== undefined) list.value = bounded(withNewestPage(list.value, page))
    },
    { immediate: true },
  )

  function bounded(all: RecordList<Row, Cursor>): RecordList<Row, Cursor> {
    const { cursorAfter, holds = () => true } = source()
    const rows = all.rows.filter(holds)
    const held = rows.length === all.rows.length ? all : { rows, cursor: null }
    return cursorAfter === undefined ? held : boundedTo(most, held, cursorAfter)
  }

  async function loadMore(): Promise<void> {
    const { cursor } = list.value
    if (cursor === null || isLoadingMore.value) return
    isLoadingMore.value = true
    const asked = key.value
    try {
      const page = await source().read(cursor)
      // A list that has begun anew meanwhile goes on elsewhere.
      if (asked !== key.value || list.value.cursor !== cursor) return
      list.value = withOlderPage(list.value, page)
      most = Math.max(mostRows, list.value.rows.length)
    } catch (error) {
      toasts.show('bad', callErrorText(error))
    } finally {
      isLoadingMore.value = false
    }
  }

  return {
    rows: computed(() => list.value.rows),
    error: computed(() => (newest.error.value === null ? null : callErrorText(newest.error.value))),
    isLoading: newest.isPending,
    isLoadingMore,
    hasMore: computed(() => list.value.cursor !== null),
    retry: () => void newest.refetch(),
    loadMore,
  }
}
