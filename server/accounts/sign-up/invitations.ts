import type {
  InvitationRefusal,
  InvitationView,
  MadeInvitation,
  NewInvitation,
} from '../../../shared/invitations.ts'
import type { AuditActor } from '../../../shared/audit.ts'
import type { Audit } from '../../audit/audit.ts'
import type { Database, Sql, TransactionSql } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import { randomId } from '../../platform/ids.ts'
import { hashSecret, mintSecret } from '../../platform/secrets.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { tokenPrefixes } from '../../platform/token-prefixes.ts'
import { dayMs } from '../../../shared/durations.ts'
import type { RequestTrace } from '../audit-entries.ts'
import { keyOfEntry } from '../operators.ts'
import { type StoredInvitation, invitationRefusal, invitationView } from './invitation.ts'

interface InvitationsParts {
  readonly database: Database
  readonly clock: SteadyClock
  readonly record: Audit['record']
  readonly address: () => PublicAddress
}

/** Who invites, or takes an invitation back: an operator, or the command line. */
interface Inviter extends RequestTrace {
  readonly actor: AuditActor
}

/** Those that were used or have ended stay in the list for so long, and no more of them than this: the newest. */
const shownAfterMs = 30 * dayMs
const maxOver = 500

interface InvitationRow {
  id: string
  note: string
  for_identity: string | null
  created_at: Date
  created_by: string
  expires_at: Date
  used_at: Date | null
  used_by: string | null
}

const toInvitation = (row: InvitationRow): StoredInvitation => ({
  id: row.id,
  note: row.note,
  for: row.for_identity,
  createdAt: row.created_at.getTime(),
  createdBy: row.created_by,
  expiresAt: row.expires_at.getTime(),
  usedAt: row.used_at?.getTime() ?? null,
  usedBy: row.used_by,
})

const columns = (sql: Sql) =>
  sql`id, note, for_identity, created_at, created_by, expires_at, used_at, used_by`

async function find(sql: Sql, token: string, lock = sql``): Promise<StoredInvitation | null> {
  const [row] = await sql<InvitationRow[]>`
    SELECT ${columns(sql)} FROM invitations WHERE token_hash = ${hashSecret(token)} ${lock}`
  return row === undefined ? null : toInvitation(row)
}

export type Invitations = ReturnType<typeof createInvitations>

/** Links that let one person in each. Of the secret in a link only its hash is stored. */
export function createInvitations({ database, clock, record, address }: InvitationsParts) {
  return {
    async invite({ actor, ...trace }: Inviter, asked: NewInvitation): Promise<MadeInvitation> {
      const id = randomId('inv')
      const token = mintSecret(tokenPrefixes.invitation)
      const at = Math.floor(clock.now())
      const expiresAt = at + asked.days * dayMs
      const only = asked.for === null ? null : keyOfEntry(asked.for)
      await database.transaction(async (sql) => {
        await sql`
          INSERT INTO invitations (id, token_hash, note, for_identity, created_at, created_by, expires_at)
          VALUES (${id}, ${hashSecret(token)}, ${asked.note}, ${only}, ${new Date(at)}, ${actor.label},
            ${new Date(expiresAt)})`
        await record(sql, {
          actor,
          action: 'account.invite',
          subject: { kind: 'invitation', id },
          after: { note: asked.note, for: only, expiresAt },
          ...trace,
        })
      })
      // Browsers send the part behind the `#` to no server, so that no access log contains the token.
      return { id, link: `${address().origin}/sign-in#invitation=${token}`, expiresAt }
    },

    /** The newest first: all that are open, for they can be taken back, and those that came to their end in the last month. */
    async invitations(): Promise<InvitationView[]> {
      const now = clock.now()
      const rows = await database.run(
        (sql) => sql<InvitationRow[]>`
          (SELECT ${columns(sql)} FROM invitations WHERE used_at IS NULL AND expires_at > ${new Date(now)})
          UNION ALL
          (SELECT ${columns(sql)} FROM invitations
            WHERE (used_at IS NOT NULL OR expires_at <= ${new Date(now)})
              AND coalesce(used_at, expires_at) > ${new Date(now - shownAfterMs)}
            ORDER BY created_at DESC, id LIMIT ${maxOver})
          ORDER BY created_at DESC, id`,
      )
      return rows.map((row) => invitationView(toInvitation(row), now))
    },

    /** Ends an invitation that was not used. Fault: `not_found`, also for one that was. */
    async cancelInvitation({ actor, ...trace }: Inviter, id: string): Promise<void> {
      await database.transaction(async (sql) => {
        const rows = await sql`DELETE FROM invitations WHERE id = ${id} AND used_at IS NULL RETURNING id`
        if (rows.length === 0) throw fault('not_found', 'There is no unused invitation of this id')
        await record(sql, {
          actor,
          action: 'account.invitation_cancel',
          subject: { kind: 'invitation', id },
          ...trace,
        })
      })
    },

    /** Why nobody could use it; null when somebody can. */
    async refusal(token: string): Promise<InvitationRefusal | null> {
      return invitationRefusal(await database.run((sql) => find(sql, token)), null, clock.now())
    },

    /**
     * Uses an invitation up for an account with these identities (keys such as `github:583231`). Of two who try at once, one
     * gets it. Returns its id, or why it lets them not in.
     */
    async take(
      sql: TransactionSql,
      token: string,
      accountId: string,
      identities: readonly string[],
    ): Promise<{ readonly id: string } | InvitationRefusal> {
      const invitation = await find(sql, token, sql`FOR UPDATE`)
      const refused = invitationRefusal(invitation, identities, clock.now())
      if (refused !== null) return refused
      const { id } = invitation as StoredInvitation
      await sql`
        UPDATE invitations SET used_at = ${new Date(clock.now())}, used_by = ${accountId} WHERE id = ${id}`
      return { id }
    },
  }
}
