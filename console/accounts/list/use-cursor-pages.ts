import { computed, ref, watch } from 'vue'

import { useLiveQuery } from '../../live-query.ts'

/** What narrows a list, and how many rows of it one page has. */
interface ListQuestion {
  readonly limit: number
}

/**
 * A list of the server, page by page: each of them says where the next begins. Another question begins at the first page.
 * `name`: what the answers are kept under.
 */
export function useCursorPages<Question extends ListQuestion, Page extends { nextCursor: string | null }>(
  name: string,
  question: () => Question,
  read: (asked: Question & { cursor: string | undefined }) => Promise<Page>,
) {
  /** Where the pages before this one, and this one, begin; the first begins nowhere. */
  const cursors = ref<(string | undefined)[]>([undefined])
  watch(
    () => JSON.stringify(question()),
    () => {
      cursors.value = [undefined]
    },
  )
  const { data, error, isPending, isPlaceholderData, refetch } = useLiveQuery(() => {
    const asked = { ...question(), cursor: cursors.value.at(-1) }
    const before = (cursors.value.length - 1) * asked.limit
    return {
      key: [name, JSON.stringify(asked)],
      query: async () => ({ ...(await read(asked)), before }),
      keepsLast: true,
    }
  })
  /** Where the next page begins; null while the one before is still shown in place of what was asked for. */
  const nextCursor = computed(() => (isPlaceholderData.value ? null : (data.value?.nextCursor ?? null)))

  return {
    /** With the number of rows `before` it. */
    data,
    error,
    isPending,
    refetch,
    hasPrevious: computed(() => cursors.value.length > 1),
    hasNext: computed(() => nextCursor.value !== null),
    previous(): void {
      cursors.value = cursors.value.slice(0, -1)
    },
    next(): void {
      if (nextCursor.value !== null) cursors.value = [...cursors.value, nextCursor.value]
    },
  }
}
