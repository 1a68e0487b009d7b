import type { AccountState, Role } from '../../shared/accounts.ts'
import type { InvitationRefusal } from '../../shared/invitations.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import { assertNever, fault } from '../platform/fault.ts'
import { randomId } from '../platform/ids.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { ownAccountEntry } from './audit-entries.ts'
import type { Audit } from '../audit/audit.ts'
import { identityKey, identityLabel } from './identity.ts'
import type { ProvenIdentity } from './identity.ts'
import type { Intent } from './pending/store.ts'
import { isFresh } from './sessions/session.ts'
import type { CurrentSession } from './sessions/session.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { AccountStore } from './store.ts'
import type { SignInRequest } from './sign-in-request.ts'
import type { Invitations } from './sign-up/invitations.ts'

/** The result of proving an identity. */
export type SignInOutcome =
  | {
      readonly kind: 'signed_in'
      readonly accountId: string
      readonly isNewAccount: boolean
      readonly secret: string
    }
  | { readonly kind: 'linked'; readonly accountId: string; readonly role: Role }
  /** It belongs to another account already, and stays there. */
  | { readonly kind: 'identity_taken' }
  /** Not an identity of the account that was to be confirmed. */
  | { readonly kind: 'other_account' }
  /** It has no account here, and the installation takes no new ones, or only those that were invited. */
  | { readonly kind: 'sign_up_closed' | 'invitation_needed' | InvitationRefusal }

interface SignInCompletionParts {
  readonly database: Database
  readonly clock: SteadyClock
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly record: Audit['record']
  /** Decides about an identity that has no account, or whose account waits. */
  readonly entryOf: (identity: ProvenIdentity) => Promise<Entry>
  readonly invitations: Pick<Invitations, 'take'>
}

/** What becomes of somebody new without an invitation. */
export type Entry =
  | { readonly kind: 'account'; readonly state: AccountState }
  /** They get no account. */
  | { readonly kind: 'sign_up_closed' | 'invitation_needed' }

export type CompleteSignIn = (
  identity: ProvenIdentity,
  intent: Intent,
  context: SignInRequest,
) => Promise<SignInOutcome>

/** What may be asked for before anything is proven. Throws `unauthorized`, `stale_session`. */
export function intentOf(purpose: Intent['purpose'], session: CurrentSession | null, now: number): Intent {
  if (purpose === 'sign_in') return { purpose, accountId: null }
  if (session === null) throw fault('unauthorized', 'Sign in first')
  if (session.state !== 'active') {
    throw fault('account_not_approved', 'An operator of this installation has to approve your account first')
  }
  if (purpose === 'link' && !isFresh(session, now)) {
    throw fault('stale_session', 'Confirm first who you are: another identity will be able to sign in as you')
  }
  return { purpose, accountId: session.accountId }
}

