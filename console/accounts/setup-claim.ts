import { ref } from 'vue'
import type { Ref } from 'vue'

import { callErrorText, faultOf } from '../trpc.ts'
import { useToasts } from '../ui/toasts.ts'
import { useAccount } from './account.ts'
import { claimSetup } from './auth-calls.ts'
import { forgetSetupToken, keepSetupToken, readSetupToken } from './setup-token.ts'

/**
 * `waiting`: whoever signs in becomes the operator. `spent`: the link was used, or is too old. `failed`: it may still
 * be good; `problem` says what happened.
 */
export type SetupState = 'none' | 'waiting' | 'claiming' | 'spent' | 'failed'

export interface SetupClaimed {
  readonly state: Readonly<Ref<SetupState>>
  readonly problem: Readonly<Ref<string | null>>
  /** Takes up a link that was opened in this tab since. */
  refresh(): void
  /** Makes whoever is signed in the operator, by the link of this tab or by a token, and tells whether it did. */
  claim(token?: string): Promise<boolean>
  /** There is an operator already: the link is of no use. */
  dismiss(): void
}

/** Using the one-time link that the server printed at its first start. */
export function useSetupClaim(): SetupClaimed {
  const account = useAccount()
  const toasts = useToasts()
  const state = ref<SetupState>('none')
  const problem = ref<string | null>(null)

  function refresh(): void {
    if (readSetupToken(sessionStorage) !== null) state.value = 'waiting'
  }

  function dismiss(): void {
    forgetSetupToken(sessionStorage)
    state.value = 'spent'
  }

  async function claim(given?: string): Promise<boolean> {
    if (given !== undefined) keepSetupToken(sessionStorage, given)
    const token = readSetupToken(sessionStorage)
    if (token === null) return false
    state.value = 'claiming'
    try {
      await claimSetup(token)
      forgetSetupToken(sessionStorage)
      state.value = 'none'
      await account.reload()
      toasts.show('ok', 'You are the operator of this installation now.')
      return true
    } catch (error) {
      if (faultOf(error) === 'gone') dismiss()
      else state.value = 'failed'
      problem.value = callErrorText(error)
      return false
    }
  }

  refresh()
  return { state, problem, refresh, claim, dismiss }
}
