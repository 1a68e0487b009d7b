import { useDocumentVisibility } from '@vueuse/core'
import { watch } from 'vue'
import { useRouter } from 'vue-router'

import { consolePages } from '../../shared/console-pages.ts'
import { useAccount } from '../accounts/account.ts'
import { returnPathFrom } from '../accounts/return-path.ts'
import { callOutcomes } from '../call-outcome.ts'

/**
 * Notices that the session ended, or that the browser now belongs to another account: when a call is refused, and
 * when one comes back to the tab. Either way the page is loaded anew, so that nothing of the account stays in it.
 */
export function watchSession(): void {
  const account = useAccount()
  const router = useRouter()
  const visibility = useDocumentVisibility()
  let isChecking = false

  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    // Without an answer the session may well be good.
    await account.reload().catch(() => undefined)
    isChecking = false
  }

  function leave(): void {
    const returnTo = returnPathFrom(router.currentRoute.value)
    const query = new URLSearchParams({ problem: 'session_ended', ...(returnTo !== '/' && { returnTo }) })
    location.assign(`${consolePages.signIn}?${query}`)
  }

  // A proof in the middle of a call replaces the session: whether it is over only the server can tell.
  callOutcomes.on((outcome) => {
    if (outcome === 'not_allowed') void check()
  })
  watch(
    () => account.current?.id,
    (id) => (id === undefined ? leave() : location.reload()),
  )
  watch(visibility, (state) => {
    if (state === 'visible') void check()
  })
}
