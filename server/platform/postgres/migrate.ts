/**
 * Brings the database to the newest migration. All of it happens in one transaction that locks a row of its own, the lease,
 * so that it works through a pooler that gives every transaction another connection, and a migrator that dies leaves nothing
 * behind: neither a lock nor half a migration. Whoever finds the row locked waits, says so, and then has nothing to do.
 *
 * The schema `drizzle` has the list of applied migrations (`__drizzle_migrations`, as drizzle's own migrator keeps it) and the
 * lease (`gatehouse_schema`). The lease's `oldest_code` is the migration (its `created_at`) that a program must know at least
 * to work with the database. A migration that takes away what older programs need raises it:
 * `UPDATE drizzle.gatehouse_schema SET oldest_code = …`, with its own `when` of the journal. Otherwise old programs go on.
 */
import postgres from 'postgres'
import { errorMessage } from '../error-message.ts'
import type { Log } from '../log.ts'
import { systemClock } from '../clock.ts'
import { untilAborted } from '../deadline.ts'
import type { DatabaseAddress, ServerPlace } from './connection-address.ts'
import { driverOptions, type Sql, type TransactionSql } from './connections.ts'
import { type Migration, readMigrations } from './migration-files.ts'

/** Key of the lock under which the lease itself is made: "gate" in ASCII. Programs before the lease hold it to migrate. */
const bootstrapLock = 0x67617465

/** The time that one statement of a migration may take. */
const longestStatementMs = 10 * 60_000
/** A migration that cannot get a table's lock fails, rather than hold up everybody who queues behind it. */
const tableLockTimeoutMs = 5000
/** The server notices within this that we were killed: it would finish the statement. */
const connectionCheckMs = 1000
/** A migrator that was frozen loses its transaction, and with it the lease. */
const idleTimeoutMs = 30_000
const askAgainMs = 250
const sayAgainMs = 10_000

export interface MigrationOptions {
  /** Where to connect to; a pooler will do. */
  readonly address: DatabaseAddress
  readonly place: ServerPlace
  /** The folder that drizzle-kit wrote. */
  readonly folder: string
  readonly log: Log
  /** Ends the wait for another process that migrates. */
  readonly signal?: AbortSignal | undefined
}

/** The database cannot be used by this program as it is. The message is one sentence for the operator. */
export class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem'
}

/**
 * Applies what is missing, and returns the names of what was applied. Any number of processes may call it at once.
 * @throws SchemaProblem when the database is too new; Error when the server is away or a migration fails; nothing of that
 *   run is kept then.
 */
export async function migrate({ address, place, folder, log, signal }: MigrationOptions): Promise<string[]> {
  const migrations = readMigrations(folder)
  return await withConnection(address, place, async (connection) => {
    // A role that may change rows only comes to its end here, as long as there is nothing to do.
    if (missingIn(migrations, await readState(connection)).length === 0) return []
    await makeLease(connection)
    const startedAt = systemClock.monotonic()
    for (let saidAt = -Infinity; ;) {
      signal?.throwIfAborted()
      const applied = await migrateUnlessLeased(connection, migrations)
      if (applied !== null) return applied
      const waitedMs = Math.round(systemClock.monotonic() - startedAt)
      if (waitedMs - saidAt >= sayAgainMs) {
        log.info('another process migrates the database; waiting for it', { waitedMs })
        saidAt = waitedMs
      }
      await untilAborted(Bun.sleep(askAgainMs), signal ?? never)
    }
  })
}

const never = new AbortController().signal

/** For a program that is not to change tables. Throws SchemaProblem unless everything is there. */
export async function checkMigrated({ address, place, folder }: MigrationOptions): Promise<void> {
  const migrations = readMigrations(folder)
  const state = await withConnection(address, place, readState)
  const missing = missingIn(migrations, state)
  if (missing.length === 0) return
  throw new SchemaProblem(
    `the database lacks ${missing.length} migrations, from ${missing[0]?.tag} on: run "gatehouse migrate", ` +
      'or set GATEHOUSE_MIGRATE=on',
  )
}

interface SchemaState {
  /** When the newest applied migration was made; null: none was applied. */
  readonly newest: number | null
  /** The migration that programs must know at least. */
  readonly oldestCode: number
}

