/**
 * Teams: accounts that nobody signs in to, and that several people have in common.
 *
 * 1. A request names the team that its sender acts for (`gatehouse-team`); `call-context.ts` asks here what they are in it, at
 *    every request and from the database: a member who was removed is refused from the next call on, by every process.
 * 2. `trpc/team-account.ts` compares that with what the procedure needs, and gives the procedure the team's account in place of
 *    the person's. So keys, connections and use are the team's, plans and caps count for it, and the audit log names both.
 * 3. `decide.ts` decides who changes whom; `shared/teams.ts` has the table of roles. `membership.ts` joins, leaves and changes
 *    roles with the team locked (`team-changes.ts`), and `invitations.ts` keeps the links, of which only hashes are stored.
 *
 * What a team has belongs to its account: it outlives who made it. A team that has nothing left can be deleted.
 * How many may be made follows the sign-up policy, because each team has a plan of its own.
 *
 * Failure: without the database nobody acts for a team (`unavailable`); keys of teams go on as all keys do.
 *
 * Limitations: operators approve, disable and give plans to teams as to any account, and do not see into their invitations.
 * Changes of what a team has are counted for the person who makes them (`mutation-limit.ts`).
 */
import type { SignUpPolicy } from '../../../shared/accounts.ts'
import type { MadeInvitation } from '../../../shared/invitations.ts'
import {
  type ListedTeam,
  type NewTeamInvitation,
  type OwnTeam,
  type TeamDetails,
  type TeamHoldings,
  type TeamMember,
  type TeamRole,
  mayInTeam,
  teamHoldings,
  teamLimits,
  teamRefusal,
} from '../../../shared/teams.ts'
import type { Audit } from '../../audit/audit.ts'
import type { Database } from '../../platform/database.ts'
import { type Fault, fault } from '../../platform/fault.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import { randomId } from '../../platform/ids.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { ChosenTeam } from '../../trpc/team-account.ts'
import { eraseAccounts } from '../deletion.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { AccountStore } from '../store.ts'
import { inviteRefusal, stateOfNewTeam } from './decide.ts'
import { createTeamInvitations } from './invitations.ts'
import { createTeamMembership } from './membership.ts'
import { type TeamMembership, type StoredMember, createTeamStore } from './store.ts'
import { type TeamDoer, createChangeTeam, unknownTeam } from './team-changes.ts'

interface TeamsParts {
  readonly database: Database
  readonly clock: SteadyClock
  readonly store: Pick<AccountStore, 'findIn' | 'listOf'>
  readonly sessions: Sessions
  readonly record: Audit['record']
  readonly address: () => PublicAddress
  readonly signUp: SignUpPolicy
  /** Returns the plan of new accounts; null: none. */
  readonly planOfNew: () => string | null
}

/** Somebody who makes a team. */
interface Founder extends TeamDoer {
  readonly isOperator: boolean
}

export type Teams = ReturnType<typeof createTeams>

