import type { Database, TransactionSql } from '../../platform/database.ts'

/** What the database knows of the access of one connection. */
export interface AccessRecord {
  readonly id: string
  readonly accountId: string
  /** Null: consent is needed. */
  readonly tokensSealed: string | null
  /** When the access token ends, in epoch ms; null: not told. */
  readonly expiresAt: number | null
  readonly version: number
  /** Some process refreshes it just now. */
  readonly isRefreshing: boolean
  readonly scopes: string | null
  readonly scopesWanted: string | null
}

/** Tokens as they are stored after a consent or a refresh. */
export interface NewTokens {
  readonly tokensSealed: string
  readonly expiresAt: number | null
  /** Null: as before. */
  readonly scopes: string | null
}

interface Row {
  connection_id: string
  account_id: string
  tokens_sealed: string | null
  expires_at: Date | null
  version: number
  is_refreshing: boolean | null
  scopes: string | null
  scopes_wanted: string | null
}

/** For how long one process may take to refresh before another one tries. A refresh itself is cut off earlier. */
const leaseSec = 15
const mostStepUpsAnHour = 3

const instantOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

export type AccessStore = ReturnType<typeof createAccessStore>

export function createAccessStore(database: Database) {
  return {
    async read(id: string): Promise<AccessRecord | null> {
      const [row] = await database.run(
        (sql) => sql<Row[]>`
          SELECT *, refreshing_until > now() AS is_refreshing FROM oauth_connections WHERE connection_id = ${id}`,
      )
      if (row === undefined) return null
      return {
        id: row.connection_id,
        accountId: row.account_id,
        tokensSealed: row.tokens_sealed,
        expiresAt: row.expires_at?.getTime() ?? null,
        version: row.version,
        isRefreshing: row.is_refreshing === true,
        scopes: row.scopes,
        scopesWanted: row.scopes_wanted,
      }
    },

    /** Resolves to true for one of all processes that ask, until it is done or its time is over. */
    async lease(id: string, version: number): Promise<boolean> {
      const rows = await database.run(
        (sql) => sql`
          UPDATE oauth_connections SET refreshing_until = now() + make_interval(secs => ${leaseSec})
          WHERE connection_id = ${id} AND version = ${version}
            AND (refreshing_until IS NULL OR refreshing_until < now())
          RETURNING 1`,
      )
      return rows.length > 0
    },

    /** Ends the lease without new tokens. */
    async release(id: string, version: number): Promise<void> {
      await database.run(
        (sql) => sql`
          UPDATE oauth_connections SET refreshing_until = NULL
          WHERE connection_id = ${id} AND version = ${version}`,
      )
    },

    /** Stores refreshed tokens. Returns false when somebody was faster, or the connection is gone. */
    async renew(
      id: string,
      version: number,
      { tokensSealed, expiresAt, scopes }: NewTokens,
    ): Promise<boolean> {
      const rows = await database.run(
        (sql) => sql`
          UPDATE oauth_connections
          SET tokens_sealed = ${tokensSealed}, expires_at = ${instantOf(expiresAt)}, version = version + 1,
            scopes = coalesce(${scopes}, scopes), refreshing_until = NULL
          WHERE connection_id = ${id} AND version = ${version} RETURNING 1`,
      )
      return rows.length > 0
    },

    /** Stores what a consent gave, and returns its version; null when the connection is gone. */
    async consented(
      sql: TransactionSql,
      id: string,
      issuer: string,
      { tokensSealed, expiresAt, scopes }: NewTokens,
    ): Promise<number | null> {
      const [row] = await sql<{ version: number }[]>`
        UPDATE oauth_connections
        SET tokens_sealed = ${tokensSealed}, expires_at = ${instantOf(expiresAt)}, version = version + 1,
          issuer = ${issuer}, scopes = ${scopes}, scopes_wanted = NULL, consented_at = now(), refreshing_until = NULL
        WHERE connection_id = ${id} RETURNING version`
      await sql`UPDATE connections SET status = 'new' WHERE id = ${id}`
      return row?.version ?? null
    },

    /** Forgets tokens that are of no use any more. Returns false when there are newer ones. */
    async drop(sql: TransactionSql, id: string, version: number): Promise<boolean> {
      const rows = await sql`
        UPDATE oauth_connections
        SET tokens_sealed = NULL, expires_at = NULL, version = version + 1, refreshing_until = NULL
        WHERE connection_id = ${id} AND version = ${version} RETURNING 1`
      return rows.length > 0
    },

    /** For whoever deletes the connection. */
    async sealedTokens(sql: TransactionSql, id: string): Promise<string | null> {
      const [row] = await sql<Pick<Row, 'tokens_sealed'>[]>`
        SELECT tokens_sealed FROM oauth_connections WHERE connection_id = ${id}`
      return row?.tokens_sealed ?? null
    },

    /**
     * Notes the scopes that a call lacked, at most three times an hour: a tool server that never has enough must not send
     * its owner to consent for ever. Returns false when that was too often.
     */
    async wantScopes(id: string, scopes: string): Promise<boolean> {
      const rows = await database.run(
        (sql) => sql`
          UPDATE oauth_connections
          SET scopes_wanted = ${scopes}, step_ups = CASE WHEN scopes_wanted IS NOT DISTINCT FROM ${scopes} THEN step_ups
            ELSE array_append(ARRAY(SELECT at FROM unnest(step_ups) at WHERE at > now() - interval '1 hour'), now()) END
          WHERE connection_id = ${id} AND (
            scopes_wanted IS NOT DISTINCT FROM ${scopes}
            OR (SELECT count(*) FROM unnest(step_ups) at WHERE at > now() - interval '1 hour') < ${mostStepUpsAnHour}
          ) RETURNING 1`,
      )
      return rows.length > 0
    },
  }
}
