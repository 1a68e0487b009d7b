import { ref } from 'vue'
import type { Ref } from 'vue'

import { errorText, faultOf } from '../trpc.ts'
import { useAccount } from './account.ts'
import { claimSetup } from './auth-calls.ts'
import { forgetSetupToken, readSetupToken } from './setup-token.ts'

/**
 * `waiting`: whoever signs in becomes the operator. `spent`: the link was used, or is too old. `failed`: it may still
 * be good; `problem` says what happened.
 */
export type SetupState = 'none' | 'waiting' | 'claiming' | 'spent' | 'failed'

export interface SetupClaimed {
  readonly state: Readonly<Ref<SetupState>>
  readonly problem: Readonly<Ref<string | null>>
  /** Makes whoever is signed in the operator, and tells whether it did. */
  claim(): Promise<boolean>
  /** There is an operator already: the link is of no use. */
  dismiss(): void
}

/** Using the one-time link that the server printed at its first start. */
export function useSetupClaim(): SetupClaimed {
  const account = useAccount()
  const state = ref<SetupState>(readSetupToken(sessionStorage) === null ? 'none' : 'waiting')
  const problem = ref<string | null>(null)

  function dismiss(): void {
    forgetSetupToken(sessionStorage)
    state.value = 'spent'
  }

  async function claim(): Promise<boolean> {
    const token = readSetupToken(sessionStorage)
    if (token === null) return false
    state.value = 'claiming'
    try {
      await claimSetup(token)
      forgetSetupToken(sessionStorage)
      state.value = 'none'
      await account.reload()
      return true
    } catch (error) {
      if (faultOf(error) === 'gone') dismiss()
      else state.value = 'failed'
      problem.value = errorText(error)
      return false
    }
  }

  return { state, problem, claim, dismiss }
}
