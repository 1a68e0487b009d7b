import { useQueryCache } from '@pinia/colada'
import { useIntervalFn } from '@vueuse/core'
import { defineStore } from 'pinia'
import { ref } from 'vue'

import { useAccount } from '../accounts/account.ts'
import { callOutcomes } from '../call-outcome.ts'

const retryMs = 4_000

/** Whether the server answers. While it does not, it is asked again and again; then every page reads anew. */
export const useConnection = defineStore('connection', () => {
  const account = useAccount()
  const cache = useQueryCache()
  const isLost = ref(false)
  /** Something answers in its place, or it says no more than that it cannot. */
  const isThere = ref(false)
  const retrying = useIntervalFn(askAgain, retryMs, { immediate: false })

  callOutcomes.on((outcome) => {
    const wasLost = isLost.value
    if (outcome === 'interrupted') {
      if (!wasLost) askAgain()
      return
    }
    isThere.value = outcome === 'unavailable'
    isLost.value = isThere.value || outcome === 'unreachable'
    if (isLost.value && !wasLost) retrying.resume()
    if (!isLost.value && wasLost) {
      retrying.pause()
      void cache.invalidateQueries()
    }
  })

  function askAgain(): void {
    account.reload().catch(() => undefined) // how it ended comes by `callOutcomes`
  }

  return { isLost, isThere }
})
