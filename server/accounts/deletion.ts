import type { AccountDeletion } from '../../shared/account-export.ts'
import type { AuditActor } from '../../shared/audit.ts'
import type { Audit } from '../audit/audit.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { ChangedThings } from '../keys/replicas/replicated-change.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import type { RequestTrace } from './audit-entries.ts'
import { identityLabel } from './identity.ts'
import { type ConfiguredOperators, effectiveStanding } from './operators.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { AccountStore, StoredAccount } from './store.ts'

interface DeletionParts {
  readonly database: Database
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly operators: ConfiguredOperators
  readonly replicas: Pick<KeyReplicas, 'change'>
  readonly removeHeld: RemoveHeld
  readonly record: Audit['record']
}

/** Deletes what accounts have in other domains. */
export type RemoveHeld = (sql: TransactionSql, accountIds: readonly string[]) => Promise<RemovedThings>

interface RemovedThings {
  readonly counts: AccountDeletion['removed']
  /** What of it processes remember. */
  readonly remembered: readonly ChangedThings[]
}

/** Who does it: an operator, the command line, or the person themselves. */
interface Deleter extends RequestTrace {
  readonly actor: AuditActor
}

/** Processes without the database go on with what they know for five minutes, and are waited for so long; see `keys/`. */
const livingSec = 310

/**
 * Deletes accounts, in one transaction with everything that they have. Of an account there stays a row without a name in
 * the state `deleted`, which keeps what a request under way may still make for it as refused as if it were disabled; `sweep`
 * removes that. The audit log stays, since it is a chain, and so do counts of calls, under an id that leads to nobody.
 */
export function createDeletion(parts: DeletionParts) {
  const { database, store, sessions, operators, replicas, removeHeld, record } = parts

  async function refuseForOperators(sql: TransactionSql, account: StoredAccount, by: AuditActor) {
    if (account.identities.some(operators.includes)) {
      throw fault(
        'conflict',
        'GATEHOUSE_OPERATORS makes this account an operator: take it off that setting first',
      )
    }
    if (effectiveStanding(account, operators).role !== 'operator') return
    if (by.id === account.id) {
      throw fault(
        'conflict',
        'You run this installation with this account: another operator has to make it an ordinary one first',
      )
    }
    if (operators.areAny) return
    const [other] = await sql`
      SELECT 1 FROM accounts WHERE role = 'operator' AND id <> ${account.id} LIMIT 1`
    if (other === undefined)
      throw fault('conflict', 'This is the only operator: make another account an operator first')
  }

  return {
    /**
     * Every living process refuses its sessions, keys and agents before this returns, or `propagated` is false. Faults:
     * `not_found`; `conflict` for an operator's own account, the only owner of a team, the only operator's, and one that the settings make an operator.
     */
    async delete({ actor, ip, requestId }: Deleter, id: string): Promise<AccountDeletion> {
      const { result: removed, propagated } = await replicas.change(
        'account',
        async (sql) => {
          await refuseForOnlyOwners(sql, id)
          await store.lockState(sql, id)
          const account = await store.findIn(sql, id)
          if (account === null) throw fault('not_found', 'There is no account of this id')
          await refuseForOperators(sql, account, actor)
          const { counts, remembered } = await removeHeld(sql, [id])
          await eraseAccounts(sql, [id])
          await sessions.announce(sql, id)
          const { state, role, plan, identities } = account
          const before = { state, role, plan, identities: identities.map(identityLabel), ...counts }
          await record(sql, {
            actor,
            action: 'account.delete',
            subject: { kind: 'account', id },
            before,
            ip,
            requestId,
          })
          return { ids: [id], further: remembered, result: counts }
        },
        livingSec,
      )
      sessions.forget(id)
      return { id, removed, propagated }
    },

    /** Removes what requests that were under way made for accounts while these were deleted. */
    async sweep(): Promise<void> {
      const deleted = await database.run(
        (sql) => sql<{ id: string }[]>`SELECT id FROM accounts WHERE state = 'deleted'`,
      )
      const ids = deleted.map(({ id }) => id)
      if (ids.length === 0) return
      await replicas.change('account', async (sql) => {
        const { remembered } = await removeHeld(sql, ids)
        await eraseAccounts(sql, ids)
        return { ids: [], further: remembered, result: null }
      })
    },
  }
}

/** Locks the teams that somebody owns before their own account, which is the order of those who join one. */
async function refuseForOnlyOwners(sql: TransactionSql, id: string): Promise<void> {
  const teams = await sql<{ name: string | null; owners: number }[]>`
    SELECT a.name, (SELECT count(*)::int FROM team_members WHERE team_id = a.id AND role = 'owner') AS owners
    FROM accounts a JOIN team_members m ON m.team_id = a.id
    WHERE m.account_id = ${id} AND m.role = 'owner' ORDER BY a.id FOR UPDATE OF a`
  const alone = teams.find(({ owners }) => owners === 1)
  if (alone === undefined) return
  throw fault(
    'conflict',
    `This account is the only owner of the team ${JSON.stringify(alone.name)}: make another member an owner, or delete the team first`,
  )
}

/** Leaves nothing of accounts but their ids and when they were made. */
export async function eraseAccounts(sql: TransactionSql, ids: readonly string[]): Promise<void> {
  const theirs = () => sql`account_id = ANY (${[...ids]}::text[])`
  await sql`DELETE FROM identities WHERE ${theirs()}`
  await sql`DELETE FROM web_sessions WHERE ${theirs()}`
  await sql`DELETE FROM account_mutations WHERE ${theirs()}`
  await sql`DELETE FROM team_members WHERE ${theirs()} OR team_id = ANY (${[...ids]}::text[])`
  await sql`DELETE FROM team_invitations WHERE team_id = ANY (${[...ids]}::text[])`
  await sql`DELETE FROM sign_in_nonces WHERE ${theirs()}`
  await sql`DELETE FROM oauth_states WHERE ${theirs()}`
  await sql`
    UPDATE accounts SET state = 'deleted', role = 'account', name = NULL, email = NULL, plan = NULL,
      last_seen_at = NULL, recent_calls = 0, recent_credits = 0
    WHERE id = ANY (${[...ids]}::text[])
      AND (state, last_seen_at IS NULL, recent_calls) IS DISTINCT FROM ('deleted', true, 0)`
}
