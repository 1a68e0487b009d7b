import { useTimeoutFn } from '@vueuse/core'
import { shallowRef, watch } from 'vue'
import type { ShallowRef } from 'vue'
import { onBeforeRouteLeave, useRoute, useRouter } from 'vue-router'

import type { AddressQuery } from './address-query.ts'

/** Browsers refuse to change the address at every keystroke of somebody who types fast. */
const writeAfterMs = 200

/** How a view stands in the address. */
interface Addressing<View> {
  readonly fromQuery: (query: AddressQuery) => View
  readonly toQuery: (view: View) => Record<string, string>
}

/** A view in the address of the page: what is changed here is written there, and the other way round. */
export function useAddressedView<View>({ fromQuery, toQuery }: Addressing<View>): ShallowRef<View> {
  const route = useRoute()
  const router = useRouter()
  const view: ShallowRef<View> = shallowRef(fromQuery(route.query))
  const textOf = (shown: View): string => new URLSearchParams(toQuery(shown)).toString()
  let written = textOf(view.value)

  function write(): void {
    if (textOf(view.value) === written) return
    written = textOf(view.value)
    void router.replace({ query: toQuery(view.value) })
  }
  const { start: writeLater, stop: stopWriting } = useTimeoutFn(write, writeAfterMs, { immediate: false })
  watch(view, () => writeLater())
  // A router has one navigation at a time: a late write would take a quick click on a link back while its page loads.
  onBeforeRouteLeave(stopWriting)

  // A link to this page, or a step back; not our own writing, which may be older than what is typed by now.
  watch(
    () => textOf(fromQuery(route.query)),
    (addressed) => {
      if (addressed === written) return
      written = addressed
      view.value = fromQuery(route.query)
    },
  )
  return view
}
