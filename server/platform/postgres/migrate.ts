import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate as applyMigrations } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { parseAddress } from './connection-address.ts'
import { driverOptions } from './connections.ts'

/** Key of the advisory lock, "gate" in ASCII: any number that nobody else uses in this database. */
const migrationLock = 0x67617465

/** The time to wait for another process that migrates, and the time that one statement of a migration may take. */
const longestMigrationMs = 10 * 60_000
/** A migration that cannot get a table's lock fails, rather than hold up everybody who queues behind it. */
const tableLockTimeoutMs = 5000
/** The server notices within this that we were killed, and gives the lock to the next: it would finish the statement. */
const connectionCheckMs = 1000

/**
 * Brings the database to the newest of the migrations that drizzle-kit wrote into `folder`.
 * Any number of processes may call it at once: one migrates, the others wait and find nothing to do.
 * @throws Error when the server is away or a migration fails; nothing of that run is kept then.
 */
export async function migrate(url: string, folder: string): Promise<void> {
  // drizzle takes no lock. A session's lock covers all its statements only if they share one connection.
  const connection = postgres(parseAddress(url).url, {
    ...driverOptions(url),
    max: 1,
    // A second connection would go on without the lock.
    onclose: () => void connection.end({ timeout: 0 }),
  })
  try {
    await connection`select set_config('statement_timeout', ${String(longestMigrationMs)}, false)`
    await connection`select set_config('client_connection_check_interval', ${String(connectionCheckMs)}, false)`
    await connection`select pg_advisory_lock(${migrationLock})`
    await connection`select set_config('lock_timeout', ${String(tableLockTimeoutMs)}, false)`
    await applyMigrations(drizzle(connection), { migrationsFolder: folder })
  } finally {
    // The lock goes with the connection.
    await connection.end({ timeout: 5 })
  }
}
