import * as z from 'zod/mini'

import type { AccountState, AccountView, IdentityView } from './accounts.ts'
import { type InvitationView, NewInvitation } from './invitations.ts'
import { idText, nameText } from './text.ts'

/**
 * A team is an account that nobody signs in to: people are members of it, and have its keys, connections and use in common.
 * What a team has belongs to it, and stays when the one who made it leaves.
 */
export const teamRoles = ['owner', 'admin', 'developer', 'viewer'] as const
export const TeamRole = z.enum(teamRoles, `one of ${teamRoles.join(', ')}`)
export type TeamRole = z.infer<typeof TeamRole>

/**
 * What members do in a team. `read`: everything but secrets. `build`: query keys, connections, virtual servers. `programs`: what
 * acts for the whole team, which is API keys, agents and policies of tools. `members`: who is in it, but for owners.
 * `team`: the team itself, and its owners.
 */
export const teamActions = ['read', 'build', 'programs', 'members', 'team'] as const
export type TeamAction = (typeof teamActions)[number]

const allowed: Readonly<Record<TeamRole, readonly TeamAction[]>> = {
  owner: ['read', 'build', 'programs', 'members', 'team'],
  admin: ['read', 'build', 'programs', 'members'],
  developer: ['read', 'build'],
  viewer: ['read'],
}

export const mayInTeam = (role: TeamRole, action: TeamAction): boolean => allowed[role].includes(action)

const whoMay: Readonly<Record<TeamAction, string>> = {
  read: 'members read',
  build: 'developers, admins and owners change query keys, connections and virtual servers',
  programs: 'admins and owners change API keys, agents and tool policies',
  members: 'admins and owners change who is in the team',
  team: 'owners change the team and who owns it',
}

/** Why somebody with this role does not do that, and who does. */
export const teamRefusal = (role: TeamRole, action: TeamAction): string =>
  `In this team you are ${article(role)} ${role}: ${whoMay[action]}`

export const article = (role: TeamRole): string => (role === 'owner' || role === 'admin' ? 'an' : 'a')

export const teamLimits = {
  members: 100,
  /** Of which one person is a member. */
  teamsEach: 20,
  /** Invitations of one team that are open. */
  invitations: 50,
} as const

/** Header of a request that names the team for which the caller acts. */
export const teamHeader = 'gatehouse-team'
/** The same in the address of a stream, because browsers send no headers with those. */
export const teamParameter = 'team'

export const TeamId = idText(64)
const TeamName = nameText(60)

export const NewTeam = z.strictObject({ name: TeamName })
export const TeamById = z.strictObject({ team: TeamId })
export const TeamRename = z.strictObject({ team: TeamId, name: TeamName })
export const TeamMemberById = z.strictObject({ team: TeamId, member: TeamId })
export const TeamRoleChange = z.strictObject({ team: TeamId, member: TeamId, role: TeamRole })
export const TeamInvitationById = z.strictObject({ team: TeamId, id: idText(64) })

/** Invites one person with a role: whoever opens the link first, or with `for` the one who has that identity. */
export const NewTeamInvitation = z.extend(NewInvitation, {
  team: TeamId,
  role: z._default(TeamRole, 'developer'),
})
export type NewTeamInvitation = z.output<typeof NewTeamInvitation>

/** A team as one of its members lists it. */
export interface OwnTeam {
  /** Of its account. */
  readonly id: string
  readonly name: string
  /** What the reader is in it. */
  readonly role: TeamRole
  /** `pending`: an operator has to approve the team first. */
  readonly state: AccountState
}

/** The signed-in account, with the teams that it can act for. */
export interface AccountWithTeams extends AccountView {
  /** By name. */
  readonly teams: readonly OwnTeam[]
}

export interface TeamMember {
  /** Of the person's account. */
  readonly id: string
  readonly role: TeamRole
  /** Epoch ms. */
  readonly joinedAt: number
  /** How they sign in; null for somebody who has lost every way to. */
  readonly identity: Pick<IdentityView, 'kind' | 'subject' | 'label'> | null
  readonly isYou: boolean
}

export interface TeamInvitationView extends InvitationView {
  readonly role: TeamRole
}

export interface TeamDetails extends OwnTeam {
  readonly createdAt: number
  /** Owners first, then by when they joined. */
  readonly members: readonly TeamMember[]
  /** The newest first; none for who may not invite. */
  readonly invitations: readonly TeamInvitationView[]
}

/** What somebody reads who opens the link of an invitation, before they join. */
export interface ShownTeamInvitation {
  readonly team: string
  readonly role: TeamRole
  /** Epoch ms. */
  readonly expiresAt: number
}

/** A team as operators list it. */
export interface ListedTeam extends Omit<OwnTeam, 'role'> {
  readonly createdAt: number
  readonly members: number
  readonly plan: string | null
}

/** What stands in the way of deleting a team: how many it has of each. */
export const teamHoldings = {
  queryKeys: 'query keys',
  apiKeys: 'API keys',
  agents: 'agents',
  connections: 'connections',
  virtualServers: 'virtual servers',
} as const
export type TeamHoldings = Readonly<Record<keyof typeof teamHoldings, number>>
