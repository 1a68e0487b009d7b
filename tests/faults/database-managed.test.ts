import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'

import { silentLog, startTestServer, type TestServer } from '../../scripts/world/database.ts'
import {
  createTestInstallation,
  isReady,
  type TestInstallation,
} from '../../scripts/world/gatehouse-process.ts'
import { commandOf } from '../../scripts/world/product-programs.ts'
import { type Program, startProgram } from '../../scripts/world/program.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { openDatabase } from '../../server/platform/database.ts'
import { parseAddress } from '../../server/platform/postgres/connection-address.ts'
import { driverOptions } from '../../server/platform/postgres/connections.ts'
import { healthClient } from '../support/health-client.ts'

/** The database as those have it who are not its owner: tables are changed by somebody else, and at another time. */

const migrationsFolder = fileURLToPath(new URL('../../server/migrations', import.meta.url))
const website = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('fine') })
const folders: string[] = []

let server: TestServer
let admin: postgres.Sql
let installation: TestInstallation

beforeAll(async () => {
  server = await startTestServer()
  admin = connect(server.url)
  const endpoint = website.url.href
  const policy = { intervalMs: 500, freshMs: 10_000 }
  installation = await createTestInstallation({
    services: [{ id: 'site', name: 'Site', family: 'http', provider: 'acme', endpoint, policy }],
  })
}, 60_000)
afterAll(async () => {
  await installation?.remove()
  await admin?.end()
  await server?.stop()
  await website.stop(true)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}, 60_000)

const connect = (url: string): postgres.Sql => postgres({ ...driverOptions(parseAddress(url)), max: 1 })

async function emptyDatabase(name: string): Promise<string> {
  await admin.unsafe(`create database ${name}`)
  return server.url.replace(/\/[^/]*$/, `/${name}`)
}

const open = (url: string, folder = migrationsFolder, canMigrate = true) =>
  openDatabase({ url, dataDir: '', log: silentLog, migrationsFolder: folder, canMigrate })

/** Runs `gatehouse migrate` to its end. */
async function migrateCommand(url: string): Promise<{ code: number | null; said: string }> {
  const program = startProgram([...commandOf('server/command-line/main.ts'), 'migrate'], {
    DATABASE_URL: url,
  })
  return { code: await program.exited, said: program.output() }
}

