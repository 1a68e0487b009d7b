import type { ListedAccount, PendingAccounts } from '../../shared/accounts.ts'
import type { AuditActor } from '../../shared/audit.ts'
import type { Database, Sql } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import type { RequestTrace } from './audit-entries.ts'
import type { Audit } from '../audit/audit.ts'
import { type ConfiguredOperators, effectiveStanding } from './operators.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { AccountStore, StoredAccount } from './store.ts'

interface AdministrationParts {
  readonly database: Database
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly operators: ConfiguredOperators
  readonly record: Audit['record']
}

/** Who approves: an operator, or the command line. */
interface Approver extends RequestTrace {
  readonly actor: AuditActor
}

/** More do not help an operator who decides one by one. */
const maxListed = 50

/** All accounts, and letting in those that wait for it. For operators. */
export function createAdministration(parts: AdministrationParts) {
  const { database, store, sessions, operators, record } = parts

  const listed = (account: StoredAccount): ListedAccount => ({
    ...account,
    ...effectiveStanding(account, operators),
  })

  /** The id of an account that is named by it, by a wallet's address, or as `github:583231`. Fault: `not_found`. */
  async function idOf(name: string): Promise<string> {
    const id = await store.idOf(name)
    if (id === null) throw fault('not_found', 'No account has this id or this wallet; see accounts list')
    return id
  }

  return {
    idOf,

    /** Whether an account is an operator's; false for an id that is none. */
    async isOperator(sql: Sql, id: string): Promise<boolean> {
      const account = await store.findIn(sql, id)
      return account !== null && effectiveStanding(account, operators).role === 'operator'
    },

    /** Every account, the newest first. */
    async list(): Promise<ListedAccount[]> {
      const accounts = await store.list()
      return accounts.map(listed)
    },

    /** Accounts that wait for approval. */
    async pending(): Promise<PendingAccounts> {
      const [count, accounts] = await Promise.all([store.countPending(), store.listPending(maxListed)])
      return { count, accounts: accounts.map(listed).filter(({ state }) => state === 'pending') }
    },

    /** Lets an account in, in every process at once. Faults: `not_found`; `conflict` when it does not wait. */
    async approve({ actor, ip, requestId }: Approver, name: string): Promise<{ id: string }> {
      const id = await idOf(name)
      await database.transaction(async (sql) => {
        if (!(await store.approve(sql, id)))
          throw fault('conflict', 'This account does not wait for approval')
        await sessions.announce(sql, id)
        await record(sql, {
          actor,
          action: 'account.approve',
          subject: { kind: 'account', id },
          before: { state: 'pending' },
          after: { state: 'active' },
          ip,
          requestId,
        })
      })
      sessions.forget(id)
      return { id }
    },
  }
}
