import { useEventListener, useTimeoutFn } from '@vueuse/core'
import { readonly, ref } from 'vue'

const defaultHideAfterMs = 60_000

/**
 * A secret that is hidden until somebody asks, and hides itself again after a minute or when the tab is left. `reveal`
 * asks for it; null: it is not shown at all.
 */
export function useShownSecret(
  reveal: () => Promise<string | null>,
  failed: (error: unknown) => void,
  hideAfterMs: () => number = () => defaultHideAfterMs,
) {
  const shown = ref<string | null>(null)
  const isBusy = ref(false)
  const hidesLater = useTimeoutFn(hide, hideAfterMs, { immediate: false })

  // Listens only while there is something to hide: long lists have a secret in each row.
  useEventListener(
    () => (shown.value === null ? null : document),
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') hide()
    },
  )

  function hide(): void {
    shown.value = null
    hidesLater.stop()
  }

  async function toggle(): Promise<void> {
    if (shown.value !== null) return hide()
    if (isBusy.value) return
    isBusy.value = true
    try {
      shown.value = await reveal()
      hidesLater.start()
    } catch (error) {
      failed(error)
    } finally {
      isBusy.value = false
    }
  }

  return { shown: readonly(shown), isBusy: readonly(isBusy), toggle }
}
