import type { Log } from './log.ts'
import type { Sql, TransactionSql } from './postgres/connections.ts'
import { parseAddress } from './postgres/connection-address.ts'
import { type EmbeddedServer, startEmbedded } from './postgres/embedded.ts'
import { checkMigrated, migrate } from './postgres/migrate.ts'
import { RecyclingPool } from './postgres/recycling-pool.ts'
import { type FoundServer, untilAnswering } from './postgres/until-answering.ts'

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
  /**
   * Whether `listen` hears what is sent now: `none` where a pooler stands before the database and there is no direct address,
   * `away` while whatever would tell does not answer, which may be the direct address alone. Who must know has to look by itself.
   */
  notifications(): 'heard' | 'away' | 'none'
  /** Calls back each time the server is back, after subscriptions were restored. */
  onResume(callback: () => void): void
  /** Answers within 1 s. */
  isReachable(): Promise<boolean>
  /** How many statements and transactions are under way or wait, and whether the server is away. */
  load(): { readonly underWay: number; readonly isAway: boolean }
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Null: the embedded server in `dataDir`. */
  url: string | null
  /** The same database without a pooler, to be notified by and to migrate; null where `url` will do. */
  directUrl?: string | null
  dataDir: string
  log: Log
  /** Folder written by drizzle-kit. */
  migrationsFolder: string
  /** Most connections for statements; one or two more are for notifications. */
  maxConnections?: number
  /** False: tables are never changed, and everything must be there. Default true. */
  canMigrate?: boolean
  /** Ends the wait for a server that does not answer yet, and for another process that migrates. */
  signal?: AbortSignal
}

const usualConnections = 10
/** Of the embedded server beyond those of the pool: notifications, a backup, somebody who looks. */
const spareConnections = 50
const defaultDeadlineMs = 5000
const reachableDeadlineMs = 900

/**
 * Opens the database, starting the embedded server if there is no URL, and migrates it.
 * @throws InstanceLockedError when another process runs the embedded server of `dataDir`; SchemaProblem when the tables are
 *   not those of this program; Error when the server cannot be started or reached, or a migration fails.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { dataDir, log, maxConnections = usualConnections, signal } = options
  const serverConnections = maxConnections + spareConnections
  const embedded =
    options.url === null ? await startEmbedded({ dataDir, log, maxConnections: serverConnections }) : null
  const url = options.url ?? embedded?.url
  if (url === undefined) throw new TypeError('there is neither a URL nor an embedded server')
  try {
    const found = await untilAnswering(parseAddress(url), {
      setting: embedded === null ? 'DATABASE_URL' : null,
      signal,
    })
    const direct = await findDirect(options, found)
    const migration = { ...(direct ?? found), folder: options.migrationsFolder, log, signal }
    await (options.canMigrate === false ? checkMigrated(migration) : migrate(migration))
    const pool = new RecyclingPool({ ...found, maxConnections, log })
    if (direct === null) log.info('a pooler stands before the database: changes are looked for, not heard of')
    const listener =
      direct === found ? pool : direct && new RecyclingPool({ ...direct, maxConnections: 1, log })
    return connect(pool, listener, embedded)
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

/** Brings the database to the newest migration without opening it, and returns the names of what was applied. */
export async function migrateDatabase(
  options: Pick<DatabaseOptions, 'directUrl' | 'log' | 'migrationsFolder'> & { url: string },
): Promise<string[]> {
  const found = await untilAnswering(parseAddress(options.directUrl ?? options.url), {
    setting: options.directUrl ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL',
  })
  return await migrate({ ...found, folder: options.migrationsFolder, log: options.log })
}

/** Where connections last: at the direct address, or there where no pooler stands; else null. */
async function findDirect(
  { directUrl = null, signal }: DatabaseOptions,
  found: FoundServer,
): Promise<FoundServer | null> {
  if (directUrl !== null)
    return await untilAnswering(parseAddress(directUrl), { setting: 'DATABASE_DIRECT_URL', signal })
  return found.address.isPooled === true ? null : found
}

/** `listener` is null where nothing can be heard. */
function connect(
  pool: RecyclingPool,
  listener: RecyclingPool | null,
  embedded: EmbeddedServer | null,
): Database {
  return {
    get sql() {
      return pool.sql
    },
    run: (work, deadlineMs = defaultDeadlineMs) => pool.run(work, deadlineMs),
    transaction: (work, deadlineMs = defaultDeadlineMs) => pool.transaction(work, deadlineMs),
    notifications: () => (listener === null ? 'none' : listener.load().isAway ? 'away' : 'heard'),
    async listen(channel, onPayload) {
      await listener?.listen(channel, onPayload)
    },
    onResume(callback) {
      pool.onResume(callback)
      if (listener !== null && listener !== pool) listener.onResume(callback)
    },
    isReachable: () => pool.isReachable(reachableDeadlineMs),
    load: () => pool.load(),
    async close() {
      await Promise.all([pool.close(), listener === pool ? null : listener?.close()])
      await embedded?.stop()
    },
  }
}