export function createTeams(parts: TeamsParts) {
  const { database, clock, store: accounts, sessions, record, address, signUp, planOfNew } = parts
  const store = createTeamStore(database)
  const invitations = createTeamInvitations({ database, clock, address })
  const changeTeam = createChangeTeam({ database, store, record })
  const ofMembers = { database, clock, accounts, sessions, record, store, invitations, changeTeam }
  const { join, show, ...membership } = createTeamMembership(ofMembers)

  async function membersOf(teamId: string, readerId: string | null): Promise<TeamMember[]> {
    const members = await store.members(teamId)
    const people = await accounts.listOf(members.map(({ accountId }) => accountId))
    return members.map((member) => memberView(member, people, readerId))
  }

  return {
    /** The team for which somebody wants to act, or why they may not. */
    async choose(accountId: string, teamId: string): Promise<ChosenTeam | Fault> {
      const found = await store.find(accountId, teamId)
      return found === null ? notMember() : (standingRefusal(found) ?? chosen(found))
    },

    /** All of one person, by name. */
    async listOf(accountId: string): Promise<OwnTeam[]> {
      return (await store.listOf(accountId)).map(({ createdAt: _createdAt, ...team }) => team)
    },

    /** Fault: `not_found`. */
    async details(accountId: string, teamId: string): Promise<TeamDetails> {
      const found = await store.find(accountId, teamId)
      if (found === null) throw unknownTeam()
      const [members, invited] = await Promise.all([
        membersOf(teamId, accountId),
        mayInTeam(found.role, 'members') ? invitations.list(teamId) : [],
      ])
      return { ...found, members, invitations: invited }
    },

    /** Who makes a team owns it. Faults: `forbidden` by the sign-up policy; `conflict` for one who belongs to many. */
    async create(
      { isOperator, actor, ...trace }: Founder,
      name: string,
    ): Promise<Pick<OwnTeam, 'id' | 'state'>> {
      const state = stateOfNewTeam(signUp, isOperator)
      if (state === null)
        throw fault('forbidden', 'Operators of this installation make teams: ask one for yours')
      const id = randomId('acc')
      const at = Math.floor(clock.now())
      await database.transaction(async (sql) => {
        if ((await store.lockCountOf(sql, actor.id)) >= teamLimits.teamsEach)
          throw fault(
            'conflict',
            `You belong to ${teamLimits.teamsEach} teams, the most there may be: leave one first`,
          )
        await store.create(sql, id, { name, state, plan: planOfNew(), at })
        await store.add(sql, id, actor.id, 'owner', at)
        const after = { name, state, member: actor.id }
        await record(sql, { actor, action: 'team.create', subject: { kind: 'team', id }, after, ...trace })
      })
      return { id, state }
    },

    rename: (by: TeamDoer, teamId: string, name: string): Promise<void> =>
      changeTeam(by, teamId, 'team.rename', async ({ sql, role }) => {
        requireOwner(role)
        const before = await accounts.findIn(sql, teamId)
        await store.rename(sql, teamId, name)
        const facts = { before: { name: before?.contact?.name ?? null }, after: { name } }
        return { result: undefined, facts }
      }),

    /** Faults: `not_found`, `forbidden`; `conflict` for one that has something left. */
    delete: (by: TeamDoer, teamId: string): Promise<void> =>
      changeTeam(by, teamId, 'team.delete', async ({ sql, role, members }) => {
        requireOwner(role)
        const left = leftIn(await store.holdings(sql, teamId))
        if (left !== null) throw fault('conflict', `Delete what the team has first: ${left}`)
        const team = await accounts.findIn(sql, teamId)
        // The row that stays has what a request under way may still make for the team refused.
        await eraseAccounts(sql, [teamId])
        for (const { accountId } of members) await sessions.announce(sql, accountId)
        const before = { name: team?.contact?.name ?? null, members: members.length }
        return { result: undefined, facts: { before } }
      }),

    /** The link is in the answer alone. Faults: `not_found`, `forbidden`, `conflict`. */
    invite: (by: TeamDoer, asked: NewTeamInvitation): Promise<MadeInvitation> =>
      changeTeam(by, asked.team, 'team.invite', async ({ sql, role }) => {
        const why = inviteRefusal(role, asked.role)
        if (why !== null) throw fault('forbidden', why)
        if ((await invitations.countOpen(sql, asked.team)) >= teamLimits.invitations)
          throw fault(
            'conflict',
            `${teamLimits.invitations} invitations are open, the most there may be: cancel one first`,
          )
        const { for: only, ...made } = await invitations.make(sql, asked, by.actor)
        const { id: invitation, expiresAt } = made
        const after = { invitation, role: asked.role, note: asked.note, for: only, expiresAt }
        return { result: made, facts: { after } }
      }),

    cancelInvitation: (by: TeamDoer, teamId: string, id: string): Promise<void> =>
      changeTeam(by, teamId, 'team.invitation_cancel', async ({ sql, role }) => {
        if (!mayInTeam(role, 'members')) throw fault('forbidden', teamRefusal(role, 'members'))
        if (!(await invitations.cancel(sql, teamId, id)))
          throw fault('not_found', 'There is no unused invitation of this id')
        return { result: undefined, facts: { before: { invitation: id } } }
      }),

    showInvitation: show,
    join,
    ...membership,

    /** For operators: the newest thousand, and who is in one. */
    all: (): Promise<ListedTeam[]> => store.all(),
    members: (teamId: string): Promise<TeamMember[]> => membersOf(teamId, null),
  }
}

const chosen = ({ id, name, role }: TeamMembership): ChosenTeam => ({ id, name, role })

const notMember = (): Fault =>
  fault(
    'forbidden',
    'You are not, or no longer, a member of this team: choose your own account or another team',
  )

function standingRefusal({ state }: TeamMembership): Fault | null {
  if (state === 'active') return null
  return state === 'pending'
    ? fault('account_not_approved', 'An operator of this installation has to approve the team first')
    : fault('forbidden', 'An operator of this installation has disabled the team')
}

function requireOwner(role: TeamRole): void {
  if (!mayInTeam(role, 'team')) throw fault('forbidden', teamRefusal(role, 'team'))
}

/** For instance `query keys: 3, connections: 1`; null: nothing. */
function leftIn(holdings: TeamHoldings): string | null {
  const names = Object.keys(teamHoldings) as (keyof TeamHoldings)[]
  const left = names.filter((name) => holdings[name] > 0)
  return left.length === 0 ? null : left.map((name) => `${teamHoldings[name]}: ${holdings[name]}`).join(', ')
}

function memberView(
  { accountId, role, joinedAt }: StoredMember,
  people: Awaited<ReturnType<AccountStore['listOf']>>,
  readerId: string | null,
): TeamMember {
  const [first] = people.find(({ id }) => id === accountId)?.identities ?? []
  const identity =
    first === undefined ? null : { kind: first.kind, subject: first.subject, label: first.label }
  return { id: accountId, role, joinedAt, identity, isYou: accountId === readerId }
}
