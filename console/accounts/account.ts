import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'

import { dropChoiceUnless } from '../teams/chosen-team.ts'
import { trpc } from '../trpc.ts'
import type { RouterAnswers } from '../trpc.ts'

type Account = NonNullable<RouterAnswers['accounts']['me']>

/** Who is signed in. */
export const useAccount = defineStore('account', () => {
  const current = shallowRef<Account | null>(null)
  let loading: Promise<void> | null = null

  async function reload(): Promise<void> {
    const answer = await trpc.accounts.me.query()
    const isGood = (team: string): boolean =>
      answer?.teams.some(({ id, state }) => id === team && state === 'active') ?? false
    // What the page shows is that of the team.
    if (answer !== null && dropChoiceUnless(isGood) && current.value !== null) location.assign('/')
    else current.value = answer
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
    isOperator: computed(() => current.value?.role === 'operator'),
    load,
    /** Asks again: after a sign-in, or when the account was changed. */
    reload,
  }
})
