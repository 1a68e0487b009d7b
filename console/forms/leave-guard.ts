import { useEventListener } from '@vueuse/core'
import { onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'

/** One for each part of the page that something could be lost with: whether it would be now. */
const guards = new Set<() => boolean>()

/** Whether something would be lost if the page were left now. */
export const isPageHeld = (): boolean => [...guards].some((isHeld) => isHeld())

/** For whoever leaves the page in any case: nothing asks any more. */
export const letPageGo = (): void => guards.clear()

/**
 * Keeps what would be lost when the browser steps back, which `ask` is called for with where to, or reloads, which the
 * browser itself asks about. Links go on, and forms that close once they are saved; with `holdsLinks` those to other pages
 * ask, too.
 */
export function useLeaveGuard(
  isHeld: () => boolean,
  ask: (path: string) => void,
  holdsLinks: () => boolean = () => false,
): void {
  guards.add(isHeld)
  const holds = (): boolean => guards.has(isHeld) && isHeld()
  useEventListener(window, 'beforeunload', (event) => {
    if (holds()) event.preventDefault()
  })
  const stop = useRouter().beforeEach(({ fullPath, path }, from) => {
    // A step in the history has changed the address before anybody hears of it.
    const { pathname, search, hash } = location
    const isStep = fullPath === pathname + search + hash
    if (!(isStep || (holdsLinks() && path !== from.path)) || !holds()) return true
    ask(fullPath)
    return false
  })
  onScopeDispose(() => {
    guards.delete(isHeld)
    stop()
  })
}
