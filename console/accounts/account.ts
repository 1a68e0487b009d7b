import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'

import { isPageHeld } from '../forms/leave-guard.ts'
import { chooseAnew, dropChoiceUnless } from '../teams/chosen-team.ts'
import { trpc } from '../trpc.ts'
import type { RouterAnswers } from '../trpc.ts'

type Account = NonNullable<RouterAnswers['accounts']['me']>

/** Who is signed in. */
export const useAccount = defineStore('account', () => {
  const current = shallowRef<Account | null>(null)
  /**
   * The page is not for whoever is at the browser now, and something on it is not saved: without a session `current` stays
   * whose page it is.
   */
  const isSignedOut = shallowRef(false)
  let loading: Promise<void> | null = null

  async function reload(): Promise<void> {
    const answer = await trpc.accounts.me.query()
    isSignedOut.value = current.value !== null && answer?.id !== current.value.id && isPageHeld()
    if (isSignedOut.value && answer === null) return
    const isGood = (team: string): boolean =>
      answer?.teams.some(({ id, state }) => id === team && state === 'active') ?? false
    const hasLostTeam = answer !== null && dropChoiceUnless(isGood)
    // What the page shows is that of the team.
    if (hasLostTeam && current.value !== null) return location.assign('/')
    if (hasLostTeam) chooseAnew()
    current.value = answer
  }

  /** Asks the server once. */
  function load(): Promise<void> {
    loading ??= reload().catch((error: unknown) => {
      loading = null // the next page tries again
      throw error
    })
    return loading
  }

  return {
    current,
    isSignedOut,
    isOperator: computed(() => current.value?.role === 'operator'),
    load,
    /** Asks again: after a sign-in, or when the account was changed. */
    reload,
  }
})
