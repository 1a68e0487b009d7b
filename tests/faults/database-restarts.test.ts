// Mostly waits: for the database to come back.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { isFault } from '../../server/platform/fault.ts'
import { type EmbeddedServer, startEmbedded } from '../../server/platform/postgres/embedded.ts'
import { parseAddress } from '../../server/platform/postgres/connection-address.ts'
import { RecyclingPool } from '../../server/platform/postgres/recycling-pool.ts'
import { silentLog, temporaryDataDir } from '../../scripts/world/database.ts'

const dataDir = temporaryDataDir()
let server: EmbeddedServer
const pools: RecyclingPool[] = []

beforeAll(async () => {
  server = await startEmbedded({ dataDir, log: silentLog, isDurable: false })
})

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function openPool(onWarning: (message: string) => unknown = () => undefined): Promise<RecyclingPool> {
  const log = { ...silentLog, warn: (message: string) => void onWarning(message) }
  const address = parseAddress(server.url)
  const pool = new RecyclingPool({ address, place: address.servers[0], maxConnections: 6, log })
  pools.push(pool)
  await waitUntil('the server is up', () => pool.isReachable(900))
  return pool
}

const serverPid = (): number =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10)

interface Load {
  succeeded: number
  unavailable: number
  unexpected: unknown[]
  longestMs: number
  stop(): Promise<void>
}

const deadlineMs = 2000

/** The longest time for which this process was kept from running: no deadline of ours can end anything meanwhile. */
function watchStalls(): { longestMs(): number; stop(): void } {
  const everyMs = 10
  let lastAt = performance.now()
  let longestMs = 0
  const timer = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - lastAt - everyMs)
    lastAt = performance.now()
  }, everyMs)
  return { longestMs: () => longestMs, stop: () => clearInterval(timer) }
}

/** Twelve callers that write without a pause: some through `run`, some in transactions. */
function applyLoad(pool: RecyclingPool): Load {
  const stopped = new AbortController()
  const load: Load = {
    succeeded: 0,
    unavailable: 0,
    unexpected: [],
    longestMs: 0,
    stop: () => Promise.resolve(),
  }
  const call = async (caller: number): Promise<void> => {
    const startedAt = performance.now()
    try {
      if (caller % 2 === 0) await pool.run((sql) => sql`insert into written values (${caller})`, deadlineMs)
      else await pool.transaction((sql) => sql`insert into written values (${caller})`, deadlineMs)
      load.succeeded += 1
    } catch (error) {
      if (isFault(error, 'unavailable')) load.unavailable += 1
      else load.unexpected.push(error)
      await Bun.sleep(5)
    }
    load.longestMs = Math.max(load.longestMs, performance.now() - startedAt)
  }
  const callers = Array.from({ length: 12 }, async (_, caller) => {
    while (!stopped.signal.aborted) await call(caller)
  })
  load.stop = async () => {
    stopped.abort()
    await Promise.all(callers)
  }
  return load
}

async function untilAnother(pidBefore: number): Promise<void> {
  await waitUntil('another server runs', () => {
    try {
      return serverPid() !== pidBefore
    } catch {
      return false
    }
  })
}

describe.each(['SIGKILL', 'SIGINT', 'SIGQUIT'] as const)('four restarts by %s under load', (signal) => {
  test('nobody hangs, work goes on, subscriptions are restored', async () => {
    const pool = await openPool()
    await pool.run((sql) => sql`drop table if exists written`, deadlineMs)
    await pool.run((sql) => sql`create table written (caller int)`, deadlineMs)
    const heard: string[] = []
    let resumes = 0
    await pool.listen('news.of "today"', (payload) => heard.push(payload))
    pool.onResume(() => (resumes += 1))
    const stalls = watchStalls()
    const load = applyLoad(pool)

    for (let restart = 1; restart <= 4; restart++) {
      const succeededBefore = load.succeeded
      await waitUntil('there is load', () => load.succeeded > succeededBefore + 50)
      const pidBefore = serverPid()
      process.kill(pidBefore, signal)
      await untilAnother(pidBefore)
      await waitUntil('the pool has resumed', () => resumes >= restart)
      const succeededThen = load.succeeded
      await waitUntil('work goes on', () => load.succeeded > succeededThen + 50)
      await pool.run((sql) => sql`select pg_notify('news.of "today"', ${`restart ${restart}`})`, deadlineMs)
      await waitUntil('the notification is heard', () => heard.includes(`restart ${restart}`))
    }

    await load.stop()
    expect(load.unexpected).toEqual([])
    stalls.stop()
    expect(load.longestMs).toBeLessThan(deadlineMs + 500 + stalls.longestMs())
    const [count] = await pool.run((sql) => sql`select count(*)::int as rows from written`, deadlineMs)
    expect(count?.['rows']).toBeGreaterThanOrEqual(load.succeeded)
  }, 180_000)
})

test('statements without a deadline settle, too', async () => {
  const pool = await openPool()
  const pending = Array.from({ length: 20 }, () =>
    pool.sql`select pg_sleep(60)`.then(
      () => 'done',
      () => 'refused',
    ),
  )
  await pool.run((sql) => sql`select 1`, deadlineMs).catch(() => undefined)
  process.kill(serverPid(), 'SIGKILL')
  expect(new Set(await Promise.all(pending))).toEqual(new Set(['refused']))
})

/** Longer outages are told to callers at once. */
const unnoticedMs = 1_000

test('an idle pool finds the new server, and a caller in between waits for it', async () => {
  let lost = Promise.withResolvers<void>()
  const pool = await openPool((message) => message === 'the database is away' && lost.resolve())
  let resumes = 0
  pool.onResume(() => (resumes += 1))
  // A busy machine may take longer to start the server than callers wait: once more then.
  for (let loss = 1, isUnnoticed = false; !isUnnoticed; loss++) {
    lost = Promise.withResolvers<void>()
    await pool.run((sql) => sql`select 1`, deadlineMs)
    process.kill(serverPid(), 'SIGKILL')
    await lost.promise
    const lostAt = performance.now()
    expect(await pool.isReachable(900)).toBe(false)
    const answer = await pool.run((sql) => sql`select 1 as one`, deadlineMs).catch((error: unknown) => error)
    isUnnoticed = Array.isArray(answer)
    if (!isUnnoticed) expect(answer).toMatchObject({ code: 'unavailable' })
    await waitUntil('the pool has resumed', () => resumes >= loss)
    if (!isUnnoticed) expect(performance.now() - lostAt).toBeGreaterThan(unnoticedMs)
    expect(resumes).toBe(loss)
  }
})

test('one connection ended by an administrator costs nobody else anything', async () => {
  const pool = await openPool()
  const slow = pool.run((sql) => sql`select 'slow' as speed, pg_sleep(1)`, deadlineMs)
  const victim = pool.run((sql) => sql`select pg_terminate_backend(pg_backend_pid())`, deadlineMs)
  expect(await victim.catch((error: unknown) => error)).toMatchObject({ code: 'unavailable' })
  expect(await pool.run((sql) => sql`select 1`, deadlineMs)).toHaveLength(1)
  expect(await slow).toMatchObject([{ speed: 'slow' }])
})
