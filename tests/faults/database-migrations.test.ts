import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { type TestServer, silentLog, startTestServer } from '../../scripts/world/database.ts'
import { startScript } from '../../scripts/world/database-process.ts'
import { migrateDatabase } from '../../server/platform/database.ts'
import { parseAddress } from '../../server/platform/postgres/connection-address.ts'
import { driverOptions } from '../../server/platform/postgres/connections.ts'
import { covers } from '../support/covers.ts'

let server: TestServer
let admin: postgres.Sql
const folders: string[] = []

beforeAll(async () => {
  server = await startTestServer()
  admin = connect(server.url)
})

afterAll(async () => {
  await admin.end()
  await server.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const connect = (url: string): postgres.Sql => postgres({ ...driverOptions(parseAddress(url)), max: 1 })

const migrate = (url: string, folder: string): Promise<string[]> =>
  migrateDatabase({ url, log: silentLog, migrationsFolder: folder })

/** Writes a folder as drizzle-kit does: one file for each migration and a journal of them. */
function migrationsFolder(migrations: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-migrations-'))
  folders.push(folder)
  mkdirSync(join(folder, 'meta'))
  const entries = migrations.map((sql, idx) => {
    const tag = `${String(idx).padStart(4, '0')}_step`
    writeFileSync(join(folder, `${tag}.sql`), sql)
    return { idx, version: '7', when: 1_700_000_000_000 + idx, tag, breakpoints: true }
  })
  writeFileSync(
    join(folder, 'meta/_journal.json'),
    JSON.stringify({ version: '7', dialect: 'postgresql', entries }),
  )
  return folder
}

async function emptyDatabase(name: string): Promise<string> {
  await admin.unsafe(`create database ${name}`)
  return server.url.replace(/\/[^/]*$/, `/${name}`)
}

async function ask(url: string, statement: string): Promise<unknown[]> {
  const sql = connect(url)
  return sql.unsafe(statement).finally(() => sql.end())
}

const createFirst = 'create table first (id int);--> statement-breakpoint\ninsert into first values (1);'
const createSecond = 'create table second (id int);'

test('five processes at once on an empty database, twenty times', async () => {
  covers('threat-64')
  const folder = migrationsFolder([createFirst, createSecond])
  for (let round = 0; round < 20; round++) {
    const url = await emptyDatabase(`race_${round}`)
    const processes = Array.from({ length: 5 }, () =>
      startScript(`
        import { migrateDatabase } from './server/platform/database.ts'
        import { silentLog as log } from './scripts/world/database.ts'
        await migrateDatabase({ url: ${JSON.stringify(url)}, log, migrationsFolder: ${JSON.stringify(folder)} })
        console.log('migrated')`),
    )
    const outcomes = await Promise.all(
      processes.map((one) => one.nextLine().catch((error: unknown) => String(error))),
    )
    await Promise.all(processes.map((one) => one.kill()))
    expect(outcomes).toEqual(Array.from({ length: 5 }, () => 'migrated'))
    expect(await ask(url, 'select id from first')).toHaveLength(1)
    expect(await ask(url, 'select id from drizzle.__drizzle_migrations')).toHaveLength(2)
  }
}, 120_000)

test('only what is new is applied', async () => {
  const url = await emptyDatabase('stepwise')
  await migrate(url, migrationsFolder([createFirst]))
  await migrate(url, migrationsFolder([createFirst, createSecond]))
  expect(await ask(url, 'select id from first')).toHaveLength(1)
  expect(await ask(url, 'select id from second')).toHaveLength(0)
})

test('a migration that fails leaves nothing, and does not keep the lock', async () => {
  const url = await emptyDatabase('failing')
  const failing = migrate(url, migrationsFolder([createFirst, 'create table nonsense (id no_such_type);']))
  expect(
    await failing.then(
      () => 'migrated',
      () => 'failed',
    ),
  ).toBe('failed')
  await migrate(url, migrationsFolder([createFirst]))
  expect(await ask(url, 'select id from first')).toHaveLength(1)
})

test('a migrator that is killed does not keep the lock', async () => {
  const url = await emptyDatabase('killed')
  const folder = migrationsFolder([`${createFirst}--> statement-breakpoint\nselect pg_sleep(60);`])
  const victim = startScript(`
    import { migrateDatabase } from './server/platform/database.ts'
        import { silentLog as log } from './scripts/world/database.ts'
    console.log('begins')
    await migrateDatabase({ url: ${JSON.stringify(url)}, log, migrationsFolder: ${JSON.stringify(folder)} })`)
  await victim.nextLine()
  const isSleeping = "select 1 from pg_stat_activity where datname = 'killed' and wait_event = 'PgSleep'"
  while ((await admin.unsafe(isSleeping)).length === 0) await Bun.sleep(10)
  await victim.kill()
  await migrate(url, migrationsFolder([createFirst]))
  expect(await ask(url, 'select id from first')).toHaveLength(1)
})

test('a table that somebody holds is not waited for without end', async () => {
  const url = await emptyDatabase('held')
  await migrate(url, migrationsFolder([createFirst]))
  const holder = connect(url)
  const letGo = Promise.withResolvers<void>()
  const holds = Promise.withResolvers<void>()
  const holding = holder.begin(async (sql) => {
    await sql`lock table first`
    holds.resolve()
    await letGo.promise
  })
  await holds.promise
  const blocked = migrate(url, migrationsFolder([createFirst, 'alter table first add column more int;']))
  const failure = await blocked.catch((error: unknown) => error)
  expect(failure).toMatchObject({ cause: { code: '55P03' } })
  letGo.resolve()
  await holding
  await holder.end()
}, 15_000)