/** The migrations of a later release: one more, which old programs do not survive if it says so. */
function laterMigrations(statement: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-migrations-'))
  folders.push(folder)
  cpSync(migrationsFolder, folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8'))
  journal.entries.push({
    idx: 99,
    version: '7',
    when: Date.UTC(2050, 0),
    tag: '0099_later',
    breakpoints: true,
  })
  writeFileSync(path, JSON.stringify(journal))
  writeFileSync(join(folder, '0099_later.sql'), statement)
  return folder
}

/** What `deploy/README.md` says of a role that may change rows only. */
function grantsOf(role: string): string {
  const page = readFileSync(join(import.meta.dir, '../../deploy/README.md'), 'utf8')
  const grants = /```sql\n(?<grants>GRANT USAGE[^`]*)```/.exec(page)?.groups?.['grants']
  if (grants === undefined) throw new Error('deploy/README.md has no grants')
  return grants.replaceAll('gatehouse_app', role)
}

describe('a role that may change rows only', () => {
  test('serves, with the tables that "gatehouse migrate" made as their owner', async () => {
    const url = await emptyDatabase('rows_only')
    expect(await migrateCommand(url)).toMatchObject({ code: 0, said: expect.stringContaining('Applied') })
    expect(await migrateCommand(url)).toEqual({ code: 0, said: 'The database is up to date.\n' })
    const owner = connect(url)
    await owner.unsafe(`CREATE ROLE app LOGIN PASSWORD 'app'; ${grantsOf('app')}`)
    const roleUrl = url.replace(/\/\/[^@]*@/, '//app:app@')
    const gatehouse = await installation.start({ DATABASE_URL: roleUrl, GATEHOUSE_MIGRATE: 'off' })
    const health = healthClient(gatehouse.url)
    await health.until({ site: 'UP' })
    await waitUntil(
      'its history is stored',
      async () => (await health.history('site')).transitions.length > 0,
    )
    expect(await gatehouse.stop()).toBe(0)
    expect(gatehouse.output()).not.toContain('permission denied')
    expect(gatehouse.output()).not.toContain('"level":"error"')
    const made = await owner`
      SELECT 1 FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid
      JOIN pg_class AS parent ON parent.oid = inhparent AND parent.relname = 'health_rollup_5m'`
    expect(made.length).toBeGreaterThan(0)
    const other = connect(roleUrl)
    await expect(
      other`SELECT gatehouse_make_partition('accounts'::regclass, 'accounts_20260101', '', '')`,
    ).rejects.toThrow('is no partition')
    await expect(other`CREATE TABLE other (id int)`).rejects.toThrow('permission denied')
    await Promise.all([other.end(), owner.end()])
  }, 90_000)
})

describe('tables of another version', () => {
  test('that are too old for a server that must not change them are refused with what to do', async () => {
    const url = await emptyDatabase('too_old')
    const refused = open(url, migrationsFolder, false)
    await expect(refused).rejects.toThrow(
      /^the database lacks \d+ migrations, from 0000_\w+ on: run "gatehouse migrate"/,
    )
    const program = installation.launch({ DATABASE_URL: url, GATEHOUSE_MIGRATE: 'off' })
    expect(await program.exited).toBe(1)
    expect(program.output()).toMatch(/gatehouse: the database lacks \d+ migrations[^\n]*\n$/)
  }, 60_000)

  test('that are newer are served, unless a migration said that older programs cannot', async () => {
    const url = await emptyDatabase('newer')
    await (await open(url, laterMigrations('CREATE TABLE later (id int)'))).close()
    await (await open(url)).close()
    await (await open(url, migrationsFolder, false)).close()

    const tooNew = await emptyDatabase('too_new')
    const breaking = laterMigrations(`UPDATE drizzle.gatehouse_schema SET oldest_code = ${Date.UTC(2050, 0)}`)
    await (await open(tooNew, breaking)).close()
    await (await open(tooNew, breaking)).close()
    const program = installation.launch({ DATABASE_URL: tooNew })
    expect(await program.exited).toBe(1)
    expect(program.output()).toMatch(/gatehouse: the database belongs to a newer Gatehouse: [^\n]*\n$/)
  }, 60_000)
})

test('a process that waits for another one to migrate says so, and ends when it is told to', async () => {
  const url = await emptyDatabase('waiting')
  await migrateCommand(url)
  const holder = connect(url)
  const letGo = Promise.withResolvers<void>()
  const holds = Promise.withResolvers<void>()
  const holding = holder.begin(async (sql) => {
    await sql`SELECT 1 FROM drizzle.gatehouse_schema FOR UPDATE`
    holds.resolve()
    await letGo.promise
  })
  await holds.promise
  const other = connect(url)
  await other`DELETE FROM drizzle.__drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM drizzle.__drizzle_migrations)`
  const program: Program = installation.launch({ DATABASE_URL: url })
  await waitUntil(
    'it says so',
    () => program.output().includes('another process migrates the database'),
    30_000,
  )
  program.signal('SIGTERM')
  expect(await program.exited).toBe(0)
  letGo.resolve()
  await holding
  await Promise.all([holder.end(), other.end()])
}, 60_000)

test.each(['endpoints', 'virtual_servers'])(
  'a statement about %s that is late in the middle of a start ends no process: the start begins anew',
  async (table) => {
    const url = await emptyDatabase(`late_${table}`)
    await migrateCommand(url)
    const holder = connect(url)
    const letGo = Promise.withResolvers<void>()
    const holds = Promise.withResolvers<void>()
    const holding = holder.begin(async (sql) => {
      await sql`LOCK TABLE ${sql(table)} IN ACCESS EXCLUSIVE MODE`
      holds.resolve()
      await letGo.promise
    })
    await holds.promise
    const program = installation.launch({ DATABASE_URL: url })
    await waitUntil('it begins anew', () => program.output().includes('which begins anew'), 40_000)
    letGo.resolve()
    await holding
    await waitUntil('it is ready', () => isReady(installation.url), 40_000)
    program.signal('SIGTERM')
    expect(await program.exited).toBe(0)
    await holder.end()
  },
  100_000,
)

test('a database that can only be read is away until it can be written to, and nothing is lost', async () => {
  const url = await emptyDatabase('read_only')
  const database = await open(url)
  await database.run((sql) => sql`CREATE TABLE facts (id int)`)
  await admin.unsafe('ALTER DATABASE read_only SET default_transaction_read_only = on')
  await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'read_only'`
  const write = () => database.run((sql) => sql`INSERT INTO facts VALUES (1)`)
  await waitUntil('it is missed', async () => !(await database.isReachable()))
  await expect(write()).rejects.toMatchObject({ code: 'unavailable' })
  await admin.unsafe('ALTER DATABASE read_only RESET default_transaction_read_only')
  await waitUntil('it is back', () => database.isReachable())
  await write()
  await database.close()
}, 60_000)

test('a role that is granted fewer connections than GATEHOUSE_DATABASE_POOL is served by those it has', async () => {
  const url = await emptyDatabase('few_connections')
  await admin.unsafe("CREATE ROLE few LOGIN PASSWORD 'few' CONNECTION LIMIT 4")
  await admin.unsafe('ALTER DATABASE few_connections OWNER TO few')
  const warnings: string[] = []
  const database = await openDatabase({
    url: url.replace(/\/\/[^@]*@/, '//few:few@'),
    dataDir: '',
    log: { ...silentLog, warn: (message) => void warnings.push(message) },
    migrationsFolder,
  })
  const statements = () =>
    Promise.all(Array.from({ length: 20 }, () => database.run((sql) => sql`SELECT pg_sleep(0.02)`)))
  const areServed = () =>
    statements().then(
      () => true,
      () => false,
    )
  expect(await areServed()).toBe(false)
  const isCalm = async (): Promise<boolean> => {
    const before = warnings.length
    return (await areServed()) && (await areServed()) && warnings.length === before
  }
  await waitUntil('those that are granted serve all', isCalm, 40_000)
  await waitUntil('no connection is kept that nobody uses', async () => {
    const [row] = await admin`SELECT count(*)::int AS open FROM pg_stat_activity WHERE usename = 'few'`
    return row?.['open'] === 3
  })
  expect(warnings.join('\n')).toContain('2 serve until the next start; lower GATEHOUSE_DATABASE_POOL')
  await database.close()
}, 60_000)
