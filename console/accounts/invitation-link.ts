import { ref } from 'vue'
import type { Ref } from 'vue'

import { callErrorText } from '../trpc.ts'
import { showInvitation } from './auth-calls.ts'

/** For this tab only, and until the server knows of it. */
const place = 'gatehouse-invitation'

/** The secret in the part of an invitation's link that is sent to no server; null when it is another address. */
export function invitationTokenIn(hash: string): string | null {
  const token = new URLSearchParams(hash.replace(/^#/, '')).get('invitation')
  return token === null || token === '' ? null : token
}

export const keepInvitation = (storage: Storage, token: string): void => storage.setItem(place, token)

/** `good`: the next sign-in uses it. `joined`: it has let in the account that waited. */
export type InvitationState = 'none' | 'good' | 'joined' | 'refused'

interface ShownLink {
  readonly state: Readonly<Ref<InvitationState>>
  /** Why it lets nobody in. */
  readonly problem: Readonly<Ref<string | null>>
  /** Shows the server the invitation that was opened in this tab, if there is one. */
  show(): Promise<void>
}

/** An invitation whose link was opened in this tab. */
export function useInvitationLink(): ShownLink {
  const state = ref<InvitationState>('none')
  const problem = ref<string | null>(null)

  async function show(): Promise<void> {
    const token = sessionStorage.getItem(place)
    if (token === null) return
    sessionStorage.removeItem(place)
    try {
      state.value = (await showInvitation(token)).kind
    } catch (error) {
      state.value = 'refused'
      problem.value = callErrorText(error)
    }
  }

  return { state, problem, show }
}
