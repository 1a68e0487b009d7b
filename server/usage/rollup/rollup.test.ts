import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startScript } from '../../../scripts/world/database-process.ts'
import { silentLog, type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/durations.ts'
import { covers } from '../../../tests/support/covers.ts'
import { migrateDatabase } from '../../platform/database.ts'
import { makePartitions } from '../../platform/postgres/partitions.ts'
import { createStatisticsStore } from '../statistics/store.ts'
import { numbersOf } from '../statistics/sums.ts'
import { createUsageStore } from '../store.ts'
import { dyingDatabase } from '../test-support/dying-database.ts'
import { beginningOf, type MinutesPlace } from './move-minutes.ts'
import { createRollupStore, type RollupStore } from './store.ts'

/** Parts of so few rows that each hour takes many of them. */
const limit = 40
const day = Date.UTC(2026, 0, 15)
const accounts = ['acc_a', 'acc_b', 'acc_c']
const methods = ['eth_call', 'eth_chainId']

let testbed: TestDatabase
beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(() => testbed?.drop())

beforeEach(() =>
  testbed.database.run(
    (sql) => sql`
      TRUNCATE usage_minutes, usage_fives, usage_hours, usage_days, usage_rollups, usage_writers, usage_keys`,
  ),
)

/** One call with each method of each of three keys of every account, at an instant. */
const callsAt = (at: number) =>
  accounts.flatMap((accountId) =>
    [1, 2, 3].flatMap((key) =>
      methods.map((method) => ({
        accountId,
        keyId: `${accountId}_${key}`,
        endpoint: key === 3 ? 'mainnet' : 'testnet',
        method,
        minute: at / minuteMs,
        requests: 1,
        credits: 10,
        creditsBack: 1,
        ok: 1,
        errors: 0,
        rateLimited: 0,
        creditLimited: 0,
        cached: 0,
        unanswered: 0,
        charged: 9,
        bytesIn: 100,
        bytesOut: 200,
        latencies: '1',
      })),
    ),
  )

const callsOfMinute = accounts.length * 3 * methods.length

/** Writes calls of some minutes as one process that has closed them. Returns how many calls they are. */
async function countMinutes(writer: string, from: number, minutes: number, stepMinutes = 1): Promise<number> {
  const store = createUsageStore(testbed.database)
  const rows = Array.from({ length: minutes }, (_, index) => callsAt(from + index * stepMinutes * minuteMs))
  await store.write(writer, rows.flat())
  await store.close(writer, null)
  return minutes * callsOfMinute
}

/** Does everything that is due at an instant, a part at a time; `eachPart` is called in between. */
async function rollUpAll(
  store: RollupStore,
  now: number,
  eachPart: () => Promise<void> = async () => undefined,
): Promise<number> {
  const days = await store.daysOfMinutes(-Infinity)
  const places: (MinutesPlace | null)[] = [...days.map(beginningOf), null]
  let [after = null] = places.splice(0, 1)
  for (let parts = 0; ; parts++) {
    const advanced = await store.advance({ after, fivesSince: -Infinity, hoursUntil: now, limit })
    if (advanced.kind === 'finished') return parts
    if (advanced.kind === 'moved') after = advanced.next ?? places.shift() ?? null
    await eachPart()
  }
}

const span = { from: day - dayMs, to: day + 3 * dayMs }
const interval = {
  ...span,
  days: { from: day, to: day + dayMs },
  hours: [
    { from: span.from, to: day },
    { from: day + dayMs, to: span.to },
  ],
  fives: null,
  dayStarts: null,
}

/** What is answered of all calls: in all, by key, by method, and of everybody. */
async function answered(database = testbed.database) {
  const store = createStatisticsStore(database, 'usage')
  const of = (accountId: string | null, by: 'key' | 'method' | 'account') =>
    store.groups(interval, { accountId }, { by, unit: null, order: 'place', after: null, limit: 1_000 })
  const everybody = await of(null, 'account')
  const { totals } = await store.periods(interval, { accountId: null }, 'day')
  const byAccount = await Promise.all(
    accounts.map(async (id) => {
      const [byKey, byMethod] = [await of(id, 'key'), await of(id, 'method')]
      return [byKey.totals, ...byKey.groups, ...byMethod.groups].map(({ requests }) => requests)
    }),
  )
  return {
    everybody: numbersOf(totals),
    accounts: everybody.groups.map(({ id, requests }) => `${id} ${requests}`),
    byAccount,
  }
}

function expected(calls: number): Awaited<ReturnType<typeof answered>> {
  const ofAccount = calls / accounts.length
  const ofKeys = [1, 2, 3].map(() => ofAccount / 3)
  return {
    everybody: expect.objectContaining({ requests: calls, credits: 9 * calls, bytesOut: 200 * calls }),
    accounts: accounts.map((id) => `${id} ${ofAccount}`),
    byAccount: accounts.map(() => [ofAccount, ...ofKeys, ofAccount / 2, ofAccount / 2]),
  }
}

const rowsIn = async (table: 'usage_minutes' | 'usage_hours' | 'usage_days'): Promise<number> => {
  const [row] = await testbed.database.run(
    (sql) => sql<{ rows: number }[]>`SELECT count(*)::int AS rows FROM ${sql(table)}`,
  )
  return row?.rows ?? 0
}

describe('rolling up in parts', () => {
  covers('statistics-answer')
  test('answers are the same before, after, and between any two parts', async () => {
    const store = createRollupStore(testbed.database, 'usage')
    const calls = await countMinutes('w1', day + 30 * minuteMs, 40, 3)
    expect(await answered()).toEqual(expected(calls))
    const parts = await rollUpAll(store, day + 2 * dayMs, async () =>
      expect(await answered()).toEqual(expected(calls)),
    )
    expect(parts).toBeGreaterThan(2 * ((calls + 40) / limit))
    expect(await rowsIn('usage_minutes')).toBe(0)
    expect(await store.closedBefore()).toEqual({ hours: day + 2 * dayMs, days: day + 2 * dayMs })
    // Of each day: for every key and account their methods, and the same without methods; and everybody at two endpoints.
    expect(await rowsIn('usage_days')).toBe(accounts.length * (9 + 2 * 3) + 2)
  })

  test('an hour that is not over yet is answered from five minutes, and has no row', async () => {
    const store = createRollupStore(testbed.database, 'usage')
    const calls = await countMinutes('w1', day + 12 * hourMs, 20, 5)
    await rollUpAll(store, day + 13 * hourMs)
    expect(await store.closedBefore()).toEqual({ hours: day + 13 * hourMs, days: day })
    expect(await rowsIn('usage_minutes')).toBe(0)
    expect(await rowsIn('usage_hours')).toBe(accounts.length * (9 + 2 * 3) + 2)
    expect(await answered()).toEqual(expected(calls))
  })

  test('counts that come for a closed hour or a closed day are added to it', async () => {
    const store = createRollupStore(testbed.database, 'usage')
    let calls = await countMinutes('w1', day + 20 * hourMs, 10)
    await rollUpAll(store, day + 30 * hourMs)
    calls += await countMinutes('w2', day + 20 * hourMs, 10)
    calls += await countMinutes('w3', day + 28 * hourMs, 10)
    expect(await answered()).toEqual(expected(calls))
    await rollUpAll(store, day + 30 * hourMs)
    expect(await answered()).toEqual(expected(calls))
    await rollUpAll(store, day + 3 * dayMs)
    expect(await answered()).toEqual(expected(calls))
    expect(await rowsIn('usage_minutes')).toBe(0)
  })

  test('counts that come while an hour is being closed wait until it is', async () => {
    const store = createRollupStore(testbed.database, 'usage')
    let calls = await countMinutes('w1', day + hourMs, 30)
    let writers = 1
    await rollUpAll(store, day + 2 * dayMs, async () => {
      if (writers < 12) calls += await countMinutes(`w${++writers}`, day + hourMs, 2)
      expect(await answered()).toEqual(expected(calls))
    })
    await rollUpAll(store, day + 2 * dayMs)
    expect(await rowsIn('usage_minutes')).toBe(0)
    expect(await answered()).toEqual(expected(calls))
  })

  test('an earlier version that added to hours by itself leaves nothing twice', async () => {
    const store = createRollupStore(testbed.database, 'usage')
    const calls = await countMinutes('w1', day + hourMs, 30)
    await rollUpAll(store, day + hourMs)
    await testbed.database.run(
      (sql) => sql`
        INSERT INTO usage_hours SELECT account_id, level, key_id, date_trunc('hour', bucket, 'UTC'), endpoint, method,
          1, 1, 1, 1, 1, 1, 1, 1, 1, max(last_used_at), 1, 1 FROM usage_fives GROUP BY 1, 2, 3, 4, 5, 6`,
    )
    expect(await answered()).toEqual(expected(calls))
    await rollUpAll(store, day + 2 * dayMs)
    expect(await answered()).toEqual(expected(calls))
  })

  test('a database that goes away, or whose answers are lost, at any part', async () => {
    const calls = await countMinutes('w1', day + 30 * minuteMs, 40, 3)
    for (let part = 0, isOver = false; !isOver; part++) {
      const database = dyingDatabase(testbed.database)
      let left = part % 5
      const running = rollUpAll(createRollupStore(database, 'usage'), day + 2 * dayMs, async () => {
        if (--left < 0) database.weather = part % 2 === 0 ? 'away' : 'lost answer'
      })
      isOver = await running.then(
        () => true,
        () => false,
      )
      expect(await answered()).toEqual(expected(calls))
    }
    expect(await rowsIn('usage_minutes')).toBe(0)
  })

  test('three processes that roll up at once move each row once', async () => {
    const calls = await countMinutes('w1', day + 30 * minuteMs, 40, 3)
    const others = Array.from({ length: 3 }, () => createRollupStore(testbed.database, 'usage'))
    for (let isLeft = true; isLeft; isLeft = (await rowsIn('usage_minutes')) > 0)
      await Promise.all(others.map((store) => rollUpAll(store, day + 2 * dayMs)))
    const [store] = others
    if (store !== undefined) await rollUpAll(store, day + 2 * dayMs)
    expect(await answered()).toEqual(expected(calls))
    expect(await rowsIn('usage_days')).toBe(accounts.length * (9 + 2 * 3) + 2)
  })

  test('kill -9 in the middle of any part', async () => {
    const calls = await countMinutes('w1', day + 30 * minuteMs, 40, 3)
    const script = `
      import { openDatabase } from './server/platform/database.ts'
      import { silentLog as log } from './scripts/world/database.ts'
      import { beginningOf } from './server/usage/rollup/move-minutes.ts'
      import { createRollupStore } from './server/usage/rollup/store.ts'
      const options = { url: ${JSON.stringify(testbed.url)}, dataDir: '', log, migrationsFolder: './server/migrations' }
      const store = createRollupStore(await openDatabase(options), 'usage')
      let after = beginningOf(${day})
      for (let kind = ''; kind !== 'finished'; console.log(kind)) {
        const advanced = await store.advance({ after, fivesSince: -Infinity, hoursUntil: ${day + 2 * dayMs}, limit: 5 })
        kind = advanced.kind
        if (kind === 'moved') after = advanced.next
      }`
    await createRollupStore(testbed.database, 'usage').daysOfMinutes(-Infinity)
    for (const parts of [5, 40, 120]) {
      const rolling = startScript(script)
      for (let part = 0; part < parts; part++) await rolling.nextLine()
      await rolling.kill()
      expect(await answered()).toEqual(expected(calls))
    }
    await rollUpAll(createRollupStore(testbed.database, 'usage'), day + 2 * dayMs)
    expect(await answered()).toEqual(expected(calls))
    expect(await rowsIn('usage_minutes')).toBe(0)
  })
})

test('what an earlier version has rolled up is answered as before, by the sums over everybody too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-migrations-'))
  cpSync('server/migrations', folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: { tag: string }[] }
  const newer = journal.entries.findIndex(({ tag }) => tag.endsWith('_usage_rollups'))
  writeFileSync(path, JSON.stringify({ ...journal, entries: journal.entries.slice(0, newer) }))
  const old = await testDatabase(folder)
  try {
    await old.database.transaction(async (sql) => {
      for (const table of ['usage_minutes', 'usage_fives', 'usage_hours'])
        await makePartitions(sql, table, [day])
      await makePartitions(sql, 'usage_days', [day], 'month')
      await sql`INSERT INTO usage_writers VALUES ('w0', now(), 'infinity')`
      for (const [table, unit] of [
        ['fives', 5],
        ['hours', 60],
        ['days', 1_440],
      ] as const)
        // prettier-ignore
        await sql`
          INSERT INTO ${sql(`usage_${table}`)}
          SELECT 'acc_a', level, CASE WHEN level < 2 THEN 'acc_a_1' ELSE '' END,
            date_bin(${unit} * interval '1 minute', ${new Date(day + 13 * hourMs)}, 'epoch'), 'testnet',
            CASE WHEN level IN (0, 2) THEN 'eth_call' ELSE '' END, 7, 70, 7, 0, 0, 0, 0, 0, 7, ${new Date(day)}, 0, 0
          FROM generate_series(0, 3) AS level`
      await sql`
        INSERT INTO usage_minutes VALUES ('acc_a', ${new Date(day + 13 * hourMs + 6 * minuteMs)}, 'acc_a_1', 'testnet',
          'eth_call', 'w0', 3, 30, 0, 3, 0, 0, 0, 0, 0, 3, 0, 0)`
    })
    await migrateDatabase({ url: old.url, log: silentLog, migrationsFolder: 'server/migrations' })
    const counted = async () => {
      const { everybody, byAccount } = await answered(old.database)
      return [everybody.requests, everybody.credits, byAccount[0]]
    }
    expect(await counted()).toEqual([10, 100, [10, 10, 10]])
    await rollUpAll(createRollupStore(old.database, 'usage'), day + 2 * dayMs)
    expect(await counted()).toEqual([10, 100, [10, 10, 10]])
  } finally {
    await old.drop()
    rmSync(folder, { recursive: true, force: true })
  }
})
