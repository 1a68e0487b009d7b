import { takeLostTeam } from '../teams/chosen-team.ts'
import { useToasts } from '../ui/toasts.ts'

/** Says why one acts for one's own account all of a sudden. */
export function sayLostTeam(): void {
  if (!takeLostTeam()) return
  useToasts().show(
    'info',
    'You are no longer a member of the team that was chosen, or it is not in use. You act for your own account.',
  )
}
