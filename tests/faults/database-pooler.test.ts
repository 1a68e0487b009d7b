import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'

import { silentLog, startTestServer, type TestServer } from '../../scripts/world/database.ts'
import {
  createTestInstallation,
  type GatehouseProcess,
  type TestInstallation,
} from '../../scripts/world/gatehouse-process.ts'
import { type Pooler, startPooler } from '../../scripts/world/pooler.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type DatabaseOptions, openDatabase } from '../../server/platform/database.ts'
import { parseAddress } from '../../server/platform/postgres/connection-address.ts'
import { driverOptions } from '../../server/platform/postgres/connections.ts'
import { needs } from '../support/needs.ts'

const migrationsFolder = fileURLToPath(new URL('../../server/migrations', import.meta.url))

let server: TestServer
let admin: postgres.Sql
const poolers: Pooler[] = []
const installations: TestInstallation[] = []

/** A pooler with three connections to the server. */
async function pooler(...ignoring: string[]): Promise<Pooler> {
  const started = await startPooler(server.url, { ignoring })
  poolers.push(started)
  return started
}

async function emptyDatabase(name: string): Promise<string> {
  await admin.unsafe(`create database ${name}`)
  return server.url.replace(/\/[^/]*$/, `/${name}`)
}

async function opened(options: Pick<DatabaseOptions, 'url' | 'directUrl'>) {
  const notes: string[] = []
  const note = (message: string): void => void notes.push(message)
  const log = { ...silentLog, info: note, warn: note }
  return { database: await openDatabase({ dataDir: '', log, migrationsFolder, ...options }), notes }
}

