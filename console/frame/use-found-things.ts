import { useQuery } from '@pinia/colada'
import { refDebounced } from '@vueuse/core'
import { computed } from 'vue'
import type { Ref } from 'vue'

import type { FoundThing, GlobalSearchAnswer } from '../../shared/global-search.ts'
import { trpc } from '../trpc.ts'
import { searchedText, unsearchedText } from './found-things.ts'

/** Long enough for a word to be typed. */
const pauseMs = 120

/** What the server finds by a text that somebody is typing. */
export function useFoundThings(typed: Ref<string>) {
  const text = computed(() => searchedText(typed.value).slice(0, 200))
  const settled = refDebounced(text, pauseMs)
  const { data, error } = useQuery(() => ({
    key: ['global-search', settled.value],
    query: ({ signal }) => trpc.globalSearch.find.query({ text: settled.value }, { signal }),
    enabled: settled.value.length > 1, // one letter finds everything
    placeholderData: (last: GlobalSearchAnswer | undefined) => last, // so that the list does not jump
    staleTime: 5_000,
  }))
  const isAsked = computed(() => text.value.length > 1)
  return {
    found: computed<readonly FoundThing[]>(() => (isAsked.value ? (data.value?.found ?? []) : [])),
    /** While what is shown is not yet the answer to what was typed. */
    isSearching: computed(
      () =>
        isAsked.value && error.value === null && (text.value !== settled.value || data.value === undefined),
    ),
    /** Empty where everything was searched. */
    problem: computed(() => {
      if (!isAsked.value) return ''
      return error.value === null
        ? unsearchedText(data.value?.unsearched ?? [])
        : 'The search failed: try again shortly.'
    }),
  }
}
