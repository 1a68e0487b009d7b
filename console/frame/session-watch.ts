import { useQueryCache } from '@pinia/colada'
import { useEventListener } from '@vueuse/core'
import { watch } from 'vue'
import { useRouter } from 'vue-router'

import { consolePages } from '../../shared/console-pages.ts'
import { useAccount } from '../accounts/account.ts'
import { returnPathFrom } from '../accounts/return-path.ts'
import { callOutcomes } from '../call-outcome.ts'
import { letPageGo } from '../forms/leave-guard.ts'

/**
 * Notices that the session ended, or that the browser now belongs to another account: when a call is refused, and
 * when one comes back to the window. Either way the page is loaded anew, so that nothing of the account stays in it; only
 * what somebody filled in and did not save waits, out of sight, until they are signed in again. Returns what gives it up.
 */
export function watchSession(): () => void {
  const account = useAccount()
  const cache = useQueryCache()
  const router = useRouter()
  let isChecking = false

  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    // Without an answer the session may well be good.
    await account.reload().catch(() => undefined)
    isChecking = false
  }

  function leave(): void {
    letPageGo()
    const returnTo = returnPathFrom(router.currentRoute.value)
    const query = new URLSearchParams({ problem: 'session_ended', ...(returnTo !== '/' && { returnTo }) })
    location.assign(`${consolePages.signIn}?${query}`)
  }

  // A proof in the middle of a call replaces the session: whether it is over only the server can tell.
  callOutcomes.on((outcome) => {
    if (outcome === 'not_allowed' && !account.isSignedOut) void check()
  })
  watch(
    () => account.current?.id,
    (id) => (id === undefined ? leave() : loadAnew()),
  )
  watch(
    () => account.isSignedOut,
    (isOut) => {
      if (!isOut) void cache.invalidateQueries()
    },
  )
  // That of the window: beside the one in which one signed in, this one may have been in sight all the time.
  useEventListener('focus', check)
  return leave
}

function loadAnew(): void {
  letPageGo()
  location.reload()
}
