import { useEventListener } from '@vueuse/core'
import { onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'

/** One for each part of the page that something could be lost with: whether it would be now. */
const guards = new Set<() => boolean>()

/** Whether something would be lost if the page were left now. */
export const isPageHeld = (): boolean => [...guards].some((isFilled) => isFilled())

/** For whoever leaves the page in any case: nothing asks any more. */
export const letPageGo = (): void => guards.clear()

/**
 * Keeps what was typed when the browser steps back, which `ask` is called for, or reloads, which the browser itself asks
 * about. Links, and forms that close once they are saved, go on.
 */
export function useLeaveGuard(isFilled: () => boolean, ask: () => void): void {
  guards.add(isFilled)
  useEventListener(window, 'beforeunload', (event) => {
    if (guards.has(isFilled) && isFilled()) event.preventDefault()
  })
  const stop = useRouter().beforeEach(({ fullPath }) => {
    // A step in the history has changed the address before anybody hears of it.
    const { pathname, search, hash } = location
    if (fullPath !== pathname + search + hash || !isFilled()) return true
    ask()
    return false
  })
  onScopeDispose(() => {
    guards.delete(isFilled)
    stop()
  })
}
