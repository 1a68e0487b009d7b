import type { InvitationRefusal, MadeInvitation } from '../../../shared/invitations.ts'
import type { AuditActor } from '../../../shared/audit.ts'
import type { NewTeamInvitation, TeamInvitationView, TeamRole } from '../../../shared/teams.ts'
import type { Database, Sql, TransactionSql } from '../../platform/database.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import { randomId } from '../../platform/ids.ts'
import { hashSecret, mintSecret } from '../../platform/secrets.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { tokenPrefixes } from '../../platform/token-prefixes.ts'
import { dayMs } from '../../../shared/durations.ts'
import { consolePages } from '../../../shared/console-pages.ts'
import { keyOfEntry } from '../operators.ts'
import { inviteRefusal } from './decide.ts'
import { type StoredInvitation, invitationRefusal, invitationView } from '../sign-up/invitation.ts'

interface TeamInvitationsParts {
  readonly database: Database
  readonly clock: SteadyClock
  readonly address: () => PublicAddress
}

/** An invitation to a team as it is stored. Instants are epoch ms. */
export interface StoredTeamInvitation extends StoredInvitation {
  readonly teamId: string
  readonly role: TeamRole
  /** Who made it could not make it any more: they left, were removed, are disabled, or have a lesser role. */
  readonly isWithdrawn: boolean
}

interface InvitationRow {
  id: string
  team_id: string
  role: TeamRole
  note: string
  for_identity: string | null
  created_at: Date
  created_by: string
  expires_at: Date
  used_at: Date | null
  used_by: string | null
  made_by: string | null
  /** What its maker is in the team now; null: no member, or disabled. */
  maker_role: TeamRole | null
}

function isWithdrawn({ made_by, maker_role, role, used_at }: InvitationRow): boolean {
  if (made_by === null || used_at !== null) return false
  return maker_role === null || inviteRefusal(maker_role, role) !== null
}

const toInvitation = (row: InvitationRow): StoredTeamInvitation => ({
  id: row.id,
  teamId: row.team_id,
  role: row.role,
  note: row.note,
  for: row.for_identity,
  createdAt: row.created_at.getTime(),
  createdBy: row.created_by,
  expiresAt: row.expires_at.getTime(),
  usedAt: row.used_at?.getTime() ?? null,
  usedBy: row.used_by,
  isWithdrawn: isWithdrawn(row),
})

const refusalOf = (
  invitation: StoredTeamInvitation | null,
  identities: readonly string[],
  now: number,
): InvitationRefusal | null =>
  invitation?.isWithdrawn ? 'invitation_over' : invitationRefusal(invitation, identities, now)

/** Those that were used or have ended stay in the list for so long. */
const shownAfterMs = 30 * dayMs
const maxListed = 200

const columns = (sql: Sql) =>
  sql`id, team_id, role, note, for_identity, created_at, created_by, expires_at, used_at, used_by, made_by,
    (SELECT m.role FROM team_members m JOIN accounts a ON a.id = m.account_id AND a.state <> 'disabled'
      WHERE m.team_id = team_invitations.team_id AND m.account_id = made_by) AS maker_role`

async function find(sql: Sql, token: string, lock = sql``): Promise<StoredTeamInvitation | null> {
  const [row] = await sql<InvitationRow[]>`
    SELECT ${columns(sql)} FROM team_invitations WHERE token_hash = ${hashSecret(token)} ${lock}`
  return row === undefined ? null : toInvitation(row)
}

export type TeamInvitations = ReturnType<typeof createTeamInvitations>

/**
 * Links by which one person each becomes a member, as long as whoever made one could still make it. Of the secret in a
 * link only its hash is stored, as of `sign-up/invitations.ts`.
 */
export function createTeamInvitations({ database, clock, address }: TeamInvitationsParts) {
  return {
    /** How many are open. */
    async countOpen(sql: TransactionSql, teamId: string): Promise<number> {
      const rows = await sql<InvitationRow[]>`
        SELECT ${columns(sql)} FROM team_invitations
        WHERE team_id = ${teamId} AND used_at IS NULL AND expires_at > ${new Date(clock.now())}`
      return rows.filter((row) => !isWithdrawn(row)).length
    },

    async make(
      sql: TransactionSql,
      { team, role, note, days, for: asked }: NewTeamInvitation,
      by: AuditActor,
    ): Promise<MadeInvitation & { readonly for: string | null }> {
      const id = randomId('inv')
      const token = mintSecret(tokenPrefixes.invitation)
      const at = Math.floor(clock.now())
      const expiresAt = at + days * dayMs
      const only = asked === null ? null : keyOfEntry(asked)
      await sql`DELETE FROM team_invitations
        WHERE team_id = ${team} AND coalesce(used_at, expires_at) <= ${new Date(at - shownAfterMs)}`
      await sql`
        INSERT INTO team_invitations
          (id, team_id, role, token_hash, note, for_identity, created_at, created_by, made_by, expires_at)
        VALUES (${id}, ${team}, ${role}, ${hashSecret(token)}, ${note}, ${only}, ${new Date(at)}, ${by.label},
          ${by.id}, ${new Date(expiresAt)})`
      // Browsers send the part behind the `#` to no server, so that no access log contains the token.
      const link = `${address().origin}${consolePages.joinTeam}#invitation=${token}`
      return { id, link, expiresAt, for: only }
    },

    /** The newest first: those that are open, and those of the last month. */
    async list(teamId: string): Promise<TeamInvitationView[]> {
      const now = clock.now()
      const rows = await database.run(
        (sql) => sql<InvitationRow[]>`
          SELECT ${columns(sql)} FROM team_invitations
          WHERE team_id = ${teamId} AND coalesce(used_at, expires_at) > ${new Date(now - shownAfterMs)}
          ORDER BY created_at DESC, id LIMIT ${maxListed}`,
      )
      return rows.map((row) => {
        const { teamId: _team, isWithdrawn: isOver, ...invitation } = toInvitation(row)
        const view = { ...invitationView(invitation, now), role: invitation.role }
        return isOver ? { ...view, state: 'over' } : view
      })
    },

    /** Ends one that was not used; false: there is none. */
    async cancel(sql: TransactionSql, teamId: string, id: string): Promise<boolean> {
      const rows = await sql`
        DELETE FROM team_invitations WHERE id = ${id} AND team_id = ${teamId} AND used_at IS NULL RETURNING id`
      return rows.length > 0
    },

    /** The invitation of a link for somebody with these identities (keys such as `github:583231`), or why it is none for them. */
    async read(
      token: string,
      identities: readonly string[],
    ): Promise<StoredTeamInvitation | InvitationRefusal> {
      const invitation = await database.run((sql) => find(sql, token))
      return refusalOf(invitation, identities, clock.now()) ?? (invitation as StoredTeamInvitation)
    },

    /** The account that has used an invitation; null: none has. */
    async usedBy(token: string): Promise<string | null> {
      return (await database.run((sql) => find(sql, token)))?.usedBy ?? null
    },

    /** Uses one up. Of two who try at once, one gets it; returns why it lets them not in. */
    async take(
      sql: TransactionSql,
      token: string,
      accountId: string,
      identities: readonly string[],
    ): Promise<InvitationRefusal | null> {
      const invitation = await find(sql, token, sql`FOR UPDATE`)
      const refused = refusalOf(invitation, identities, clock.now())
      if (refused !== null) return refused
      await sql`
        UPDATE team_invitations SET used_at = ${new Date(clock.now())}, used_by = ${accountId}
        WHERE token_hash = ${hashSecret(token)}`
      return null
    },
  }
}
