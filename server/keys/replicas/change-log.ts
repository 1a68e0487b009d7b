import type { Database, TransactionSql } from '../../platform/database.ts'
import type { KeyKindName } from '../stored-key.ts'
import { isFault } from '../../platform/fault.ts'

/**
 * What the log tells changes of: keys, accounts, whose sessions processes remember, the grants of agents, whose tokens they do, the policies of tool calls,
 * virtual servers, status pages, what health goes by (verifiers, the services of operators, and announced work by the ids of
 * services), the settings of alerts, the plans and chains of operators, and the private addresses that they allow.
 */
export type ChangedKind =
  | KeyKindName
  | 'account'
  | 'agent_grant'
  | 'tool_policy'
  | 'virtual_server'
  | 'verifier'
  | 'health_service'
  | 'maintenance'
  | 'status_page'
  | 'alert_settings'
  | 'plan'
  | 'chain'
  | 'allowed_address'

/** What was changed together. */
export interface LoggedKeyChange {
  readonly version: number
  readonly kind: ChangedKind
  readonly ids: readonly string[]
}

/**
 * The log of changes to keys, and the processes (nodes) with the version that each has applied. Each change has the next
 * whole number as its version, and a reader that sees a change has seen all smaller versions.
 */
export interface ChangeLog {
  /** Waits for the transaction of another change. It is called first, so that versions are committed in order. */
  lock(sql: TransactionSql): Promise<void>
  /** Adds a change and returns its version. All nodes are notified on commit. */
  append(sql: TransactionSql, kind: ChangedKind, ids: readonly string[]): Promise<number>
  latestVersion(): Promise<number>
  /**
   * Returns the changes after a version that was in the log, in order; null where the log does not go on from it: changes in
   * between were pruned, or the database has lost or replaced those that came last.
   */
  changesSince(version: number): Promise<LoggedKeyChange[] | null>
  /** Writes the heartbeat of a node, and returns the version that the database has as applied by it: -1 of a new one. */
  beat(nodeId: string): Promise<number>
  acknowledge(nodeId: string, version: number): Promise<void>
  /** Returns how many nodes with a heartbeat in the last `livingSec` have not applied a version. */
  countBehind(version: number, livingSec: number): Promise<number>
  leave(nodeId: string): Promise<void>
}

export const keyChangesChannel = 'key_changes'

/** Key of the advisory lock, "gakc" in ASCII. Any number that has no other use in this database would do. */
const changesLock = 0x67616b63

/** Number of changes that are kept. A node that is further behind reads all keys again. */
const keptChanges = 10_000

const forgottenSec = 3_600

/** Deadline of statements, shorter than a heartbeat may be late, so that a statement that hangs does not block the next. */
const deadlineMs = 1_500

export function createChangeLog(database: Database): ChangeLog {
  return {
    async lock(sql) {
      await sql`SELECT pg_advisory_xact_lock(${changesLock})`
    },
    async append(sql, kind, ids) {
      const [row] = await sql<{ version: number }[]>`
        INSERT INTO key_changes (version, kind, key_ids)
        SELECT coalesce(max(version), 0) + 1, ${kind}, ${[...ids]}::text[] FROM key_changes
        RETURNING version::float8 AS version`
      if (row === undefined) throw new Error('a change without a version')
      await sql`DELETE FROM key_changes WHERE version <= ${row.version - keptChanges}`
      await sql`SELECT pg_notify(${keyChangesChannel}, ${String(row.version)})`
      return row.version
    },
    async latestVersion() {
      const [row] = await database.run(
        (sql) => sql<{ version: number }[]>`
          SELECT coalesce(max(version), 0)::float8 AS version FROM key_changes`,
        deadlineMs,
      )
      return row?.version ?? 0
    },
    async changesSince(version) {
      const rows = await database.run(
        (sql) => sql<LoggedKeyChange[]>`
          SELECT version::float8 AS version, kind, CASE WHEN version > ${version} THEN key_ids ELSE '{}' END AS ids
          FROM key_changes WHERE version >= ${version} ORDER BY version`,
        deadlineMs,
      )
      const changes = rows.filter((change) => change.version > version)
      // There is no change 0: the log goes on from it as long as it has its first one, or none.
      const goesOn = version === 0 ? (changes[0]?.version ?? 1) === 1 : changes.length < rows.length
      return goesOn ? changes : null
    },
    async beat(nodeId) {
      const [row] = await database.run(
        (sql) => sql<{ version: number }[]>`
          INSERT INTO nodes (id, seen_at) VALUES (${nodeId}, now())
          ON CONFLICT (id) DO UPDATE SET seen_at = now() RETURNING keys_version::float8 AS version`,
        deadlineMs,
      )
      if (row === undefined) throw new Error('a heartbeat without a row')
      return row.version
    },
    async acknowledge(nodeId, version) {
      await database.run(
        (sql) => sql`UPDATE nodes SET keys_version = ${version} WHERE id = ${nodeId}`,
        deadlineMs,
      )
    },
    async countBehind(version, livingSec) {
      const [row] = await database.run(
        (sql) => sql<{ count: number }[]>`
          SELECT count(*)::int AS count FROM nodes
          WHERE keys_version < ${version} AND seen_at > now() - make_interval(secs => ${livingSec})`,
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

/** Pauses between questions, in ms: most nodes answer within the first few; all together make the second it may take. */
const pausesMs = [2, 4, 8, 16, 30, 60, 80, 100, 100, 100, 100, 100, 100, 100, 100] as const

/** Whether every node that was seen in the last `livingSec` has applied a committed version; waits for about a second. */
export async function isAppliedEverywhere(
  changeLog: ChangeLog,
  version: number,
  livingSec: number,
): Promise<boolean> {
  try {
    for (const pauseMs of pausesMs) {
      if ((await changeLog.countBehind(version, livingSec)) === 0) return true
      await Bun.sleep(pauseMs)
    }
    return (await changeLog.countBehind(version, livingSec)) === 0
  } catch (error) {
    // The change was made all the same: its caller must not be told otherwise.
    if (isFault(error, 'unavailable')) return false
    throw error
  }
}
