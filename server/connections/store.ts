import * as z from 'zod/mini'

import { AuthType, ConnectionStatus, ConnectionUse, DownstreamTransport } from '../../shared/connections.ts'
import type { Database, Sql, TransactionSql } from '../platform/database.ts'
import { type OAuthFacts, type SavedConnection, noConsent } from './saved/saved-connection.ts'
import type { Pins } from './tools/pins.ts'
import { pinsIn, storedLists } from './tools/stored-pins.ts'

/** Saved connections in PostgreSQL. Every query names the owner. */
export interface ConnectionStore {
  /** Returns the account's connections, newest first. */
  list(accountId: string): Promise<SavedConnection[]>
  find(accountId: string, id: string): Promise<StoredConnection | null>
  /** Returns which of these connections of any account there are. */
  existing(ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Connections of all accounts whose tools may not be those that were accepted, at most so many. */
  listChanged(limit: number): Promise<SavedConnection[]>
  /** Locks the account until the transaction ends. */
  lockAccount(sql: TransactionSql, accountId: string): Promise<void>
  count(sql: TransactionSql, accountId: string): Promise<number>
  insert(sql: TransactionSql, connection: StoredConnection): Promise<void>
  /** Locks a connection until the transaction ends; null when the account has no such connection. */
  lock(sql: TransactionSql, accountId: string, id: string): Promise<SavedConnection | null>
  saveLabel(sql: TransactionSql, id: string, label: string | null): Promise<void>
  saveContentKeptUntil(sql: TransactionSql, id: string, until: number | null): Promise<void>
  saveUse(sql: TransactionSql, id: string, use: ConnectionUse): Promise<void>
  savePins(sql: TransactionSql, id: string, pins: Pins): Promise<void>
  /** Stores definitions by fingerprint, and deletes those that are not in `kept`. */
  keepDefinitions(
    sql: TransactionSql,
    id: string,
    definitions: ReadonlyMap<string, string>,
    kept: readonly string[],
  ): Promise<void>
  /** Returns definitions as JSON by fingerprint. */
  definitions(id: string, fingerprints: readonly string[]): Promise<ReadonlyMap<string, string>>
  remove(sql: TransactionSql, id: string): Promise<void>
  saveFlagged(id: string, flagged: readonly string[]): Promise<void>
  /** Stores what the latest use has shown. */
  recordStatus(id: string, status: ConnectionStatus, lastUsedAt: number): Promise<void>
}

export interface StoredConnection extends SavedConnection {
  /** Null: by OAuth. */
  readonly secretSealed: string | null
}

const Service = z.object({
  serviceId: z.string(),
  chain: z.string(),
  category: z.string(),
  provider: z.nullable(z.string()),
  name: z.string(),
  url: z.string(),
  transport: DownstreamTransport,
  authType: AuthType,
  credentialKey: z.nullable(z.string()),
})
const Flagged = z.array(z.string())

interface Row {
  id: string
  account_id: string
  service: unknown
  kind: string
  secret_sealed: string | null
  header_name: string | null
  label: string | null
  status: string
  tools_accepted: unknown
  tools_seen: unknown
  tools_flagged: unknown
  on_change: string
  result_bytes: number
  shows_secrets: boolean
  created_at: Date
  last_used_at: Date | null
  content_kept_until: Date | null
  issuer: string | null
  scopes: string | null
  scopes_wanted: string | null
  consented_at: Date | null
  version: number | null
  has_tokens: boolean | null
}

/** A connection with what is known of its access by OAuth. */
const columns = (sql: Sql | TransactionSql) => sql`
  connections.*, access.issuer, access.scopes, access.scopes_wanted, access.consented_at, access.version,
  access.tokens_sealed IS NOT NULL AS has_tokens
  FROM connections LEFT JOIN oauth_connections access ON access.connection_id = connections.id`

export function createConnectionStore(database: Database): ConnectionStore {
  return {
    async list(accountId) {
      const rows = await database.run(
        (sql) => sql<Row[]>`
          SELECT ${columns(sql)} WHERE connections.account_id = ${accountId} ORDER BY created_at DESC, id`,
      )
      return rows.map((row) => fromRow(row))
    },
    async find(accountId, id) {
      const [row] = await database.run(
        (sql) => sql<Row[]>`
          SELECT ${columns(sql)} WHERE id = ${id} AND connections.account_id = ${accountId}`,
      )
      if (row === undefined) return null
      return { ...fromRow(row), secretSealed: row.secret_sealed }
    },
    async existing(ids) {
      const rows = await database.run(
        (sql) => sql<{ id: string }[]>`SELECT id FROM connections WHERE id = ANY (${[...ids]}::text[])`,
      )
      return new Set(rows.map(({ id }) => id))
    },
    async listChanged(limit) {
      const rows = await database.run(
        (sql) =>
          sql<Row[]>`SELECT ${columns(sql)} WHERE tools_accepted <> tools_seen ORDER BY id LIMIT ${limit}`,
      )
      return rows.map((row) => fromRow(row))
    },
    async lockAccount(sql, accountId) {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`connections:${accountId}`}, 0))`
    },
    async count(sql, accountId) {
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM connections WHERE account_id = ${accountId}`
      return row?.count ?? 0
    },
    async insert(sql, connection) {
      await sql`
        INSERT INTO connections ${sql({
          id: connection.id,
          account_id: connection.accountId,
          service: sql.json({ ...connection.service }),
          kind: connection.oauth === null ? 'secret' : 'oauth',
          secret_sealed: connection.secretSealed,
          header_name: connection.headerName,
          label: connection.label,
          status: connection.status,
          created_at: new Date(connection.createdAt),
        })}`
      if (connection.oauth === null) return
      await sql`
        INSERT INTO oauth_connections (connection_id, account_id) VALUES (${connection.id}, ${connection.accountId})`
    },
    async lock(sql, accountId, id) {
      const [row] = await sql<Row[]>`
        SELECT ${columns(sql)} WHERE id = ${id} AND connections.account_id = ${accountId} FOR UPDATE OF connections`
      return row === undefined ? null : fromRow(row)
    },
    async saveLabel(sql, id, label) {
      await sql`UPDATE connections SET label = ${label} WHERE id = ${id}`
    },
    async saveContentKeptUntil(sql, id, until) {
      const instant = until === null ? null : new Date(until)
      await sql`UPDATE connections SET content_kept_until = ${instant} WHERE id = ${id}`
    },
    async saveUse(sql, id, { onChange, resultBytes, showsSecrets }) {
      await sql`
        UPDATE connections
        SET on_change = ${onChange}, result_bytes = ${resultBytes}, shows_secrets = ${showsSecrets}
        WHERE id = ${id}`
    },
    async savePins(sql, id, { accepted, seen }) {
      await sql`
        UPDATE connections
        SET tools_accepted = ${sql.json(storedLists(accepted))},
            tools_seen = ${sql.json(storedLists(seen))}
        WHERE id = ${id}`
    },
    async keepDefinitions(sql, id, definitions, kept) {
      await sql`
        DELETE FROM connection_tools
        WHERE connection_id = ${id} AND NOT (fingerprint = ANY (${[...kept]}::text[]))`
      await sql`
        INSERT INTO connection_tools (connection_id, fingerprint, definition)
        SELECT ${id}, * FROM unnest(${[...definitions.keys()]}::text[], ${[...definitions.values()]}::text[])
        ON CONFLICT DO NOTHING`
    },
    async definitions(id, fingerprints) {
      const rows = await database.run(
        (sql) => sql<{ fingerprint: string; definition: string }[]>`
          SELECT fingerprint, definition FROM connection_tools
          WHERE connection_id = ${id} AND fingerprint = ANY (${[...fingerprints]}::text[])`,
      )
      return new Map(rows.map(({ fingerprint, definition }) => [fingerprint, definition]))
    },
    async remove(sql, id) {
      await sql`DELETE FROM connections WHERE id = ${id}`
    },
    async saveFlagged(id, flagged) {
      await database.run(
        (sql) => sql`UPDATE connections SET tools_flagged = ${sql.json([...flagged])} WHERE id = ${id}`,
      )
    },
    async recordStatus(id, status, lastUsedAt) {
      await database.run(
        (sql) => sql`
          UPDATE connections SET status = ${status}, last_used_at = ${new Date(lastUsedAt)} WHERE id = ${id}`,
      )
    },
  }
}