describe.skipIf(!needs('pgbouncer'))('a pooler in transaction mode', () => {
  beforeAll(async () => {
    server = await startTestServer()
    admin = postgres({ ...driverOptions(parseAddress(server.url)), max: 1 })
  }, 60_000)
  afterAll(async () => {
    for (const installation of installations) await installation.remove()
    await admin?.end()
    for (const one of poolers) await one.stop()
    await server?.stop()
  }, 60_000)

  test.each([
    ['refuses settings of a connection', []],
    ['forgets them', ['statement_timeout', 'idle_in_transaction_session_timeout']],
  ])(
    'that %s is recognised, and many statements at once get along with its few connections',
    async (what, ignoring) => {
      const name = `pooled_${randomBytes(4).toString('hex')}`
      const url = await emptyDatabase(name)
      const { database, notes } = await opened({ url: (await pooler(...ignoring)).urlOf(name) })
      try {
        expect([what, database.notifications()]).toEqual([what, 'none'])
        expect(notes.join()).toContain('a pooler stands before the database')
        const sums = Array.from({ length: 200 }, (_, n) =>
          n % 3 === 0
            ? database.transaction((sql) => sql`SELECT ${n}::int + count(*)::int AS sum FROM accounts`)
            : database.run((sql) => sql`SELECT ${n}::int + ${0}::int AS sum`),
        )
        const rows = (await Promise.all(sums)).map(([row]) => row?.['sum'])
        expect(rows).toEqual(Array.from({ length: 200 }, (_, n) => n))
      } finally {
        await database.close()
      }
      const { database: direct } = await opened({ url })
      expect(direct.notifications()).toBe('heard')
      await direct.close()
    },
    60_000,
  )

  test('statements with and without values, more at once than there are connections, get their own answers', async () => {
    await emptyDatabase('mixed')
    const { database } = await opened({ url: (await pooler()).urlOf('mixed') })
    const kinds = [
      () => database.run((sql) => sql`SELECT count(*)::int AS answer FROM accounts`),
      (n: number) => database.run((sql) => sql`SELECT ${n}::int AS answer`),
      (n: number) => database.run((sql) => sql`SELECT ${`text ${n}`}::text AS answer`),
      (n: number) =>
        database.transaction((sql) => sql`SELECT ${n}::int + count(*)::int AS answer FROM accounts`),
    ]
    const expected = [() => 0, (n: number) => n, (n: number) => `text ${n}`, (n: number) => n]
    for (let round = 0; round < 3; round++) {
      const asked = Array.from({ length: 200 }, (_, n) => kinds[n % kinds.length]?.(n))
      const answers = (await Promise.all(asked)).map((rows) => rows?.[0]?.['answer'])
      expect(answers).toEqual(answers.map((_, n) => expected[n % expected.length]?.(n)))
    }
    await database.close()
  }, 60_000)

  test('a transaction has its limits, and its connection does not keep them', async () => {
    await emptyDatabase('limited')
    const url = (await pooler()).urlOf('limited')
    const { database } = await opened({ url })
    const asleep = database.transaction((sql) => sql`SELECT pg_sleep(20)`, 400)
    await expect(asleep).rejects.toMatchObject({ code: 'unavailable' })
    await waitUntil('the server ended the statement', async () => {
      const [row] = await admin`SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = 'limited' AND query LIKE '%pg_sleep%' AND state = 'active' AND pid <> pg_backend_pid()`
      return row?.['n'] === 0
    })
    const limits = await Promise.all(
      Array.from({ length: 20 }, () =>
        database.run((sql) => sql`SELECT current_setting('statement_timeout') AS t`),
      ),
    )
    expect(new Set(limits.map(([row]) => row?.['t']))).toEqual(new Set(['0']))
    await database.close()
  }, 60_000)

  test('notifications come by way of the direct address, and it is known when that alone is away', async () => {
    await admin.unsafe(`create role hearer superuser login password 'secret'`)
    const directUrl = (await emptyDatabase('direct')).replace(/\/\/[^@]*@/, '//hearer:secret@')
    const { database } = await opened({ url: (await pooler()).urlOf('direct'), directUrl })
    expect(database.notifications()).toBe('heard')
    const heard: string[] = []
    await database.listen('news', (payload) => void heard.push(payload))
    await database.run((sql) => sql`SELECT pg_notify('news', 'hello')`)
    await waitUntil('it is heard', () => heard.length > 0)
    await admin`ALTER ROLE hearer NOLOGIN`
    await admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'hearer'`
    await waitUntil('its loss is known', () => database.notifications() === 'away')
    expect([await database.isReachable(), database.load().isAway]).toEqual([true, false])
    await admin`ALTER ROLE hearer LOGIN`
    await waitUntil('it is back', () => database.notifications() === 'heard')
    await database.close()
  }, 60_000)

  test('two processes serve an installation through it: what one revokes the other refuses', async () => {
    await emptyDatabase('installation')
    const environment = {
      DATABASE_URL: (await pooler()).urlOf('installation'),
      GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64'),
      GATEHOUSE_OPERATORS: '',
    }
    const servers: GatehouseProcess[] = []
    for (let n = 0; n < 2; n++) {
      const installation = await createTestInstallation()
      installations.push(installation)
      servers.push(await installation.start(environment))
    }
    const [first, second] = servers
    if (first === undefined || second === undefined) throw new Error('there are two')
    const client = await signInAt(first.url)
    const { data } = await client.mutate('apiKeys.create', {
      name: 'a key',
      permissions: ['statistics_read'],
    })
    const created = data as { key: { id: string }; value: string }
    const ask = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${created.value}` }
      return (await fetch(`${second.url}/account/statistics/methods`, { headers })).status
    }
    await waitUntil('the other process knows the key', async () => (await ask()) !== 401)
    const disabled = await client.mutate('apiKeys.setEnabled', { id: created.key.id, isEnabled: false })
    expect(disabled).toMatchObject({ status: 200, data: { propagated: true } })
    expect(await ask()).toBe(401)
    for (const process of servers)
      expect(process.output()).not.toMatch(/26000|42P05|08P01|prepared statement/)
  }, 90_000)
})
