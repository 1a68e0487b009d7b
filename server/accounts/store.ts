import type {
  AccountKind,
  AccountState,
  ContactDetails,
  IdentityView,
  Provider,
  Role,
} from '../../shared/accounts.ts'
import type { Database, Sql, TransactionSql } from '../platform/database.ts'
import type { ProvenIdentity } from './identity.ts'

export interface StoredAccount {
  readonly id: string
  readonly kind: AccountKind
  readonly role: Role
  readonly state: AccountState
  readonly createdAt: number
  readonly contact: ContactDetails | null
  /** The name of its plan; null: none. */
  readonly plan: string | null
  /** When it was used in a browser. */
  readonly lastSeenAt: number | null
  /** In the order in which they were linked. */
  readonly identities: readonly IdentityView[]
}

/**
 * Accounts and what proves to be them. Functions that take `sql` are steps of a caller's transaction. A deleted account is
 * none: only `deleted-accounts.ts` knows its row.
 */
export interface AccountStore {
  find(id: string): Promise<StoredAccount | null>
  findIn(sql: Sql, id: string): Promise<StoredAccount | null>
  /** The id of an account by that id, by a wallet's address, or by an identity such as `github:583231`. */
  idOf(name: string): Promise<string | null>
  /** The newest first, so many at most. */
  list(limit: number): Promise<StoredAccount[]>
  /** In the order of the ids. */
  listOf(ids: readonly string[]): Promise<StoredAccount[]>
  /** Those that have waited longest for approval, first. */
  listPending(limit: number): Promise<StoredAccount[]>
  /** Those that are stored as operators, or have one of these identities (`github:583231`). */
  listOperators(identities: readonly string[]): Promise<StoredAccount[]>
  countPending(): Promise<number>
  /** False: it does not wait for approval. */
  approve(sql: TransactionSql, id: string): Promise<boolean>
  /** Null: there is no such account. The row stays locked until the transaction ends. */
  lockState(sql: TransactionSql, id: string): Promise<AccountState | null>
  setState(sql: TransactionSql, id: string, state: AccountState): Promise<void>
  /** An operator has no plan until one is set. */
  setRole(sql: TransactionSql, id: string, role: Role): Promise<void>
  planOf(sql: Sql, id: string): Promise<string | null>
  setPlan(sql: TransactionSql, id: string, plan: string | null): Promise<void>
  /** The account of an identity. Until the transaction ends, no other one can create or link the same identity. */
  ownerOf(sql: TransactionSql, identity: ProvenIdentity): Promise<string | null>
  create(sql: TransactionSql, id: string, account: NewAccountRow): Promise<void>
  addIdentity(
    sql: TransactionSql,
    accountId: string,
    identityId: string,
    identity: ProvenIdentity,
    at: number,
  ): Promise<void>
  /** Its provider may call the user something else by now. */
  updateLabel(sql: TransactionSql, identity: ProvenIdentity): Promise<void>
  /** `last`: it is the only one that the account has left. */
  removeIdentity(
    sql: TransactionSql,
    accountId: string,
    identityId: string,
  ): Promise<ProvenIdentity | 'last' | 'unknown'>
  saveContact(sql: TransactionSql, accountId: string, contact: ContactDetails | null): Promise<void>
}

interface NewAccountRow {
  readonly state: AccountState
  readonly plan: string | null
  /** Epoch ms. */
  readonly at: number
}

interface AccountRow {
  id: string
  kind: AccountKind
  role: Role
  state: AccountState
  name: string | null
  email: string | null
  plan: string | null
  created_at: Date
  last_seen_at: Date | null
  identities: IdentityRow[] | null
}

interface IdentityRow {
  id: string
  kind: 'wallet' | Provider
  subject: string
  label: string | null
  linkedAt: number
}

const toAccount = ({
  id,
  kind,
  role,
  state,
  name,
  email,
  plan,
  created_at,
  last_seen_at,
  identities,
}: AccountRow): StoredAccount => ({
  id,
  kind,
  role,
  state,
  createdAt: created_at.getTime(),
  contact: name === null && email === null ? null : { name, email },
  plan,
  lastSeenAt: last_seen_at?.getTime() ?? null,
  identities: identities ?? [],
})

const selectIn = (sql: Sql, which: ReturnType<Sql>) => sql<AccountRow[]>`
  SELECT a.id, a.kind, a.role, a.state, a.name, a.email, a.plan, a.created_at,
    a.last_seen_at,
    (SELECT json_agg(json_build_object('id', i.id, 'kind', i.kind, 'subject', i.subject, 'label', i.label,
        'linkedAt', floor(extract(epoch FROM i.linked_at) * 1000)::bigint) ORDER BY i.linked_at, i.id)
      FROM identities i WHERE i.account_id = a.id) AS identities
  FROM accounts a WHERE a.state <> 'deleted' ${which}`

