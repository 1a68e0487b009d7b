import type { AccountView, ContactDetails, SessionView } from '../../shared/accounts.ts'
import type { Database } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import { type RequestTrace, ownAccountEntry } from './audit-entries.ts'
import type { Audit } from '../audit/audit.ts'
import { identityLabel } from './identity.ts'
import type { CurrentSession } from './sessions/session.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { AccountStore } from './store.ts'

interface OwnAccountParts {
  readonly database: Database
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly record: Audit['record']
}

/** Who asks, by which session. */
type Owner = Pick<CurrentSession, 'id' | 'accountId' | 'accountLabel'>

/** What people see and change of their own account. Ids of other accounts' things are answered with `not_found`. */
export function createOwnAccount({ database, store, sessions, record }: OwnAccountParts) {
  return {
    async view(accountId: string): Promise<Omit<AccountView, 'role' | 'state' | 'freshUntil'>> {
      const account = await store.find(accountId)
      if (account === null) throw fault('unauthorized', 'Sign in first')
      const { id, createdAt, contact, identities } = account
      return { id, createdAt, contact, identities }
    },

    sessions: ({ accountId, id }: Owner): Promise<SessionView[]> => sessions.list(accountId, id),

    /** The browser that asks. */
    async signOut(session: Owner, trace: RequestTrace): Promise<void> {
      await database.transaction(async (sql) => {
        const wasThere = await sessions.end(sql, session.accountId, session.id)
        if (!wasThere) return
        await sessions.announce(sql, session.accountId)
        await record(sql, ownAccountEntry(session, 'account.sign_out', trace))
      })
      sessions.forget(session.accountId)
    },

    /** Any browser of the account. Fault: `not_found`. */
    async endSession(session: Owner, id: string, trace: RequestTrace): Promise<void> {
      await database.transaction(async (sql) => {
        const wasThere = await sessions.end(sql, session.accountId, id)
        if (!wasThere) throw fault('not_found', 'There is no such session')
        await sessions.announce(sql, session.accountId)
        await record(
          sql,
          ownAccountEntry(session, 'account.session_revoke', trace, { before: { session: id } }),
        )
      })
      sessions.forget(session.accountId)
    },

    /** Every browser but the one that asks; returns how many. */
    async endOtherSessions(session: Owner, trace: RequestTrace): Promise<number> {
      const ended = await database.transaction(async (sql) => {
        const count = await sessions.endOthers(sql, session.accountId, session.id)
        if (count === 0) return 0
        await sessions.announce(sql, session.accountId)
        await record(
          sql,
          ownAccountEntry(session, 'account.session_revoke', trace, { before: { sessions: count } }),
        )
        return count
      })
      sessions.forget(session.accountId)
      return ended
    },

    /** Faults: `not_found`, `conflict` for the last one. */
    async removeIdentity(session: Owner, id: string, trace: RequestTrace): Promise<void> {
      const { accountId } = session
      await database.transaction(async (sql) => {
        const removed = await store.removeIdentity(sql, accountId, id)
        if (removed === 'unknown') throw fault('not_found', 'The account has no such identity')
        if (removed === 'last') {
          throw fault('conflict', 'This is the only way into the account; add another one first')
        }
        await sessions.announce(sql, accountId)
        await record(
          sql,
          ownAccountEntry(session, 'account.unlink', trace, { before: { identity: identityLabel(removed) } }),
        )
      })
      sessions.forget(accountId)
    },

    /** Shares contact details, or with null removes them. What they are is in no log, or they could not be removed. */
    async setContact(session: Owner, contact: ContactDetails | null, trace: RequestTrace): Promise<void> {
      await database.transaction(async (sql) => {
        await store.saveContact(sql, session.accountId, contact)
        const shares = Object.entries(contact ?? {}).flatMap(([name, value]) =>
          value === null ? [] : [name],
        )
        await record(sql, ownAccountEntry(session, 'account.contact', trace, { after: { shares } }))
      })
    },
  }
}
