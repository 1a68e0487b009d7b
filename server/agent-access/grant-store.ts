import type { AgentScope } from '../../shared/agents.ts'
import type { Database, Sql, TransactionSql } from '../platform/database.ts'

/** Instants in epoch ms. */
export interface StoredGrant {
  readonly id: string
  readonly accountId: string
  readonly clientId: string
  readonly clientName: string
  readonly redirectHost: string
  readonly scopes: readonly AgentScope[]
  readonly resource: string
  readonly createdAt: number
  readonly usedAt: number | null
  readonly expiresAt: number
  readonly isAlive: boolean
}

/** What is inserted when an owner agrees. */
export interface NewGrant extends Pick<
  StoredGrant,
  'id' | 'accountId' | 'clientId' | 'clientName' | 'redirectHost' | 'scopes' | 'resource'
> {
  readonly codeHash: string
  readonly redirectUri: string
  readonly challenge: string
}

export type RevokedWhy = 'owner' | 'operator' | 'client' | 'code_replayed' | 'refresh_reused'

/** Seconds. */
export const grantLives = {
  code: 60,
  grant: 365 * 86_400,
  /** How long an owner is told that a refresh token was used twice. */
  reuseTold: 7 * 86_400,
}

interface GrantRow {
  id: string
  account_id: string
  client_id: string
  client_name: string
  redirect_host: string
  scopes: AgentScope[]
  resource: string
  created_at: Date
  used_at: Date | null
  expires_at: Date
  is_alive: boolean
}

const grantOf = (row: GrantRow): StoredGrant => ({
  id: row.id,
  accountId: row.account_id,
  clientId: row.client_id,
  clientName: row.client_name,
  redirectHost: row.redirect_host,
  scopes: row.scopes,
  resource: row.resource,
  createdAt: row.created_at.getTime(),
  usedAt: row.used_at?.getTime() ?? null,
  expiresAt: row.expires_at.getTime(),
  isAlive: row.is_alive,
})

interface GrantName {
  readonly id: string
  readonly name: string
}

export type GrantStore = ReturnType<typeof createGrantStore>

/** Whether the account of a row of `agent_grants` is disabled or deleted. */
export const ofDisabled = (sql: Sql) => sql`
  EXISTS (SELECT 1 FROM accounts owner WHERE owner.id = account_id AND owner.state IN ('disabled', 'deleted'))`

