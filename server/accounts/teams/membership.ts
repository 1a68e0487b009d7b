import { type InvitationRefusal, invitationRefusals } from '../../../shared/invitations.ts'
import {
  type OwnTeam,
  type ShownTeamInvitation,
  type TeamRole,
  article,
  teamLimits,
} from '../../../shared/teams.ts'
import type { Audit } from '../../audit/audit.ts'
import type { Database, Sql, TransactionSql } from '../../platform/database.ts'
import { type Fault, fault } from '../../platform/fault.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { identityKey } from '../identity.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { AccountStore } from '../store.ts'
import { memberChangeRefusal } from './decide.ts'
import type { StoredTeamInvitation, TeamInvitations } from './invitations.ts'
import type { TeamStore } from './store.ts'
import type { ChangeTeam, TeamDoer } from './team-changes.ts'

interface MembershipParts {
  readonly database: Database
  readonly clock: SteadyClock
  readonly accounts: Pick<AccountStore, 'findIn'>
  readonly sessions: Pick<Sessions, 'announce' | 'forget'>
  readonly record: Audit['record']
  readonly store: TeamStore
  readonly invitations: TeamInvitations
  readonly changeTeam: ChangeTeam
}

const refused = (why: InvitationRefusal): Fault => fault('gone', invitationRefusals[why])

/** Joining a team by an invitation, leaving it, and what others make of one's membership. */
export function createTeamMembership(parts: MembershipParts) {
  const { database, clock, accounts, sessions, record, store, invitations, changeTeam } = parts

  async function identitiesOf(sql: Sql, accountId: string): Promise<string[]> {
    const account = await accounts.findIn(sql, accountId)
    return (account?.identities ?? []).map(identityKey)
  }

  async function invitationFor(token: string, accountId: string): Promise<StoredTeamInvitation> {
    const identities = await database.run((sql) => identitiesOf(sql, accountId))
    const found = await invitations.read(token, identities)
    if (typeof found !== 'string') return found
    if (found === 'invitation_used' && (await invitations.usedBy(token)) === accountId)
      throw fault('conflict', 'You joined this team by this invitation already')
    throw refused(found)
  }

  /** The team stays locked, so that the count of its members holds. */
  async function requireRoom(sql: TransactionSql, teamId: string, accountId: string): Promise<void> {
    const members = await store.lock(sql, teamId)
    if (members === null) throw refused('invitation_unknown')
    const own = members.find((member) => member.accountId === accountId)
    if (own !== undefined) {
      const role = `${article(own.role)} ${own.role}`
      throw fault('conflict', `You are in this team already, as ${role}. The invitation is still good.`)
    }
    if (members.length >= teamLimits.members)
      throw fault('conflict', `A team has at most ${teamLimits.members} members: one has to leave first`)
    if ((await store.lockCountOf(sql, accountId)) >= teamLimits.teamsEach)
      throw fault(
        'conflict',
        `You belong to ${teamLimits.teamsEach} teams, the most there may be: leave one first`,
      )
  }

  /** Ends a membership, or with a role changes it, which holds in every process: each call asks anew. */
  async function changeMember(
    by: TeamDoer,
    teamId: string,
    memberId: string,
    to: TeamRole | null,
  ): Promise<void> {
    const isOneself = memberId === by.actor.id
    const action = to !== null ? 'team.role' : isOneself ? 'team.leave' : 'team.remove'
    await changeTeam(by, teamId, action, async ({ sql, members, role }) => {
      const member = members.find(({ accountId }) => accountId === memberId)
      if (member === undefined) throw fault('not_found', 'The team has no such member')
      const owners = members.filter((one) => one.role === 'owner').length
      const why = memberChangeRefusal({ by: role, isOneself, from: member.role, to, owners })
      if (why !== null) throw fault(why.code, why.text)
      if (to === null) await store.remove(sql, teamId, memberId)
      else await store.setRole(sql, teamId, memberId, to)
      // Streams of theirs end, and are asked for anew.
      await sessions.announce(sql, memberId)
      const before = { member: memberId, role: member.role }
      return {
        result: null,
        facts: { before, ...(to !== null && { after: { member: memberId, role: to } }) },
      }
    })
    sessions.forget(memberId)
  }

  return {
    /** What an invitation is for. Fault: `gone`, with why it is for nobody, or not for this person. */
    async show(accountId: string, token: string): Promise<ShownTeamInvitation> {
      const { teamId, role, expiresAt } = await invitationFor(token, accountId)
      const team = await database.run((sql) => accounts.findIn(sql, teamId))
      return { team: team?.contact?.name ?? teamId, role, expiresAt }
    },

    /** Uses an invitation up. Faults: `gone`; `conflict` where it would make no member. Then it is still good. */
    async join({ actor, ip, requestId }: TeamDoer, token: string): Promise<Pick<OwnTeam, 'id'>> {
      const { id, teamId, role } = await invitationFor(token, actor.id)
      await database.transaction(async (sql) => {
        await requireRoom(sql, teamId, actor.id)
        const why = await invitations.take(sql, token, actor.id, await identitiesOf(sql, actor.id))
        if (why !== null) throw refused(why)
        await store.add(sql, teamId, actor.id, role, Math.floor(clock.now()))
        await record(sql, {
          actor,
          action: 'team.join',
          subject: { kind: 'team', id: teamId },
          after: { member: actor.id, role, by: id },
          ip,
          requestId,
        })
      })
      return { id: teamId }
    },

    /** Faults: `not_found`, `forbidden`, `conflict` for the last owner. */
    setRole: changeMember,
    remove: (by: TeamDoer, teamId: string, memberId: string) => changeMember(by, teamId, memberId, null),
    leave: (by: TeamDoer, teamId: string) => changeMember(by, teamId, by.actor.id, null),
  }
}
