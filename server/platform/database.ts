import type { Log } from './log.ts'
import type { Sql, TransactionSql } from './postgres/connections.ts'
import { type EmbeddedServer, startEmbedded } from './postgres/embedded.ts'
import { migrate } from './postgres/migrate.ts'
import { RecyclingPool } from './postgres/recycling-pool.ts'
import { untilAnswering } from './postgres/until-answering.ts'

export type { Sql, TransactionSql }

/** PostgreSQL, as every store sees it. */
export interface Database {
  /** postgres.js client of the current connections: read it at each use, never keep it. No deadline. */
  readonly sql: Sql
  /**
   * Runs work under a deadline (default 5000 ms). One statement never takes longer than 30 s.
   * @throws Fault `unavailable` when the server is away, full or late; the work may have been done nevertheless.
   *   What the server says about the statement itself (a violated constraint) passes unchanged.
   */
  run<T>(work: (sql: Sql) => Promise<T>, deadlineMs?: number): Promise<T>
  /** Does the same as `run` in one transaction, which is rolled back when the work throws or is late. */
  transaction<T>(work: (sql: TransactionSql) => Promise<T>, deadlineMs?: number): Promise<T>
  /**
   * Calls back for each NOTIFY on the channel. Restored when the server was away;
   * what was sent meanwhile is lost: reload in `onResume`.
   */
  listen(channel: string, onPayload: (payload: string) => void): Promise<void>
  /** Calls back each time the server is back, after subscriptions were restored. */
  onResume(callback: () => void): void
  /** Answers within 1 s. */
  isReachable(): Promise<boolean>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Null: the embedded server in `dataDir`. */
  url: string | null
  dataDir: string
  log: Log
  /** Folder written by drizzle-kit. */
  migrationsFolder: string
}

const maxConnections = 10
const defaultDeadlineMs = 5000
const reachableDeadlineMs = 900

/**
 * Opens the database, starting the embedded server if there is no URL, and migrates it.
 * @throws InstanceLockedError when another process runs the embedded server of `dataDir`;
 *   Error when the server cannot be started or reached, or a migration fails.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { dataDir, log, migrationsFolder } = options
  const embedded = options.url === null ? await startEmbedded({ dataDir, log }) : null
  const url = options.url ?? embedded?.url
  if (url === undefined) throw new TypeError('there is neither a URL nor an embedded server')
  try {
    await untilAnswering(url)
    await migrate(url, migrationsFolder)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
  return connect(new RecyclingPool({ url, maxConnections, log }), embedded)
}

function connect(pool: RecyclingPool, embedded: EmbeddedServer | null): Database {
  return {
    get sql() {
      return pool.sql
    },
    run: (work, deadlineMs = defaultDeadlineMs) => pool.run(work, deadlineMs),
    transaction: (work, deadlineMs = defaultDeadlineMs) => pool.transaction(work, deadlineMs),
    listen: (channel, onPayload) => pool.listen(channel, onPayload),
    onResume: (callback) => pool.onResume(callback),
    isReachable: () => pool.isReachable(reachableDeadlineMs),
    async close() {
      await pool.close()
      await embedded?.stop()
    },
  }
}
