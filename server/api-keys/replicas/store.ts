import type { Database, TransactionSql } from '../../platform/database.ts'
import type { ApiKey } from '../api-key.ts'
import type { ApiKeyRow, RowReader } from '../rows.ts'
import { apiKeyColumns } from '../store.ts'

/** A key that changed; `key` as it is now, null when it was deleted. */
export interface KeyChange {
  readonly version: number
  readonly id: string
  readonly key: ApiKey | null
}

/**
 * The versions of the keys: every change has the next whole number, and whoever sees a change has seen all with a
 * smaller one.
 */
export interface ReplicaStore {
  /** Waits for the transaction of another change. Called first in one: versions are committed in their order. */
  lock(sql: TransactionSql): Promise<void>
  /** Gives the change of a key its version, and tells all nodes at the commit. */
  append(sql: TransactionSql, id: string): Promise<number>
  latestVersion(): Promise<number>
  changesSince(version: number): Promise<KeyChange[]>
  /** Says that this node is alive, and has not applied anything if it is new. */
  beat(nodeId: string): Promise<void>
  acknowledge(nodeId: string, version: number): Promise<void>
  /** How many living nodes have not applied a version yet. */
  countBehind(version: number): Promise<number>
  leave(nodeId: string): Promise<void>
}

export const changesChannel = 'api_key_changes'

/** "gakc" in ASCII: any number that nobody else uses in this database. */
const changesLock = 0x67616b63

/** A node that is further behind reads all keys anew. */
const keptChanges = 10_000

/**
 * A node without a heartbeat for this long has stopped using its memory: it trusts it for 2 s only (follower.ts).
 */
const livingSec = 3
const forgottenSec = 3_600

/** Shorter than a heartbeat may be late: a statement that hangs must not keep the next one from being tried. */
const deadlineMs = 1_500

export function createReplicaStore(database: Database, toApiKey: RowReader): ReplicaStore {
  return {
    async lock(sql) {
      await sql`SELECT pg_advisory_xact_lock(${changesLock})`
    },
    async append(sql, id) {
      const [row] = await sql<{ version: number }[]>`
        INSERT INTO api_key_changes (version, api_key_id)
        SELECT coalesce(max(version), 0) + 1, ${id} FROM api_key_changes
        RETURNING version::float8 AS version`
      if (row === undefined) throw new Error('a change without a version')
      await sql`DELETE FROM api_key_changes WHERE version <= ${row.version - keptChanges}`
      await sql`SELECT pg_notify(${changesChannel}, ${String(row.version)})`
      return row.version
    },
    async latestVersion() {
      const [row] = await database.run(
        (sql) => sql<{ version: number }[]>`
          SELECT coalesce(max(version), 0)::float8 AS version FROM api_key_changes`,
        deadlineMs,
      )
      return row?.version ?? 0
    },
    async changesSince(version) {
      const rows = await database.run(
        (sql) => sql<(ApiKeyRow & { version: number; api_key_id: string })[]>`
          SELECT changes.version::float8 AS version, changes.api_key_id, ${sql(apiKeyColumns)}
          FROM api_key_changes AS changes LEFT JOIN api_keys ON api_keys.id = changes.api_key_id
          WHERE changes.version > ${version} ORDER BY changes.version`,
        deadlineMs,
      )
      return rows.map((row) => ({
        version: row.version,
        id: row.api_key_id,
        key: row.id === null ? null : toApiKey(row),
      }))
    },
    async beat(nodeId) {
      await database.run(
        (sql) => sql`
          INSERT INTO nodes (id, seen_at, api_keys_version) VALUES (${nodeId}, now(), -1)
          ON CONFLICT (id) DO UPDATE SET seen_at = now()`,
        deadlineMs,
      )
    },
    async acknowledge(nodeId, version) {
      await database.run(
        (sql) => sql`UPDATE nodes SET api_keys_version = ${version} WHERE id = ${nodeId}`,
        deadlineMs,
      )
    },
    async countBehind(version) {
      const [row] = await database.run(
        (sql) => sql<{ count: number }[]>`
          SELECT count(*)::int AS count FROM nodes
          WHERE api_keys_version < ${version} AND seen_at > now() - make_interval(secs => ${livingSec})`,
        deadlineMs,
      )
      return row?.count ?? 0
    },
    async leave(nodeId) {
      await database.run(
        (sql) => sql`
          DELETE FROM nodes
          WHERE id = ${nodeId} OR seen_at < now() - make_interval(secs => ${forgottenSec})`,
        deadlineMs,
      )
    },
  }
}
