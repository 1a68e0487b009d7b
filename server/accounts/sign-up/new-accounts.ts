import type { AccountState } from '../../../shared/accounts.ts'
import type { Audit } from '../../audit/audit.ts'
import type { TransactionSql } from '../../platform/database.ts'
import { randomId } from '../../platform/ids.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import { ownAccountEntry } from '../audit-entries.ts'
import { type ProvenIdentity, identityKey, identityLabel } from '../identity.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import type { AccountStore } from '../store.ts'
import type { Entry, NoEntry } from './entry.ts'
import type { Invitations } from './invitations.ts'

interface NewAccountsParts {
  readonly clock: SteadyClock
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly record: Audit['record']
  /** Decides by the policy about an identity that has no account, or whose account waits. */
  readonly entryOf: (identity: ProvenIdentity) => Promise<Entry>
  readonly planOf: PlanOfNew
  readonly invitations: Pick<Invitations, 'take'>
}

/** Returns the plan of the account of somebody new; null: none. */
export type PlanOfNew = (identity: ProvenIdentity) => string | null

interface Admitted {
  readonly state: AccountState
  /** The id of the invitation; null for the policy. */
  readonly by: string | null
}

export type NewAccounts = ReturnType<typeof createNewAccounts>

/** Lets in who is new or waits, in the transaction of their sign-in. */
export function createNewAccounts(parts: NewAccountsParts) {
  const { clock, store, sessions, record, entryOf, planOf, invitations } = parts

  /** By the invitation that the browser has shown, or else by the policy. */
  async function admit(
    sql: TransactionSql,
    accountId: string,
    identity: ProvenIdentity,
    entry: Entry,
    { invitation }: SignInRequest,
  ): Promise<Admitted | NoEntry> {
    const byPolicy = entry.kind === 'account' ? { state: entry.state, by: null } : { kind: entry.kind }
    if (invitation === null) return byPolicy
    const taken = await invitations.take(sql, invitation, accountId, [identityKey(identity)])
    if (typeof taken !== 'string') return { state: 'active', by: taken.id }
    // Whoever needs no invitation is not turned away because of one.
    return entry.kind === 'account' && entry.state === 'active' ? byPolicy : { kind: taken }
  }

  async function recordJoin(
    sql: TransactionSql,
    accountId: string,
    identity: ProvenIdentity,
    by: string,
    context: SignInRequest,
  ): Promise<void> {
    const account = { accountId, accountLabel: identityLabel(identity) }
    await record(sql, ownAccountEntry(account, 'account.join', context, { after: { state: 'active', by } }))
  }

  return {
    entryOf,

    /** Makes an account for an identity that has none, and returns its id. */
    async signUp(
      sql: TransactionSql,
      identity: ProvenIdentity,
      entry: Entry,
      context: SignInRequest,
    ): Promise<string | NoEntry> {
      const accountId = randomId('acc')
      const admitted = await admit(sql, accountId, identity, entry, context)
      if ('kind' in admitted) return admitted
      const at = Math.floor(clock.now())
      await store.create(sql, accountId, { state: admitted.state, plan: planOf(identity), at })
      await store.addIdentity(sql, accountId, randomId('idn'), identity, at)
      if (admitted.by !== null) await recordJoin(sql, accountId, identity, admitted.by, context)
      return accountId
    },

    /** Somebody who waits goes on waiting, unless the policy or an invitation lets them in by now. */
    async letInWaiting(
      sql: TransactionSql,
      accountId: string,
      identity: ProvenIdentity,
      entry: Entry,
      context: SignInRequest,
    ): Promise<void> {
      if ((await store.lockState(sql, accountId)) !== 'pending') return
      const admitted = await admit(sql, accountId, identity, entry, context)
      if ('kind' in admitted || admitted.state !== 'active') return
      await store.approve(sql, accountId)
      await sessions.announce(sql, accountId)
      await recordJoin(sql, accountId, identity, admitted.by ?? 'sign-up policy', context)
    },
  }
}
