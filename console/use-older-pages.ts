import { computed, ref } from 'vue'

import type { RecordList } from './record-list.ts'
import { callErrorText } from './trpc.ts'
import { useToasts } from './ui/toasts.ts'

interface OlderPages<Row extends { readonly id: string }, Cursor> {
  /** The list as it is now, and what it is a list of: another thing begins anew. */
  readonly known: () => { readonly of: unknown; readonly list: RecordList<Row, Cursor> }
  readonly read: (before: Cursor) => Promise<RecordList<Row, Cursor>>
  /** Takes the page that comes after the list. */
  readonly take: (page: RecordList<Row, Cursor>) => void
}

/** "Load older ones": reads the page after the last row of a list, one at a time. */
export function useOlderPages<Row extends { readonly id: string }, Cursor>({
  known,
  read,
  take,
}: OlderPages<Row, Cursor>) {
  const toasts = useToasts()
  const isLoadingMore = ref(false)

  async function loadMore(): Promise<void> {
    const { of, list } = known()
    if (list.cursor === null || isLoadingMore.value) return
    isLoadingMore.value = true
    try {
      const page = await read(list.cursor)
      // A list that has begun anew meanwhile goes on elsewhere.
      if (of === known().of && list.cursor === known().list.cursor) take(page)
    } catch (error) {
      toasts.show('bad', callErrorText(error))
    } finally {
      isLoadingMore.value = false
    }
  }

  return { isLoadingMore, hasMore: computed(() => known().list.cursor !== null), loadMore }
}
