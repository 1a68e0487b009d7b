import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { type Database, migrateDatabase, openDatabase, type Sql } from '../../server/platform/database.ts'
import type { Log } from '../../server/platform/log.ts'
import { parseAddress } from '../../server/platform/postgres/connection-address.ts'
import { driverOptions } from '../../server/platform/postgres/connections.ts'
import { startEmbedded } from '../../server/platform/postgres/embedded.ts'
import { sharedVariables } from './shared-variables.ts'

export interface TestServer {
  /** Address of the server's own database, with the right to create others. */
  url: string
  stop(): Promise<void>
}

export interface TestDatabase {
  url: string
  database: Database
  /** Closes and removes it; a test file calls this in `afterAll`. */
  drop(): Promise<void>
}

export const ownMigrations = fileURLToPath(new URL('../../server/migrations', import.meta.url))

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** What a change calls to write its audit entry, for tests that are not about the audit log. */
export const unrecorded = async (): Promise<void> => undefined

/** Starts an embedded server in a temporary folder, without the care for power loss that makes writes slow. */
export async function startTestServer(): Promise<TestServer> {
  const dataDir = temporaryDataDir()
  const removeFolder = (): void => rmSync(dataDir, { recursive: true, force: true })
  try {
    const server = await startEmbedded({ dataDir, log: silentLog, maxConnections: 200, isDurable: false })
    return { url: server.url, stop: () => server.stop().finally(removeFolder) }
  } catch (error) {
    removeFolder()
    throw error
  }
}

/** A new folder that the embedded server can use when the tests run as root, too. */
export function temporaryDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  chmodSync(dataDir, 0o711)
  return dataDir
}

/**
 * A database of its own for one test file, with all migrations applied (or those of another folder).
 * It lies on the server of the whole test run. When a file is run alone, a server is started
 * for it and stopped with its last database: `bun test` runs no exit hooks.
 */
export async function testDatabase(migrationsFolder = ownMigrations): Promise<TestDatabase> {
  const server = await borrowServer()
  try {
    const name = `test_${randomBytes(6).toString('hex')}`
    const template = await prepareTemplate(server.url, migrationsFolder)
    await onceFree(() =>
      administer(server.url, (sql) => sql.unsafe(`create database ${name} template ${template}`)),
    )
    const url = withDatabaseName(server.url, name)
    const database = await openDatabase({ url, dataDir: '', log: silentLog, migrationsFolder })
    const drop = async (): Promise<void> => {
      await database.close()
      await administer(server.url, (sql) => sql.unsafe(`drop database ${name} with (force)`))
      await server.giveBack()
    }
    return { url, database, drop }
  } catch (error) {
    await server.giveBack()
    throw error
  }
}

let ownServer: Promise<TestServer> | null = null
let borrowers = 0

async function borrowServer(): Promise<{ url: string; giveBack(): Promise<void> }> {
  const sharedUrl = process.env[sharedVariables.database]
  if (sharedUrl !== undefined && sharedUrl !== '') return { url: sharedUrl, giveBack: async () => undefined }
  borrowers += 1
  ownServer ??= startTestServer()
  const server = await ownServer
  const giveBack = async (): Promise<void> => {
    borrowers -= 1
    if (borrowers > 0) return
    ownServer = null
    await server.stop()
  }
  return { url: server.url, giveBack }
}

/** A migrated database, made once for each state of the migrations and copied from then on. */
async function prepareTemplate(serverUrl: string, migrationsFolder: string): Promise<string> {
  const name = `template_${migrationsFingerprint(migrationsFolder)}`
  const unfinishedName = `${name}_${randomBytes(4).toString('hex')}`
  const [existing] = await administer(
    serverUrl,
    (sql) => sql`select 1 from pg_database where datname = ${name}`,
  )
  if (existing !== undefined) return name
  await administer(serverUrl, (sql) => sql.unsafe(`create database ${unfinishedName}`))
  const url = withDatabaseName(serverUrl, unfinishedName)
  await migrateDatabase({ url, log: silentLog, migrationsFolder })
  // Renamed when it is whole; of several test processes that do this at once, the first one wins.
  return administer(serverUrl, async (sql) => {
    const rename = async () => await sql.unsafe(`alter database ${unfinishedName} rename to ${name}`)
    await onceFree(rename).catch(ignoreTakenName)
    return name
  })
}

const freeWithinMs = 10_000

/** A connection to a database lives on in the server for a moment after it was closed (55006, object in use). */
async function onceFree<T>(work: () => Promise<T>): Promise<T> {
  const deadlineAt = performance.now() + freeWithinMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const isInUse = error instanceof postgres.PostgresError && error.code === '55006'
      if (!isInUse || performance.now() > deadlineAt) throw error
      await Bun.sleep(20)
    }
  }
}

function ignoreTakenName(error: unknown): void {
  if (!(error instanceof postgres.PostgresError && error.code === '42P04')) throw error
}

function migrationsFingerprint(migrationsFolder: string): string {
  const hash = new Bun.CryptoHasher('sha256').update(migrationsFolder)
  const files = [...new Bun.Glob('**/*.{sql,json}').scanSync(migrationsFolder)].sort()
  for (const file of files) hash.update(file).update(readFileSync(join(migrationsFolder, file)))
  return hash.digest('hex').slice(0, 16)
}

function withDatabaseName(url: string, name: string): string {
  return url.replace(/\/[^/]*$/, `/${name}`)
}

async function administer<T>(serverUrl: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres({ ...driverOptions(parseAddress(serverUrl)), max: 1, fetch_types: false })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}
