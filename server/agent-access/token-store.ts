import type { AgentScope } from '../../shared/agents.ts'
import { ofDisabled } from './grant-store.ts'
import type { Database, TransactionSql } from '../platform/database.ts'

/** Seconds. */
export const tokenLives = {
  access: 3_600,
  refresh: 30 * 86_400,
  /** How long a used refresh token may come again while its successor is unused. */
  leeway: 120,
  /** How long used refresh tokens are remembered, so that their reuse is noticed. */
  remembered: 7 * 86_400,
}

export interface UsedCode {
  readonly redirectUri: string
  readonly challenge: string
  readonly isAlive: boolean
}

export interface StoredRefreshToken {
  readonly isAlive: boolean
  readonly isUsed: boolean
  /** Whether it was used longer ago than the leeway. */
  readonly isLate: boolean
}

/** A living access token with its grant. `expiresAt` in epoch ms. */
export interface StoredAccess {
  readonly grantId: string
  readonly accountId: string
  readonly clientName: string
  readonly scopes: readonly AgentScope[]
  readonly resource: string
  readonly expiresAt: number
}

interface AccessRow {
  id: string
  account_id: string
  client_name: string
  scopes: AgentScope[]
  resource: string
  expires_at: Date
}

export type TokenStore = ReturnType<typeof createTokenStore>

/** Codes and tokens in PostgreSQL, by their hashes. */
export function createTokenStore(database: Database) {
  return {
    async grantOfCode(sql: TransactionSql, hash: string): Promise<string | null> {
      const [row] = await sql<{ id: string }[]>`SELECT grant_id AS id FROM agent_codes WHERE hash = ${hash}`
      return row?.id ?? null
    },

    /** Uses a code up; null when that happened before. */
    async useCode(sql: TransactionSql, hash: string): Promise<UsedCode | null> {
      const [row] = await sql<{ redirect_uri: string; challenge: string; is_alive: boolean }[]>`
        UPDATE agent_codes SET used_at = now() WHERE hash = ${hash} AND used_at IS NULL
        RETURNING redirect_uri, challenge, expires_at > now() AS is_alive`
      return row === undefined
        ? null
        : { redirectUri: row.redirect_uri, challenge: row.challenge, isAlive: row.is_alive }
    },

    async grantOfRefresh(sql: TransactionSql, hash: string): Promise<string | null> {
      const [row] = await sql<{ id: string }[]>`
        SELECT grant_id AS id FROM agent_tokens WHERE hash = ${hash} AND kind = 'refresh'`
      return row?.id ?? null
    },

    async findRefresh(sql: TransactionSql, hash: string): Promise<StoredRefreshToken | null> {
      const [row] = await sql<{ is_alive: boolean; is_used: boolean; is_late: boolean }[]>`
        SELECT expires_at > now() AS is_alive, used_at IS NOT NULL AS is_used,
          coalesce(used_at < now() - make_interval(secs => ${tokenLives.leeway}), false) AS is_late
        FROM agent_tokens WHERE hash = ${hash} AND kind = 'refresh'`
      return row === undefined ? null : { isAlive: row.is_alive, isUsed: row.is_used, isLate: row.is_late }
    },

    /** Marks a refresh token as used, and remembers it for a while. */
    async useRefresh(sql: TransactionSql, hash: string): Promise<void> {
      await sql`
        UPDATE agent_tokens SET used_at = coalesce(used_at, now()),
          expires_at = least(expires_at, now() + make_interval(secs => ${tokenLives.remembered}))
        WHERE hash = ${hash}`
    },

    /** Adds an access token, and the refresh token unless it is there already. */
    async issue(
      sql: TransactionSql,
      grantId: string,
      {
        accessHash,
        refreshHash,
        scopes,
      }: { accessHash: string; refreshHash: string; scopes: readonly AgentScope[] },
    ): Promise<void> {
      await sql`
        INSERT INTO agent_tokens (hash, grant_id, kind, scopes, expires_at)
        VALUES (${accessHash}, ${grantId}, 'access', ${[...scopes]}::text[], now() + make_interval(secs => ${tokenLives.access})),
          (${refreshHash}, ${grantId}, 'refresh', ${[...scopes]}::text[], now() + make_interval(secs => ${tokenLives.refresh}))
        ON CONFLICT (hash) DO NOTHING`
      await sql`UPDATE agent_grants SET used_at = now() WHERE id = ${grantId}`
      await sql`DELETE FROM agent_tokens WHERE grant_id = ${grantId} AND expires_at < now()`
    },

    /** The client's grant that a token of either kind belongs to. */
    async grantOfToken(hash: string, clientId: string): Promise<string | null> {
      const [row] = await database.run(
        (sql) => sql<{ id: string }[]>`
          SELECT g.id FROM agent_tokens t JOIN agent_grants g ON g.id = t.grant_id
          WHERE t.hash = ${hash} AND g.client_id = ${clientId}`,
      )
      return row?.id ?? null
    },

    async findAccess(hash: string): Promise<StoredAccess | null> {
      const [row] = await database.run(
        (sql) => sql<AccessRow[]>`
          SELECT g.id, g.account_id, g.client_name, t.scopes, g.resource, least(t.expires_at, g.expires_at) AS expires_at
          FROM agent_tokens t JOIN agent_grants g ON g.id = t.grant_id
          WHERE t.hash = ${hash} AND t.kind = 'access' AND t.expires_at > now()
            AND g.revoked_at IS NULL AND g.expires_at > now() AND NOT ${ofDisabled(sql)}`,
      )
      if (row === undefined) return null
      return {
        grantId: row.id,
        accountId: row.account_id,
        clientName: row.client_name,
        scopes: row.scopes,
        resource: row.resource,
        expiresAt: row.expires_at.getTime(),
      }
    },
  }
}
