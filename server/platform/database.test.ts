import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  silentLog as log,
  startTestServer,
  temporaryDataDir,
  type TestDatabase,
  testDatabase,
  type TestServer,
} from '../../scripts/world/database.ts'
import { type Database, openDatabase } from './database.ts'

const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url))
let server: TestServer
let first: TestDatabase
let second: TestDatabase

beforeAll(async () => {
  server = await startTestServer()
  first = await testDatabase()
  second = await testDatabase()
})

afterAll(async () => {
  await first.drop()
  await second.drop()
  await server.stop()
})

test('an embedded database is made, migrated, and there again after a restart', async () => {
  const dataDir = temporaryDataDir()
  const open = (): Promise<Database> => openDatabase({ url: null, dataDir, log, migrationsFolder })
  try {
    const database = await open()
    await database.run((sql) => sql`create table kept as select 1 as one`)
    await database.close()
    const again = await open()
    const rows = await again.run((sql) => sql`select one from kept`).finally(() => again.close())
    expect([...rows]).toEqual([{ one: 1 }])
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

test('with a URL the data folder is not touched', async () => {
  const dataDir = temporaryDataDir()
  const database = await openDatabase({ url: first.url, dataDir, log, migrationsFolder })
  await database.close()
  expect(readdirSync(dataDir)).toEqual([])
  rmSync(dataDir, { recursive: true })
})

test('a server that refuses is named without its password, at once', async () => {
  const secret = 'a-secret-password'
  const url = server.url.replace(/:[^:@/]+@/, `:${secret}@`)
  const failure = await openDatabase({ url, dataDir: '', log, migrationsFolder }).catch(
    (error: unknown) => error,
  )
  const text = Bun.inspect(failure)
  expect(text).toContain('cannot use the database at')
  expect(text).toContain('; DATABASE_URL says where it is')
  expect(text).not.toContain(secret)
})

test('each test database is its own, and migrated', async () => {
  await first.database.run((sql) => sql`create table mine (id int)`)
  const seenBySecond = await second.database.run((sql) => sql`select to_regclass('mine') as found`)
  expect(seenBySecond[0]?.['found']).toBeNull()
  const migrations = await second.database.run((sql) => sql`select 1 from drizzle.__drizzle_migrations`)
  expect(migrations.length).toBeGreaterThan(0)
})

test('a transaction is kept when it returns and undone when it throws', async () => {
  const { database } = first
  await database.run((sql) => sql`create table numbers (number int)`)
  const kept = await database.transaction(async (sql) => {
    await sql`insert into numbers values (1)`
    return ['any', 'value']
  })
  expect(kept).toEqual(['any', 'value'])
  const mistake = new Error('a mistake')
  const undone = database.transaction(async (sql) => {
    await sql`insert into numbers values (2)`
    throw mistake
  })
  expect(await undone.catch((error: unknown) => error)).toBe(mistake)
  expect([...(await database.sql`select number from numbers`)]).toEqual([{ number: 1 }])
})

test('a notification reaches the other process', async () => {
  const heard = Promise.withResolvers<string>()
  const other = await openDatabase({ url: first.url, dataDir: '', log, migrationsFolder })
  await other.listen('news', heard.resolve)
  await first.database.run((sql) => sql`select pg_notify('news', 'changed')`)
  expect(await heard.promise).toBe('changed')
  await other.close()
})
