import { defineStore } from 'pinia'
import { ref } from 'vue'

import { ReportedError } from '../reported-error.ts'
import { faultOf } from '../trpc.ts'
import { useAccount } from './account.ts'

/** Left for what is to be done after it, typing included. */
const enoughMs = 120_000

/**
 * Some things the server does only for whoever proved a short while ago who they are. `ConfirmDialog`, which the app
 * shows once, asks for that proof.
 */
export const useConfirmation = defineStore('confirmation', () => {
  const account = useAccount()
  const isAsked = ref(false)
  let question: Promise<boolean> | null = null
  let answer: ((isConfirmed: boolean) => void) | null = null

  /** Resolves when the person has confirmed. @throws ReportedError when they would not. */
  async function ask(): Promise<void> {
    question ??= new Promise<boolean>((resolve) => {
      answer = resolve
      isAsked.value = true
    })
    if (!(await question)) throw new ReportedError('Nothing was done: you did not confirm who you are.')
  }

  /** Called by the dialog. */
  function settle(isConfirmed: boolean): void {
    isAsked.value = false
    question = null
    answer?.(isConfirmed)
    answer = null
  }

  /** Does it; when the server asks for a proof first, has the person give it, and does it again. */
  async function withFreshSession<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    try {
      return await call()
    } catch (error) {
      if (faultOf(error) !== 'stale_session') throw error
    }
    await ask()
    return call()
  }

  /** For what takes several steps, the first of which a person should not do in vain. @throws ReportedError */
  async function ensureFresh(): Promise<void> {
    if ((account.current?.freshUntil ?? 0) < Date.now() + enoughMs) await ask()
  }

  return { isAsked, settle, withFreshSession, ensureFresh }
})
