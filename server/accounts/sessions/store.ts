import type { AccountState, Provider, Role, SessionView } from '../../../shared/accounts.ts'
import type { Database, TransactionSql } from '../../platform/database.ts'

export interface NewSession {
  readonly id: string
  readonly secretHash: string
  readonly accountId: string
  readonly at: number
  readonly expiresAt: number
  readonly browser: string
  readonly network: string | null
}

/** A session with what is stored of its account. */
export interface StoredSession {
  readonly id: string
  readonly accountId: string
  readonly lastSeenAt: number
  readonly signedInAt: number
  readonly expiresAt: number
  readonly role: Role
  readonly state: AccountState
  /** In the order in which they were linked. */
  readonly identities: readonly { readonly kind: 'wallet' | Provider; readonly subject: string }[]
}

export interface SessionStore {
  find(secretHash: string): Promise<StoredSession | null>
  list(accountId: string): Promise<Omit<SessionView, 'isThisOne'>[]>
  touch(id: string, at: number): Promise<void>
  insert(sql: TransactionSql, session: NewSession): Promise<void>
  /** Tells whether it was there. */
  remove(sql: TransactionSql, accountId: string, id: string): Promise<boolean>
  /** Returns how many were there. */
  removeOthers(sql: TransactionSql, accountId: string, keptId: string): Promise<number>
  /** Removes what is over anyway. */
  removeDead(now: number, idleSince: number): Promise<void>
}

interface SessionRow {
  id: string
  account_id: string
  last_seen_at: Date
  signed_in_at: Date
  expires_at: Date
  role: Role
  state: AccountState
  identities: StoredSession['identities']
}

interface ListedRow {
  id: string
  created_at: Date
  last_seen_at: Date
  expires_at: Date
  browser: string
  network: string | null
}

const toStored = (row: SessionRow): StoredSession => ({
  id: row.id,
  accountId: row.account_id,
  lastSeenAt: row.last_seen_at.getTime(),
  signedInAt: row.signed_in_at.getTime(),
  expiresAt: row.expires_at.getTime(),
  role: row.role,
  state: row.state,
  identities: row.identities,
})

const toListed = (row: ListedRow): Omit<SessionView, 'isThisOne'> => ({
  id: row.id,
  createdAt: row.created_at.getTime(),
  lastSeenAt: row.last_seen_at.getTime(),
  expiresAt: row.expires_at.getTime(),
  browser: row.browser,
  network: row.network,
})

export function createSessionStore(database: Database): SessionStore {
  return {
    async find(secretHash) {
      const [row] = await database.run(
        (sql) => sql<SessionRow[]>`
          SELECT s.id, s.account_id, s.last_seen_at, s.signed_in_at, s.expires_at, a.role, a.state,
            (SELECT json_agg(json_build_object('kind', i.kind, 'subject', i.subject) ORDER BY i.linked_at, i.id)
              FROM identities i WHERE i.account_id = a.id) AS identities
          FROM web_sessions s JOIN accounts a ON a.id = s.account_id
          WHERE s.secret_hash = ${secretHash} AND a.state <> 'deleted'`,
      )
      return row === undefined ? null : toStored(row)
    },
    async list(accountId) {
      const rows = await database.run(
        (sql) => sql<ListedRow[]>`
          SELECT id, created_at, last_seen_at, expires_at, browser, network FROM web_sessions
          WHERE account_id = ${accountId} ORDER BY last_seen_at DESC, id`,
      )
      return rows.map(toListed)
    },
    async touch(id, at) {
      await database.run(
        (sql) => sql`
          WITH touched AS (
            UPDATE web_sessions SET last_seen_at = greatest(last_seen_at, ${new Date(at)}) WHERE id = ${id}
            RETURNING account_id
          )
          UPDATE accounts SET last_seen_at = greatest(last_seen_at, ${new Date(at)})
          WHERE id = (SELECT account_id FROM touched)`,
      )
    },
    async insert(sql, { id, secretHash, accountId, at, expiresAt, browser, network }) {
      await sql`
        INSERT INTO web_sessions
          (id, secret_hash, account_id, created_at, last_seen_at, signed_in_at, expires_at, browser, network)
        VALUES (${id}, ${secretHash}, ${accountId}, ${new Date(at)}, ${new Date(at)}, ${new Date(at)},
          ${new Date(expiresAt)}, ${browser}, ${network})`
      await sql`
        UPDATE accounts SET last_seen_at = greatest(last_seen_at, ${new Date(at)}) WHERE id = ${accountId}`
    },
    async remove(sql, accountId, id) {
      const rows = await sql`
        DELETE FROM web_sessions WHERE id = ${id} AND account_id = ${accountId} RETURNING id`
      return rows.length > 0
    },
    async removeOthers(sql, accountId, keptId) {
      const rows = await sql`
        DELETE FROM web_sessions WHERE account_id = ${accountId} AND id <> ${keptId} RETURNING id`
      return rows.length
    },
    async removeDead(now, idleSince) {
      await database.run(
        (sql) => sql`
          DELETE FROM web_sessions
          WHERE expires_at <= ${new Date(now)} OR last_seen_at <= ${new Date(idleSince)}`,
      )
    },
  }
}
