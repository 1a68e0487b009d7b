import { useQueryCache } from '@pinia/colada'
import { useIntervalFn } from '@vueuse/core'
import { defineStore } from 'pinia'
import { ref } from 'vue'

import { useAccount } from '../accounts/account.ts'
import { callOutcomes, outcomeOfError } from '../call-outcome.ts'
import type { ConsoleCallOutcome } from '../call-outcome.ts'

const retryMs = 4_000

const isFailure = (outcome: ConsoleCallOutcome): boolean =>
  outcome !== 'answered' && outcome !== 'not_allowed'

/**
 * Whether the server answers. A call that failed says so only of itself, for something in front may refuse that one alone:
 * the server is asked for a thing of its own, at once and again and again until it answers. Then what failed is read
 * anew, and every page if the server was lost.
 */
export const useConnection = defineStore('connection', () => {
  const account = useAccount()
  const cache = useQueryCache()
  const isLost = ref(false)
  /** Something answers in its place, or it says no more than that it cannot. */
  const isThere = ref(false)
  const asking = useIntervalFn(askAgain, retryMs, { immediate: false })

  callOutcomes.on((outcome) => {
    if (!isFailure(outcome) || asking.isActive.value) return
    asking.resume()
    void ask()
  })

  async function ask(): Promise<void> {
    const error = await account.reload().catch((reason: unknown) => reason)
    const outcome = outcomeOfError(error)
    isThere.value = outcome === 'unavailable'
    isLost.value = isThere.value || outcome === 'unreachable'
  }

  async function askAgain(): Promise<void> {
    const wasLost = isLost.value
    await ask()
    if (isLost.value) return
    asking.pause()
    // Who shows a query shows how it ended, too.
    await cache.invalidateQueries(wasLost ? {} : { status: 'error' }).catch(() => undefined)
  }

  return { isLost, isThere }
})