/** Everything in one transaction: whatever fails, nobody is half signed in. */
export function createSignInCompletion(parts: SignInCompletionParts): CompleteSignIn {
  const { database, clock, store, sessions, record, entryOf, invitations } = parts

  /** Signs in; the session that this browser had before, if any, ends. */
  async function begin(
    sql: TransactionSql,
    accountId: string,
    identity: ProvenIdentity,
    context: SignInRequest,
  ): Promise<string> {
    await store.updateLabel(sql, identity)
    const { session } = context
    if (session !== null) {
      await sessions.end(sql, session.accountId, session.id)
      await sessions.announce(sql, session.accountId)
    }
    const secret = await sessions.begin(sql, accountId, context)
    const account = { accountId, accountLabel: identityLabel(identity) }
    await record(
      sql,
      ownAccountEntry(account, 'account.sign_in', context, { after: { identity: account.accountLabel } }),
    )
    return secret
  }

  /** By the invitation that the browser has shown, whose id is `by`, or else by the policy. */
  async function admit(
    sql: TransactionSql,
    accountId: string,
    identity: ProvenIdentity,
    entry: Entry,
    { invitation }: SignInRequest,
  ): Promise<
    { state: AccountState; by: string | null } | Exclude<Entry, { kind: 'account' }> | InvitationRefusal
  > {
    const byPolicy = entry.kind === 'account' ? { state: entry.state, by: null } : entry
    if (invitation === null) return byPolicy
    const taken = await invitations.take(sql, invitation, accountId, [identityKey(identity)])
    if (typeof taken !== 'string') return { state: 'active', by: taken.id }
    // Whoever needs no invitation is not turned away because of one.
    return entry.kind === 'account' && entry.state === 'active' ? byPolicy : taken
  }

  async function signUp(
    sql: TransactionSql,
    identity: ProvenIdentity,
    entry: Entry,
    context: SignInRequest,
  ): Promise<SignInOutcome> {
    const accountId = randomId('acc')
    const admitted = await admit(sql, accountId, identity, entry, context)
    if (typeof admitted === 'string') return { kind: admitted }
    if ('kind' in admitted) return admitted
    const at = Math.floor(clock.now())
    await store.create(sql, accountId, admitted.state, at)
    await store.addIdentity(sql, accountId, randomId('idn'), identity, at)
    const secret = await begin(sql, accountId, identity, context)
    if (admitted.by !== null) await recordJoin(sql, accountId, identity, admitted.by, context)
    return { kind: 'signed_in', accountId, isNewAccount: true, secret }
  }

  /** Somebody who waits goes on waiting, unless the policy or an invitation lets them in by now. */
  async function letInWaiting(
    sql: TransactionSql,
    accountId: string,
    identity: ProvenIdentity,
    entry: Entry,
    context: SignInRequest,
  ): Promise<void> {
    if (!(await store.isPending(sql, accountId))) return
    const admitted = await admit(sql, accountId, identity, entry, context)
    if (typeof admitted === 'string' || 'kind' in admitted || admitted.state !== 'active') return
    await store.approve(sql, accountId)
    await sessions.announce(sql, accountId)
    await recordJoin(sql, accountId, identity, admitted.by ?? 'sign-up policy', context)
  }

  const recordJoin = (
    sql: TransactionSql,
    accountId: string,
    identity: ProvenIdentity,
    by: string,
    context: SignInRequest,
  ): Promise<void> => {
    const account = { accountId, accountLabel: identityLabel(identity) }
    return record(sql, ownAccountEntry(account, 'account.join', context, { after: { state: 'active', by } }))
  }

  async function signIn(
    sql: TransactionSql,
    identity: ProvenIdentity,
    entry: Entry,
    context: SignInRequest,
  ): Promise<SignInOutcome> {
    const accountId = await store.ownerOf(sql, identity)
    if (accountId === null) return signUp(sql, identity, entry, context)
    await letInWaiting(sql, accountId, identity, entry, context)
    const secret = await begin(sql, accountId, identity, context)
    return { kind: 'signed_in', accountId, isNewAccount: false, secret }
  }

  async function confirm(
    sql: TransactionSql,
    session: CurrentSession,
    identity: ProvenIdentity,
    context: SignInRequest,
  ): Promise<SignInOutcome> {
    const { accountId } = session
    if ((await store.ownerOf(sql, identity)) !== accountId) return { kind: 'other_account' }
    const secret = await begin(sql, accountId, identity, context)
    return { kind: 'signed_in', accountId, isNewAccount: false, secret }
  }

  async function link(
    sql: TransactionSql,
    session: CurrentSession,
    identity: ProvenIdentity,
    context: SignInRequest,
  ): Promise<SignInOutcome> {
    const { accountId, role } = session
    const owner = await store.ownerOf(sql, identity)
    if (owner === accountId) return { kind: 'linked', accountId, role }
    if (owner !== null) return { kind: 'identity_taken' }
    await store.addIdentity(sql, accountId, randomId('idn'), identity, Math.floor(clock.now()))
    await sessions.announce(sql, accountId)
    await record(
      sql,
      ownAccountEntry(session, 'account.link', context, { after: { identity: identityLabel(identity) } }),
    )
    return { kind: 'linked', accountId, role }
  }

  return async (identity, { purpose, accountId }, context) => {
    // Asked before the transaction: within it this would take a second connection.
    const entry = await entryOf(identity)
    const outcome = await database.transaction((sql) => {
      switch (purpose) {
        case 'sign_in':
          return signIn(sql, identity, entry, context)
        case 'confirm':
          return confirm(sql, sameAccount(context.session, accountId), identity, context)
        case 'link':
          return link(
            sql,
            requireFresh(sameAccount(context.session, accountId), clock.now()),
            identity,
            context,
          )
        default:
          return assertNever(purpose)
      }
    })
    if (context.session !== null) sessions.forget(context.session.accountId)
    return outcome
  }
}

/** Throws `unauthorized` unless the account that asked is still signed in: a browser can change hands in between. */
function sameAccount(session: CurrentSession | null, accountId: string | null): CurrentSession {
  if (session === null || session.accountId !== accountId) {
    throw fault('unauthorized', 'Whoever began this is not signed in any more; begin again')
  }
  return session
}

function requireFresh(session: CurrentSession, now: number): CurrentSession {
  if (isFresh(session, now)) return session
  throw fault('stale_session', 'This took too long; confirm who you are, and begin again')
}
