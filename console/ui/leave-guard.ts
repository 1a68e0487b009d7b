import { useEventListener } from '@vueuse/core'
import { onScopeDispose } from 'vue'
import { useRouter } from 'vue-router'

/**
 * Keeps what was typed when the browser steps back, which `ask` is called for, or reloads, which the browser itself asks
 * about. Links, and forms that close once they are saved, go on.
 */
export function useLeaveGuard(isFilled: () => boolean, ask: () => void): void {
  let step: 'none' | 'back' | 'return' = 'none'

  /** The router refuses a step back by a step of its own, which is no question. */
  function onStep(): void {
    if (step === 'return') step = 'none'
    else if (isFilled()) step = 'back'
  }
  useEventListener(window, 'popstate', onStep, { capture: true }) // before the router hears of it
  useEventListener(window, 'beforeunload', (event) => {
    if (isFilled()) event.preventDefault()
  })
  onScopeDispose(
    useRouter().beforeEach(() => {
      if (step !== 'back') return true
      step = 'return'
      ask()
      return false
    }),
  )
}
