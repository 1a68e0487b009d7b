// Mostly waits: for a database that is away.
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type Database, openDatabase } from '../../server/platform/database.ts'
import { Fault } from '../../server/platform/fault.ts'
import { type EmbeddedServer, startEmbedded } from '../../server/platform/postgres/embedded.ts'
import { silentLog as log, temporaryDataDir } from '../../scripts/world/database.ts'

const dataDir = temporaryDataDir()
const migrationsFolder = new URL('../../server/migrations', import.meta.url).pathname
let server: EmbeddedServer
let database: Database

beforeAll(async () => {
  server = await startEmbedded({ dataDir, log, isDurable: false })
  database = await openDatabase({ url: server.url, dataDir, log, migrationsFolder })
  await database.run((sql) => sql`create table numbers (number int unique)`)
})

afterEach(async () => {
  await waitUntil('the database answers again', () => database.isReachable(), 20_000)
  await database.run((sql) => sql`truncate numbers`)
})

afterAll(async () => {
  await database.close()
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

interface Outcome {
  error: unknown
  ms: number
}

async function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
  const startedAt = performance.now()
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  return { error, ms: performance.now() - startedAt }
}

function expectUnavailable({ error, ms }: Outcome, deadlineMs: number): void {
  expect(error).toBeInstanceOf(Fault)
  expect(error).toMatchObject({ code: 'unavailable', retryAfterSec: expect.any(Number) })
  expect(ms).toBeLessThan(deadlineMs + 300)
}

test('ten seconds without a server: refused within the deadline, then as before', async () => {
  const heard: string[] = []
  let resumes = 0
  await database.listen('outage', (payload) => heard.push(payload))
  database.onResume(() => (resumes += 1))
  await server.stop()
  const startedAt = performance.now()
  const outcomes: Outcome[] = []
  while (performance.now() - startedAt < 10_000) {
    outcomes.push(await outcomeOf(database.run((sql) => sql`select 1`, 500)))
    outcomes.push(await outcomeOf(database.transaction((sql) => sql`select 1`, 500)))
    expect((await outcomeOf(database.isReachable())).ms).toBeLessThan(1000)
    await Bun.sleep(100)
  }
  for (const outcome of outcomes) expectUnavailable(outcome, 500)
  // An outage that has lasted is told at once, not at the deadline.
  expect(outcomes.at(-1)?.ms).toBeLessThan(100)

  server = await startEmbedded({ dataDir, log, isDurable: false })
  await waitUntil('the pool has resumed', () => resumes === 1)
  expect(await database.run((sql) => sql`select 1`)).toHaveLength(1)
  await database.run((sql) => sql`select pg_notify('outage', 'over')`)
  await waitUntil('the notification is heard', () => heard.includes('over'))
}, 40_000)

test('what was refused during an outage is not done after it', async () => {
  await server.stop()
  const refused = await outcomeOf(database.run((sql) => sql`insert into numbers values (1)`, 50))
  expectUnavailable(refused, 50)
  server = await startEmbedded({ dataDir, log, isDurable: false })
  await waitUntil('the database answers again', () => database.isReachable())
  expect(await database.run((sql) => sql`select * from numbers`)).toHaveLength(0)
})

test('a channel asked for during an outage is heard after it', async () => {
  await server.stop()
  await waitUntil('the loss is noticed', async () => !(await database.isReachable()))
  const heard: string[] = []
  const listening = database.listen('asked-in-outage', (payload) => heard.push(payload))
  server = await startEmbedded({ dataDir, log, isDurable: false })
  await listening
  await database.run((sql) => sql`select pg_notify('asked-in-outage', 'heard')`)
  await waitUntil('the notification is heard', () => heard.includes('heard'))
})

test.skipIf(process.platform !== 'linux')(
  'a server that is frozen: refused at the deadline, then as before',
  async () => {
    expect(await database.run((sql) => sql`select 1`)).toHaveLength(1)
    const frozen = serverProcesses()
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
    try {
      const calls = Array.from({ length: 15 }, () => outcomeOf(database.run((sql) => sql`select 1`, 700)))
      for (const outcome of await Promise.all(calls)) expectUnavailable(outcome, 700)
      expect((await outcomeOf(database.isReachable())).ms).toBeLessThan(1000)
    } finally {
      for (const pid of frozen) process.kill(pid, 'SIGCONT')
    }
    await waitUntil('the database answers again', () => database.isReachable(), 20_000)
    expect(await database.run((sql) => sql`select 1`)).toHaveLength(1)
  },
  40_000,
)

test('a statement that is late is refused at its deadline; others are not disturbed', async () => {
  const late = outcomeOf(database.run((sql) => sql`select pg_sleep(2)`, 200))
  const other = await outcomeOf(database.run((sql) => sql`select 1`))
  expectUnavailable(await late, 200)
  expect(other.error).toBeNull()
})

test('a transaction that is late is rolled back', async () => {
  const late = database.transaction(async (sql) => {
    await sql`insert into numbers values (1)`
    await sql`select pg_sleep(0.4)`
  }, 200)
  expectUnavailable(await outcomeOf(late), 200)
  const lateOutside = Promise.withResolvers<void>()
  const abandoned = database.transaction(async (sql) => {
    await sql`insert into numbers values (2)`
    await lateOutside.promise
  }, 100)
  expectUnavailable(await outcomeOf(abandoned), 100)
  lateOutside.resolve()
  await waitUntil('no transaction is open', async () => {
    const open = await database.run(
      (sql) => sql`select 1 from pg_stat_activity where xact_start is not null and pid <> pg_backend_pid()
        and backend_type = 'client backend'`,
    )
    return open.length === 0
  })
  expect(await database.run((sql) => sql`select * from numbers`)).toHaveLength(0)
})

test('what the server says about the statement passes unchanged', async () => {
  await database.run((sql) => sql`insert into numbers values (7)`)
  const plain = database.run((sql) => sql`insert into numbers values (7)`)
  const inTransaction = database.transaction((sql) => sql`insert into numbers values (7)`)
  // Both are listened to from the beginning: either may be the first to be refused.
  for (const { error } of await Promise.all([plain, inTransaction].map(outcomeOf))) {
    expect(error).toMatchObject({
      code: '23505',
      constraint_name: 'numbers_number_key',
    })
  }
  expect((await outcomeOf(database.run((sql) => sql`select nonsense`))).error).toMatchObject({
    code: '42703',
  })
  const mistake = new TypeError('a mistake of the caller')
  expect((await outcomeOf(database.run(() => Promise.reject(mistake)))).error).toBe(mistake)
  expect((await outcomeOf(database.transaction(() => Promise.reject(mistake)))).error).toBe(mistake)
})

test('a subscriber that throws does not keep others from being told', async () => {
  const heard: string[] = []
  await database.listen('shared', () => {
    throw new Error('a mistake of this subscriber')
  })
  await database.listen('shared', (payload) => heard.push(payload))
  await database.run((sql) => sql`select pg_notify('shared', 'to all')`)
  await waitUntil('the notification is heard', () => heard.includes('to all'))
})

test('after close it refuses at once', async () => {
  const closed = await openDatabase({ url: server.url, dataDir, log, migrationsFolder })
  await closed.run((sql) => sql`select 1`)
  await closed.close()
  expectUnavailable(await outcomeOf(closed.run((sql) => sql`select 1`)), 0)
  expect(await closed.isReachable()).toBe(false)
})

/** The postmaster and all its children. */
function serverProcesses(): number[] {
  const postmaster = Number.parseInt(
    readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'),
    10,
  )
  const children = readdirSync(`/proc/${postmaster}/task`).flatMap((thread) =>
    readFileSync(`/proc/${postmaster}/task/${thread}/children`, 'utf8').trim().split(' ').map(Number),
  )
  return [postmaster, ...children]
}