/** Throws SchemaProblem when programs like this one cannot work with the database. */
function missingIn(migrations: readonly Migration[], { newest, oldestCode }: SchemaState): Migration[] {
  const last = migrations.at(-1)
  if (last !== undefined && oldestCode > last.madeAt) {
    throw new SchemaProblem(
      `the database belongs to a newer Gatehouse: its tables need one of ${new Date(oldestCode).toISOString()} or later, ` +
        `and the newest that this one knows are of ${new Date(last.madeAt).toISOString()} (${last.tag}); start a newer one`,
    )
  }
  return migrations.filter(({ madeAt }) => newest === null || madeAt > newest)
}

async function readState(sql: Sql): Promise<SchemaState> {
  const [tables] = await sql<{ has_list: boolean; has_lease: boolean }[]>`
    SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS has_list,
      to_regclass('drizzle.gatehouse_schema') IS NOT NULL AS has_lease`
  const [newest] = tables?.has_list
    ? await sql<
        { at: number | null }[]
      >`SELECT max(created_at)::float8 AS at FROM drizzle.__drizzle_migrations`
    : []
  const [lease] = tables?.has_lease
    ? await sql<{ at: number }[]>`SELECT oldest_code::float8 AS at FROM drizzle.gatehouse_schema`
    : []
  return { newest: newest?.at ?? null, oldestCode: lease?.at ?? 0 }
}

/** Makes the lease and the list; of several who do it at once the first does. */
async function makeLease(connection: postgres.Sql): Promise<void> {
  await connection.begin(async (sql) => {
    await setLimits(sql)
    await sql`SELECT pg_advisory_xact_lock(${bootstrapLock})`
    // Not `IF NOT EXISTS` alone, which asks for the right to create first.
    const [found] = await sql`SELECT 1 WHERE to_regclass('drizzle.gatehouse_schema') IS NOT NULL`
    if (found !== undefined) return
    await sql`CREATE SCHEMA IF NOT EXISTS drizzle`
    await sql`
      CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint)`
    await sql`
      CREATE TABLE drizzle.gatehouse_schema (id int PRIMARY KEY CHECK (id = 1), oldest_code bigint NOT NULL)`
    await sql`INSERT INTO drizzle.gatehouse_schema VALUES (1, 0)`
  })
}

/** Returns null, having done nothing, while another transaction has the lease. */
async function migrateUnlessLeased(
  connection: postgres.Sql,
  migrations: readonly Migration[],
): Promise<string[] | null> {
  const applied = await connection.begin(async (sql) => {
    await setLimits(sql)
    const [lease] = await sql`SELECT id FROM drizzle.gatehouse_schema FOR UPDATE SKIP LOCKED`
    if (lease === undefined) return null
    const missing = missingIn(migrations, await readState(sql))
    for (const migration of missing) await apply(sql, migration)
    return missing.map(({ tag }) => tag)
  })
  return applied
}

async function apply(sql: TransactionSql, { tag, madeAt, hash, statements }: Migration): Promise<void> {
  try {
    for (const statement of statements) await sql.unsafe(statement)
    await sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES (${hash}, ${madeAt})`
  } catch (error) {
    const reason = errorMessage(error)
    throw new Error(`the migration ${tag} failed: ${reason}`, { cause: error })
  }
}

/** For this transaction alone: the connection may be that of a pooler. */
async function setLimits(sql: TransactionSql): Promise<void> {
  await sql`
    SELECT set_config('statement_timeout', ${String(longestStatementMs)}, true),
      set_config('lock_timeout', ${String(tableLockTimeoutMs)}, true),
      set_config('client_connection_check_interval', ${String(connectionCheckMs)}, true),
      set_config('idle_in_transaction_session_timeout', ${String(idleTimeoutMs)}, true)`
}

async function withConnection<T>(
  address: DatabaseAddress,
  place: ServerPlace,
  work: (connection: postgres.Sql) => Promise<T>,
): Promise<T> {
  const connection = postgres({
    ...driverOptions(address, place),
    max: 1,
    // Never a second connection, which would find the transaction of the first half done.
    onclose: () => void connection.end({ timeout: 0 }),
  })
  try {
    return await work(connection)
  } finally {
    await connection.end({ timeout: 5 })
  }
}
