import { computed, onBeforeUnmount, shallowRef } from 'vue'

import type { ChainHead, ChainPart } from '../../shared/audit.ts'
import { callErrorText, trpc } from '../trpc.ts'
import { checkChain } from './chain-check.ts'
import type { ChainCheckState } from './chain-check.ts'

const checkPart = (after: ChainHead): Promise<ChainPart> =>
  trpc.audit.verify.query({ after, remembered: null })

/** The check of the whole log on a page; it ends when the page is left. */
export function useChainCheck() {
  const state = shallowRef<ChainCheckState | null>(null)
  /** Why it did not come to its end. */
  const problem = shallowRef<string | null>(null)
  const leaving = new AbortController()
  onBeforeUnmount(() => leaving.abort())

  async function check(): Promise<void> {
    problem.value = null
    state.value = { kind: 'running', checked: 0, total: 1 }
    try {
      const { seq: total } = await trpc.audit.head.query()
      for await (const next of checkChain({ checkPart, total, signal: leaving.signal })) state.value = next
    } catch (error) {
      state.value = null
      problem.value = callErrorText(error)
    }
  }

  return { state, problem, isRunning: computed(() => state.value?.kind === 'running'), check }
}
