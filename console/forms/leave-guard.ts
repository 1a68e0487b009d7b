import { useEventListener } from '@vueuse/core'
import { onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'

/**
 * Keeps what was typed when the browser steps back, which `ask` is called for, or reloads, which the browser itself asks
 * about. Links, and forms that close once they are saved, go on.
 */
export function useLeaveGuard(isFilled: () => boolean, ask: () => void): void {
  useEventListener(window, 'beforeunload', (event) => {
    if (isFilled()) event.preventDefault()
  })
  const stop = useRouter().beforeEach(({ fullPath }) => {
    // A step in the history has changed the address before anybody hears of it.
    const { pathname, search, hash } = location
    if (fullPath !== pathname + search + hash || !isFilled()) return true
    ask()
    return false
  })
  onScopeDispose(stop)
}