/** The ids of all living grants of an account. */
export async function livingGrantIdsOf(sql: Sql, accountId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM agent_grants
    WHERE account_id = ${accountId} AND revoked_at IS NULL AND expires_at > now()`
  return rows.map(({ id }) => id)
}

/** Returns whether a grant lets its agent in: it has not ended, and its account is neither disabled nor deleted. */
export async function isGrantAlive(database: Database, id: string): Promise<boolean> {
  const rows = await database.run(
    (sql) => sql`
      SELECT id FROM agent_grants
      WHERE id = ${id} AND revoked_at IS NULL AND expires_at > now() AND NOT ${ofDisabled(sql)}`,
  )
  return rows.length > 0
}

/** Deletes the grants of accounts with their codes and tokens, and returns the ids of those that were alive. */
export async function removeGrantsOf(sql: TransactionSql, accountIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string; is_alive: boolean }[]>`
    DELETE FROM agent_grants WHERE account_id = ANY (${[...accountIds]}::text[])
    RETURNING id, revoked_at IS NULL AND expires_at > now() AS is_alive`
  return rows.flatMap((row) => (row.is_alive ? [row.id] : []))
}

/** Grants in PostgreSQL. Whether one is alive is decided by the clock of the database, which all processes share. */
export function createGrantStore(database: Database) {
  return {
    /** Locks the account until the transaction ends. */
    async lockAccount(sql: TransactionSql, accountId: string): Promise<void> {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`agent-access:${accountId}`}, 0))`
    },

    async countAlive(sql: Sql | TransactionSql, accountId: string): Promise<number> {
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM agent_grants
        WHERE account_id = ${accountId} AND revoked_at IS NULL AND expires_at > now()`
      return row?.count ?? 0
    },

    /** Adds a grant with its code. */
    async insert(sql: TransactionSql, grant: NewGrant): Promise<void> {
      await sql`UPDATE agent_clients SET used_at = now() WHERE id = ${grant.clientId}`
      await sql`
        INSERT INTO agent_grants
          (id, account_id, client_id, client_name, redirect_host, scopes, resource, created_at, expires_at)
        VALUES (${grant.id}, ${grant.accountId}, ${grant.clientId}, ${grant.clientName}, ${grant.redirectHost},
          ${[...grant.scopes]}::text[], ${grant.resource}, now(), now() + make_interval(secs => ${grantLives.grant}))`
      await sql`
        INSERT INTO agent_codes (hash, grant_id, redirect_uri, challenge, expires_at)
        VALUES (${grant.codeHash}, ${grant.id}, ${grant.redirectUri}, ${grant.challenge},
          now() + make_interval(secs => ${grantLives.code}))`
    },

    /** The row is locked first by whatever issues or ends: of two processes with one code or token, one waits. */
    async lock(sql: TransactionSql, id: string): Promise<StoredGrant | null> {
      const [row] = await sql<GrantRow[]>`
        SELECT *, revoked_at IS NULL AND expires_at > now() AND NOT ${ofDisabled(sql)} AS is_alive FROM agent_grants
        WHERE id = ${id} FOR UPDATE`
      return row === undefined ? null : grantOf(row)
    },

    /** Returns living grants, the newest first; of all accounts when `accountId` is null. */
    async list(accountId: string | null): Promise<StoredGrant[]> {
      const rows = await database.run(
        (sql) => sql<GrantRow[]>`
          SELECT *, true AS is_alive FROM agent_grants
          WHERE revoked_at IS NULL AND expires_at > now() AND (${accountId}::text IS NULL OR account_id = ${accountId})
          ORDER BY created_at DESC LIMIT 1000`,
      )
      return rows.map(grantOf)
    },

    /** Returns what the agents of an account called themselves, those that ended less than 90 days ago too; the newest first. */
    names: (accountId: string): Promise<GrantName[]> =>
      database.run(
        (sql) => sql<GrantName[]>`
          SELECT id, client_name AS name FROM agent_grants WHERE account_id = ${accountId}
          ORDER BY created_at DESC LIMIT 1000`,
      ),

    /** Returns grants of an account that ended lately because a refresh token was used twice, the newest first. */
    async listReused(accountId: string): Promise<(StoredGrant & { readonly endedAt: number })[]> {
      const rows = await database.run(
        (sql) => sql<(GrantRow & { revoked_at: Date })[]>`
          SELECT *, false AS is_alive FROM agent_grants
          WHERE account_id = ${accountId} AND revoked_why = 'refresh_reused'
            AND revoked_at > now() - make_interval(secs => ${grantLives.reuseTold})
          ORDER BY revoked_at DESC LIMIT 50`,
      )
      return rows.map((row) => ({ ...grantOf(row), endedAt: row.revoked_at.getTime() }))
    },

    /** Ends living grants and deletes their access tokens. Null stands for any account, or for any grant of it. */
    async revoke(
      sql: TransactionSql,
      { accountId, id, why }: { accountId: string | null; id: string | null; why: RevokedWhy },
    ): Promise<StoredGrant[]> {
      const rows = await sql<GrantRow[]>`
        UPDATE agent_grants SET revoked_at = now(), revoked_why = ${why}
        WHERE revoked_at IS NULL AND (${accountId}::text IS NULL OR account_id = ${accountId})
          AND (${id}::text IS NULL OR id = ${id})
        RETURNING *, false AS is_alive`
      const ids = rows.map((row) => row.id)
      await sql`DELETE FROM agent_tokens WHERE kind = 'access' AND grant_id = ANY(${ids}::text[])`
      return rows.map(grantOf)
    },

    /** Returns the number of living grants. */
    async count(): Promise<number> {
      const [row] = await database.run(
        (sql) => sql<{ count: number }[]>`
          SELECT count(*)::int AS count FROM agent_grants WHERE revoked_at IS NULL AND expires_at > now()`,
      )
      return row?.count ?? 0
    },

    /** Removes what is over and of no more use. The audit log stays. */
    async clean(): Promise<void> {
      await database.transaction(async (sql) => {
        await sql`DELETE FROM agent_assertions WHERE expires_at < now()`
        await sql`DELETE FROM agent_tokens WHERE expires_at < now()`
        // Its code was never exchanged, or its agent has not come for so long that no token is left: nobody can get one.
        await sql`
          DELETE FROM agent_grants g
          WHERE revoked_at IS NULL AND created_at < now() - interval '1 hour'
            AND NOT EXISTS (SELECT 1 FROM agent_tokens t WHERE t.grant_id = g.id)`
        await sql`DELETE FROM agent_codes WHERE expires_at < now() - interval '1 day'`
        await sql`
          DELETE FROM agent_grants
          WHERE least(coalesce(revoked_at, expires_at), expires_at) < now() - interval '90 days'`
        await sql`
          DELETE FROM agent_clients c
          WHERE coalesce(used_at, created_at) < now() - CASE WHEN used_at IS NULL THEN interval '1 day' ELSE interval '90 days' END
            AND NOT EXISTS (SELECT 1 FROM agent_grants g WHERE g.client_id = c.id)`
      })
    },
  }
}
