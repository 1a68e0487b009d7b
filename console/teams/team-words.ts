import type { TeamMember, TeamRole } from '../../shared/teams.ts'
import { teamRoles } from '../../shared/teams.ts'
import { identityName } from '../accounts/identity-words.ts'

export const roleTitles: Readonly<Record<TeamRole, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  developer: 'Developer',
  viewer: 'Viewer',
}

export const roleHints: Readonly<Record<TeamRole, string>> = {
  owner: 'Everything, with members, owners and the team itself.',
  admin: 'Keys of both kinds, agents, connections, and members but owners.',
  developer: 'Query keys, connections and virtual servers.',
  viewer: 'Reads everything but secrets, and changes nothing.',
}

export const roleOptions = teamRoles.map((value) => ({ value, label: roleTitles[value] }))

/** How a member is called: by their first identity, or their account. */
export const teamMemberName = ({ id, identity }: Pick<TeamMember, 'id' | 'identity'>): string =>
  identity === null ? id : identityName(identity)
