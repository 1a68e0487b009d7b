import {
  type ListedAccount,
  type PendingAccounts,
  type SessionView,
  providers,
} from '../../shared/accounts.ts'
import type { AuditActor } from '../../shared/audit.ts'
import type { Database, Sql } from '../platform/database.ts'
import { type Fault, fault } from '../platform/fault.ts'
import { randomId } from '../platform/ids.ts'
import type { RequestTrace } from './audit-entries.ts'
import type { Audit } from '../audit/audit.ts'
import { type ProvenIdentity, identityLabel, nameOfAccount } from './identity.ts'
import type { PlanOfNew } from './sign-up/new-accounts.ts'
import { type ConfiguredOperators, effectiveStanding, keyOfEntry } from './operators.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { AccountStore, StoredAccount } from './store.ts'

interface AdministrationParts {
  readonly database: Database
  readonly store: AccountStore
  readonly sessions: Sessions
  readonly operators: ConfiguredOperators
  readonly record: Audit['record']
  readonly now: () => number
  readonly planOfNew: PlanOfNew
}

/** Who approves: an operator, or the command line. */
interface Approver extends RequestTrace {
  readonly actor: AuditActor
}

/** More do not help an operator who decides one by one. */
const maxWaiting = 50
/** What a list to choose from, or a terminal, has room for; the console's list has pages. */
const maxListed = 1_000

/** All accounts, and letting in those that wait for it. For operators. */
export function createAdministration(parts: AdministrationParts) {
  const { database, store, sessions, operators, record, now, planOfNew } = parts

  const listed = (account: StoredAccount): ListedAccount => ({
    ...account,
    ...effectiveStanding(account, operators),
  })

  /** The id of an account that is named by it, by a wallet's address, or as `github:583231`. Fault: `not_found`. */
  async function idOf(name: string): Promise<string> {
    const id = await store.idOf(name)
    if (id === null) throw unknownAccount()
    return id
  }

  return {
    idOf,

    /** Whether an account is an operator's; false for an id that is none. */
    async isOperator(sql: Sql, id: string): Promise<boolean> {
      const account = await store.findIn(sql, id)
      return account !== null && effectiveStanding(account, operators).role === 'operator'
    },

    /** The name of the plan of an account; null: none. */
    planOf: store.planOf,

    /** The newest thousand. */
    async list(): Promise<ListedAccount[]> {
      const accounts = await store.list(maxListed)
      return accounts.map(listed)
    },

    /** All accounts of operators. */
    operators: async (): Promise<ListedAccount[]> =>
      (await store.listOperators(operators.identities)).map(listed),

    /** Fault: `not_found`. */
    async find(name: string): Promise<ListedAccount> {
      const account = await store.find(await idOf(name))
      if (account === null) throw unknownAccount()
      return listed(account)
    },

    /** What accounts are called, by their ids. */
    async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const accounts = ids.length === 0 ? [] : await store.listOf(ids)
      return new Map(accounts.map((account) => [account.id, nameOfAccount(account)]))
    },

    sessionsOf: async (name: string): Promise<SessionView[]> => sessions.list(await idOf(name), ''),

    /** Makes an account for somebody who signs in later. Fault: `conflict` when the identity has one. */
    async create({ actor, ip, requestId }: Approver, identity: string): Promise<{ id: string }> {
      const id = randomId('acc')
      const [kind, subject] = identityIn(identity)
      await database.transaction(async (sql) => {
        const proven = { kind, subject, label: null }
        if ((await store.ownerOf(sql, proven)) !== null)
          throw fault('conflict', 'This identity has an account')
        const at = Math.floor(now())
        await store.create(sql, id, { state: 'active', plan: planOfNew(proven), at })
        await store.addIdentity(sql, id, randomId('idn'), proven, at)
        await record(sql, {
          actor,
          action: 'account.create',
          subject: { kind: 'account', id },
          after: { identity: identityLabel(proven), state: 'active' },
          ip,
          requestId,
        })
      })
      return { id }
    },

    /** Accounts that wait for approval. */
    async pending(): Promise<PendingAccounts> {
      const [count, accounts] = await Promise.all([store.countPending(), store.listPending(maxWaiting)])
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

const unknownAccount = (): Fault =>
  fault('not_found', 'No account has this id or this wallet; see accounts list')

/** The kind and the subject of an identity such as `github:583231` or `0x12…`. */
function identityIn(entry: string): [kind: ProvenIdentity['kind'], subject: string] {
  const [kind = '', ...subject] = keyOfEntry(entry).split(':')
  const provider = providers.find((name) => name === kind)
  return [provider ?? 'wallet', subject.join(':')]
}
