import { createSharedComposable, useDocumentVisibility, useIntervalFn } from '@vueuse/core'
import { readonly, ref, watch } from 'vue'
import type { Ref } from 'vue'

const tickMs = 1_000

/**
 * Epoch ms, moved on each second for every component that shows an age; one timer serves them all. It stands still
 * while the tab is hidden.
 */
export const useTickingNow: () => Readonly<Ref<number>> = createSharedComposable(() => {
  const now = ref(Date.now())
  const visibility = useDocumentVisibility()
  const tick = (): void => {
    now.value = Date.now()
  }
  const timer = useIntervalFn(tick, tickMs)
  watch(
    visibility,
    (state) => {
      if (state === 'hidden') return timer.pause()
      tick()
      timer.resume()
    },
    { immediate: true },
  )
  return readonly(now)
})
