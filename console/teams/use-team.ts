import { computed } from 'vue'

import { type TeamAction, mayInTeam, teamRefusal } from '../../shared/teams.ts'
import { useAccount } from '../accounts/account.ts'
import { chosenTeamId } from './chosen-team.ts'

/** The team for which this tab acts, and what the reader's role lets them do in it. */
export function useTeam() {
  const account = useAccount()
  /** Null: they act for their own account. */
  const team = computed(() => account.current?.teams.find(({ id }) => id === chosenTeamId()) ?? null)

  /** Why they may not; null: they may. */
  function whyNot(action: TeamAction): string | null {
    if (team.value === null || mayInTeam(team.value.role, action)) return null
    return `${teamRefusal(team.value.role, action)}.`
  }

  /** Of the account for which they act. */
  const accountId = computed(() => team.value?.id ?? account.current?.id ?? null)

  return { team, accountId, whyNot }
}
