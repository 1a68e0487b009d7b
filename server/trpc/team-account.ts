import type { Role } from '../../shared/accounts.ts'
import type { AuditActor } from '../../shared/audit.ts'
import { type TeamAction, type TeamRole, mayInTeam, teamRefusal } from '../../shared/teams.ts'
import { Fault, fault } from '../platform/fault.ts'

/** An account for which something is done: that of the person who asks, or of a team that they act for. */
export interface CallingAccount {
  readonly id: string
  readonly role: Role
  /** False: an operator has to approve it first, and until then it may do nothing. */
  readonly isApproved: boolean
  /** What to call it in the audit log: the identity it signed in with, never what it shares of itself. */
  readonly label: string
  /** Who acts for it: a program by its API key, or a member of the team. Absent: the person whose own account it is. */
  readonly actor?: AuditActor
}

/** A team for which somebody acts, and what they are in it. */
export interface ChosenTeam {
  readonly id: string
  readonly name: string
  readonly role: TeamRole
}

/** Names the person and the team. */
export const actorInTeam = ({ id, label }: AuditActor, team: ChosenTeam): AuditActor => ({
  id,
  label: `${label} for ${team.name} (${team.id})`,
})

/**
 * What the changes of each router need in a team. Those of a router that is not named are made for one's own account only, so
 * that a new one is closed to teams until somebody has decided about it.
 */
export const changesNeed: Readonly<Record<string, TeamAction>> = {
  queryKeys: 'build',
  connections: 'build',
  virtualServers: 'build',
  gateway: 'build',
  apiKeys: 'programs',
  agents: 'programs',
  toolPolicies: 'programs',
}

/** These change nothing, and are mutations because their arguments belong in no address. */
export const readingMutations: ReadonlySet<string> = new Set(['toolPolicies.test'])

type ProcedureType = 'query' | 'mutation' | 'subscription'

/** What a procedure needs in a team; null: it is not for teams. `path` as in `queryKeys.create`. */
export function neededInTeam(path: string, type: ProcedureType): TeamAction | null {
  if (type !== 'mutation' || readingMutations.has(path)) return 'read'
  const [name = ''] = path.split('.', 1)
  return Object.hasOwn(changesNeed, name) ? (changesNeed[name] ?? null) : null
}

/**
 * The account of a team, for a procedure that a person calls for it. `team` is what they have chosen, or a fault: why they may
 * not. Faults: that one; `forbidden` by their role.
 */
export function teamAccount(
  person: CallingAccount,
  team: ChosenTeam | Fault,
  { path, type }: { readonly path: string; readonly type: ProcedureType },
): CallingAccount {
  if (team instanceof Fault) throw team
  const needed = neededInTeam(path, type)
  if (needed === null) throw fault('forbidden', 'Teams do not do this: choose your own account')
  if (!mayInTeam(team.role, needed)) throw fault('forbidden', teamRefusal(team.role, needed))
  return {
    id: team.id,
    role: 'account',
    isApproved: true,
    label: team.name,
    actor: actorInTeam(person, team),
  }
}
