import { VirtualServerSpec } from '../../shared/virtual-servers.ts'
import type { Database, TransactionSql } from '../platform/database.ts'

/** A virtual server of an account. */
export interface StoredVirtualServer {
  readonly accountId: string
  readonly spec: VirtualServerSpec
  /** A random text that changes with each change. */
  readonly revision: string
  /** Epoch ms. */
  readonly updatedAt: number
}

/** Virtual servers in PostgreSQL. */
export interface VirtualServerStore {
  load(): Promise<StoredVirtualServer[]>
  /** Locks the virtual servers of an account until the transaction ends, and returns them. */
  lock(sql: TransactionSql, accountId: string): Promise<StoredVirtualServer[]>
  save(sql: TransactionSql, server: StoredVirtualServer): Promise<void>
  remove(sql: TransactionSql, accountId: string, name: string): Promise<void>
}

interface Row {
  account_id: string
  spec: string
  revision: string
  updated_at: Date
}

export function createVirtualServerStore(database: Database): VirtualServerStore {
  return {
    async load() {
      const rows = await database.run(
        (sql) => sql<Row[]>`
          SELECT account_id, spec, revision, updated_at FROM virtual_servers ORDER BY account_id, name`,
      )
      return rows.map(fromRow)
    },
    async lock(sql, accountId) {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`virtual_servers:${accountId}`}, 0))`
      const rows = await sql<Row[]>`
        SELECT account_id, spec, revision, updated_at FROM virtual_servers WHERE account_id = ${accountId}`
      return rows.map(fromRow)
    },
    async save(sql, { accountId, spec, revision, updatedAt }) {
      await sql`
        INSERT INTO virtual_servers (account_id, name, spec, revision, updated_at)
        VALUES (${accountId}, ${spec.name}, ${JSON.stringify(spec)}, ${revision}, ${new Date(updatedAt)})
        ON CONFLICT (account_id, name) DO UPDATE
        SET spec = excluded.spec, revision = excluded.revision, updated_at = excluded.updated_at`
    },
    async remove(sql, accountId, name) {
      await sql`DELETE FROM virtual_servers WHERE account_id = ${accountId} AND name = ${name}`
    },
  }
}

/** Deletes the virtual servers of accounts, and returns whose they were, one id for each. */
export async function removeVirtualServersOf(
  sql: TransactionSql,
  accountIds: readonly string[],
): Promise<string[]> {
  const rows = await sql<{ account_id: string }[]>`
    DELETE FROM virtual_servers WHERE account_id = ANY (${[...accountIds]}::text[]) RETURNING account_id`
  return rows.map((row) => row.account_id)
}

const fromRow = (row: Row): StoredVirtualServer => ({
  accountId: row.account_id,
  spec: VirtualServerSpec.parse(JSON.parse(row.spec)),
  revision: row.revision,
  updatedAt: row.updated_at.getTime(),
})
