import type { Role } from '../../shared/accounts.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import { assertNever, fault } from '../platform/fault.ts'
import { randomId } from '../platform/ids.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { ownAccountEntry } from './audit-entries.ts'
import type { Audit } from '../audit/audit.ts'
import { identityLabel } from './identity.ts'
import type { ProvenIdentity } from './identity.ts'
import type { Intent } from './pending/store.ts'
import { isFresh } from './sessions/session.ts'
import type { CurrentSession } from './sessions/session.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { AccountStore, StoredAccount } from './store.ts'
import type { SignInRequest } from './sign-in-request.ts'
import type { NewAccounts } from './sign-up/new-accounts.ts'
import type { Entry, NoEntry } from './sign-up/entry.ts'

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
  | NoEntry

interface SignInCompletionParts {
  readonly database: Database
  readonly clock: SteadyClock
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly record: Audit['record']
  readonly newAccounts: NewAccounts
  /** What an account may do: what is stored, and what the settings add to it. */
  readonly standingOf: (account: StoredAccount) => Pick<StoredAccount, 'role' | 'state'>
}

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
  const { database, clock, store, sessions, record, newAccounts, standingOf } = parts

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

  async function signIn(
    sql: TransactionSql,
    identity: ProvenIdentity,
    entry: Entry,
    context: SignInRequest,
  ): Promise<SignInOutcome> {
    const owner = await store.ownerOf(sql, identity)
    if (owner !== null) {
      const account = await store.findIn(sql, owner)
      // One whom the settings make an operator is not kept out by what is stored.
      if (account !== null && standingOf(account).state === 'disabled') return { kind: 'account_disabled' }
      await newAccounts.letInWaiting(sql, owner, identity, entry, context)
    }
    const entered = owner ?? (await newAccounts.signUp(sql, identity, entry, context))
    if (typeof entered !== 'string') return entered
    const secret = await begin(sql, entered, identity, context)
    return { kind: 'signed_in', accountId: entered, isNewAccount: owner === null, secret }
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
    const entry = await newAccounts.entryOf(identity)
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