export function createAccountStore(database: Database): AccountStore {
  const select = (which: (sql: Sql) => ReturnType<Sql>) => database.run((sql) => selectIn(sql, which(sql)))

  return {
    async idOf(name) {
      const [row] = await database.run(
        (sql) => sql<{ id: string }[]>`
          SELECT id FROM accounts WHERE id = ${name} AND state <> 'deleted'
          UNION SELECT account_id FROM identities
            WHERE kind = 'wallet' AND subject = lower(${name}) OR kind || ':' || subject = ${name}`,
      )
      return row?.id ?? null
    },

    async find(id) {
      const [row] = await select((sql) => sql`AND a.id = ${id}`)
      return row === undefined ? null : toAccount(row)
    },
    async findIn(sql, id) {
      const [row] = await selectIn(sql, sql`AND a.id = ${id}`)
      return row === undefined ? null : toAccount(row)
    },
    async list(limit) {
      const rows = await select((sql) => sql`ORDER BY a.created_at DESC, a.id LIMIT ${limit}`)
      return rows.map(toAccount)
    },
    async listOf(ids) {
      const rows = await select((sql) => sql`AND a.id = ANY (${[...ids]}::text[])`)
      const byId = new Map(rows.map((row) => [row.id, toAccount(row)]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },
    async listPending(limit) {
      const rows = await select(
        (sql) => sql`AND a.state = 'pending' ORDER BY a.created_at, a.id LIMIT ${limit}`,
      )
      return rows.map(toAccount)
    },
    async listOperators(identities) {
      const rows = await select(
        (sql) => sql`
          AND (a.role = 'operator' OR a.id IN (
            SELECT account_id FROM identities WHERE kind || ':' || subject = ANY (${[...identities]}::text[])))`,
      )
      return rows.map(toAccount)
    },
    async countPending() {
      const [row] = await database.run(
        (sql) =>
          sql<{ count: number }[]>`SELECT count(*)::int AS count FROM accounts WHERE state = 'pending'`,
      )
      return row?.count ?? 0
    },
    async approve(sql, id) {
      const rows = await sql`
        UPDATE accounts SET state = 'active' WHERE id = ${id} AND state = 'pending' RETURNING id`
      return rows.length > 0
    },
    async lockState(sql, id) {
      const [row] = await sql<{ state: AccountState }[]>`
        SELECT state FROM accounts WHERE id = ${id} AND state <> 'deleted' FOR UPDATE`
      return row?.state ?? null
    },
    async setState(sql, id, state) {
      await sql`UPDATE accounts SET state = ${state} WHERE id = ${id}`
    },
    async setRole(sql, id, role) {
      await sql`
        UPDATE accounts SET role = ${role}, plan = CASE WHEN ${role === 'operator'} THEN NULL ELSE plan END
        WHERE id = ${id}`
    },
    async planOf(sql, id) {
      const [row] = await sql<{ plan: string | null }[]>`SELECT plan FROM accounts WHERE id = ${id}`
      return row?.plan ?? null
    },
    async setPlan(sql, id, plan) {
      await sql`UPDATE accounts SET plan = ${plan} WHERE id = ${id}`
    },
    async ownerOf(sql, { kind, subject }) {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`identity ${kind} ${subject}`}, 0))`
      const [row] = await sql<{ account_id: string }[]>`
        SELECT account_id FROM identities WHERE kind = ${kind} AND subject = ${subject}`
      return row?.account_id ?? null
    },
    async create(sql, id, { state, plan, at }) {
      await sql`
        INSERT INTO accounts (id, role, state, plan, created_at)
        VALUES (${id}, 'account', ${state}, ${plan}, ${new Date(at)})`
    },
    async addIdentity(sql, accountId, identityId, { kind, subject, label }, at) {
      await sql`
        INSERT INTO identities (id, account_id, kind, subject, label, linked_at)
        VALUES (${identityId}, ${accountId}, ${kind}, ${subject}, ${label}, ${new Date(at)})`
    },
    async updateLabel(sql, { kind, subject, label }) {
      await sql`
        UPDATE identities SET label = ${label}
        WHERE kind = ${kind} AND subject = ${subject} AND label IS DISTINCT FROM ${label}`
    },
    async removeIdentity(sql, accountId, identityId) {
      // Two that are removed at once must not both see the other one remaining.
      await sql`SELECT 1 FROM accounts WHERE id = ${accountId} FOR UPDATE`
      const rows = await sql<IdentityRow[]>`
        SELECT id, kind, subject, label FROM identities WHERE account_id = ${accountId}`
      const removed = rows.find(({ id }) => id === identityId)
      if (removed === undefined) return 'unknown'
      if (rows.length === 1) return 'last'
      await sql`DELETE FROM identities WHERE id = ${identityId}`
      return removed
    },
    async saveContact(sql, accountId, contact) {
      await sql`
        UPDATE accounts SET name = ${contact?.name ?? null}, email = ${contact?.email ?? null}
        WHERE id = ${accountId} AND state <> 'deleted'`
    },
  }
}

/** How many accounts have a plan. */
export async function countAccountsWithPlan(sql: Sql, plan: string): Promise<number> {
  const [row] = await sql<
    { count: number }[]
  >`SELECT count(*)::int AS count FROM accounts WHERE plan = ${plan}`
  return row?.count ?? 0
}

/** How many accounts have each plan. It needs no accounts in memory, so the file is checked with it before they exist. */
export async function countPlans(database: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await database.run(
    (sql) => sql<{ plan: string; count: number }[]>`
      SELECT plan, count(*)::int AS count FROM accounts WHERE plan IS NOT NULL GROUP BY plan`,
  )
  return new Map(rows.map(({ plan, count }) => [plan, count]))
}
