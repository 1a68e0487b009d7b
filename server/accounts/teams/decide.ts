import type { AccountState, SignUpPolicy } from '../../../shared/accounts.ts'
import { type TeamRole, mayInTeam, teamRefusal } from '../../../shared/teams.ts'

/**
 * In which state a new team begins; null: an operator has to make it. A team is one more account with a plan of its own, so
 * whoever may not have accounts at will may not have teams at will.
 */
export function stateOfNewTeam(policy: SignUpPolicy, isOperator: boolean): AccountState | null {
  if (isOperator || policy === 'open') return 'active'
  return policy === 'approval' ? 'pending' : null
}

/** What somebody is about to do to a membership. */
interface MemberChange {
  /** The role of who does it. */
  readonly by: TeamRole
  readonly isOneself: boolean
  readonly from: TeamRole
  /** Null: the membership ends. */
  readonly to: TeamRole | null
  /** How many owners the team has. */
  readonly owners: number
}

interface MemberRefusal {
  readonly code: 'forbidden' | 'conflict'
  readonly text: string
}

/** Why a membership may not change like that; null when it may. */
export function memberChangeRefusal(change: MemberChange): MemberRefusal | null {
  const { by, isOneself, from, to, owners } = change
  const leaves = isOneself && to === null
  const needed = from === 'owner' || to === 'owner' ? 'team' : 'members'
  if (!leaves && !mayInTeam(by, needed)) return { code: 'forbidden', text: teamRefusal(by, needed) }
  if (from === 'owner' && to !== 'owner' && owners <= 1) {
    const text = isOneself
      ? 'You are the only owner of this team: make somebody else an owner first, or delete the team'
      : 'This is the only owner of the team: make somebody else an owner first'
    return { code: 'conflict', text }
  }
  return null
}

/** Why nobody with this role invites to that one; null when they do. */
export function inviteRefusal(by: TeamRole, role: TeamRole): string | null {
  const needed = role === 'owner' ? 'team' : 'members'
  return mayInTeam(by, needed) ? null : teamRefusal(by, needed)
}
