import { useTimeoutFn } from '@vueuse/core'
import { shallowRef, watch } from 'vue'
import type { ShallowRef } from 'vue'
import { useRoute, useRouter } from 'vue-router'

import { queryOfView, viewFromQuery } from './key-list-view.ts'
import type { KeyListView } from './key-list-view.ts'

/** Browsers refuse to change the address at every keystroke of somebody who types fast. */
const writeAfterMs = 200

const textOf = (view: KeyListView): string => new URLSearchParams(queryOfView(view)).toString()

/** The view in the address of the page: what is changed here is written there, and the other way round. */
export function useKeyListView(): ShallowRef<KeyListView> {
  const route = useRoute()
  const router = useRouter()
  const view = shallowRef(viewFromQuery(route.query))
  let written = textOf(view.value)

  function write(): void {
    if (textOf(view.value) === written) return
    written = textOf(view.value)
    void router.replace({ query: queryOfView(view.value) })
  }
  const { start: writeLater } = useTimeoutFn(write, writeAfterMs, { immediate: false })
  watch(view, () => writeLater())

  // A link to this page, or a step back; not our own writing, which may be older than what is typed by now.
  watch(
    () => textOf(viewFromQuery(route.query)),
    (addressed) => {
      if (addressed === written) return
      written = addressed
      view.value = viewFromQuery(route.query)
    },
  )
  return view
}