/** Deletes the connections of accounts with their tokens, and returns how many there were. */
export async function removeConnectionsOf(
  sql: TransactionSql,
  accountIds: readonly string[],
): Promise<number> {
  const rows = await sql`
    DELETE FROM connections WHERE account_id = ANY (${[...accountIds]}::text[]) RETURNING id`
  return rows.length
}

function fromRow(row: Row): SavedConnection {
  return {
    id: row.id,
    accountId: row.account_id,
    service: Service.parse(row.service),
    headerName: row.header_name,
    label: row.label,
    status: ConnectionStatus.parse(row.status),
    pins: pinsIn(row),
    flagged: Flagged.parse(row.tools_flagged),
    use: ConnectionUse.parse({
      onChange: row.on_change,
      resultBytes: row.result_bytes,
      showsSecrets: row.shows_secrets,
    }),
    createdAt: row.created_at.getTime(),
    lastUsedAt: row.last_used_at?.getTime() ?? null,
    contentKeptUntil: row.content_kept_until?.getTime() ?? null,
    oauth: row.kind === 'oauth' ? oauthFactsOf(row) : null,
  }
}

const oauthFactsOf = (row: Row): OAuthFacts => ({
  issuer: row.issuer,
  scopes: row.scopes,
  scopesWanted: row.scopes_wanted,
  consentedAt: row.consented_at?.getTime() ?? null,
  version: row.version ?? noConsent.version,
  hasTokens: row.has_tokens === true,
})
