import type { EntryKey } from '@pinia/colada'
import { computed, shallowRef, watch } from 'vue'

import { useLiveQuery } from './live-query.ts'
import { boundedTo, mostRows, withNewestPage, withOlderPage } from './record-list.ts'
import type { RecordList } from './record-list.ts'
import { callErrorText } from './trpc.ts'
import { useOlderPages } from './use-older-pages.ts'

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

/** A log: its newest records again and again, and older ones page by page below them. */
export function useRecordList<Row extends { readonly id: string }, Cursor extends string | number>(
  source: () => RecordSource<Row, Cursor>,
  everyMs: number,
) {
  const empty: RecordList<Row, Cursor> = { rows: [], cursor: null }
  const list = shallowRef(empty)
  let most = mostRows
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

  const older = useOlderPages<Row, Cursor>({
    known: () => ({ of: key.value, list: list.value }),
    read: (before) => source().read(before),
    take(page) {
      list.value = withOlderPage(list.value, page)
      most = Math.max(mostRows, list.value.rows.length)
    },
  })

  return {
    rows: computed(() => list.value.rows),
    error: computed(() => (newest.error.value === null ? null : callErrorText(newest.error.value))),
    isLoading: newest.isPending,
    retry: () => void newest.refetch(),
    ...older,
  }
}
