import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { systemClock } from '../../../server/platform/clock.ts'
import { openDatabase, type Database } from '../../../server/platform/database.ts'
import { createMetrics } from '../../../server/platform/metrics.ts'
import { createSteadyClock } from '../../../server/platform/steady-clock.ts'
import { createUsage, type MeteredKey, type Usage } from '../../../server/usage/usage.ts'
import { silentLog as log, temporaryDataDir } from '../../world/database.ts'
import { atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark, Row } from '../benchmark.ts'
import { hugeAccount, makeRolledUpRows, rolledUpRows, usualAccount } from '../fixtures/rolled-up-usage.ts'

const migrationsFolder = new URL('../../../server/migrations', import.meta.url).pathname
const callsPerRound = 1_000_000
const keyCount = 100_000
const methodCount = 50
/** Each of them has 5,000 keys: a share of the whole that one flush writes. */
const accountCount = 20
const settled = { bytesOut: 300, tookMs: 4, creditsBack: [0] } as const

export const usage: Benchmark = {
  name: 'usage',
  about: 'counting a call, writing counts, 100,000 keys × 50 methods, and statistics over 10 million rows',

  async run({ rounds }) {
    const dataDir = temporaryDataDir()
    const database = await openDatabase({ url: null, dataDir, log, migrationsFolder })
    try {
      const counting = await measureCounting(database, join(dataDir, 'few'), rounds)
      const many = await measureMany(database, join(dataDir, 'many'))
      const questions = await measureQuestions(database, join(dataDir, 'past'), rounds)
      return { title: 'Usage', rows: [...counting, ...many, ...questions], notes }
    } finally {
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

const notes = [
  'A call: admitted and settled, in the mapped file. Rows are written durably to the embedded PostgreSQL.',
  `${keyCount.toLocaleString('en-US')} keys × ${methodCount} methods, all called in one minute, which is more than a process can relay; the time to write all of them is that of a twentieth, times twenty.`,
  `Statistics: the answer of the server without HTTP for the last 30 days, 100 items where nothing else is said. One account has ${usualAccount.keys.toLocaleString('en-US')} keys with 18 methods each; the huge one has ${hugeAccount.keys.toLocaleString('en-US')} and nearly all rows.`,
]

const open = (database: Database, folder: string): Usage =>
  createUsage({
    database,
    clock: createSteadyClock(systemClock),
    log,
    metrics: createMetrics(),
    folder,
    keysOf: () => Promise.resolve([]),
  })

const keysOf = (count: number): MeteredKey[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `key_${index}`,
    accountId: `acc_${index % accountCount}`,
    endpoint: 'testnet',
  }))

function callAll(opened: Usage, keys: readonly MeteredKey[], methods: number, times = 1): void {
  const calls = Array.from({ length: methods }, (_, index) => [{ method: `method_${index}`, credits: 20 }])
  for (let time = 0; time < times; time++) {
    for (const key of keys) {
      for (const call of calls) opened.meter.admit(key, call, 120).settle(['ok'], settled)
    }
  }
}

async function timeOf(work: () => unknown): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function measureCounting(database: Database, folder: string, rounds: number): Promise<Row[]> {
  const opened = open(database, folder)
  const keys = keysOf(1_000)
  const methods = 5
  const nanoseconds: number[] = []
  const rowsPerSecond: number[] = []
  for (let round = 0; round < rounds; round++) {
    const ms = await timeOf(() => callAll(opened, keys, methods, callsPerRound / keys.length / methods))
    nanoseconds.push((ms * 1e6) / callsPerRound)
    const flushMs = await timeOf(opened.flush)
    rowsPerSecond.push((keys.length * methods * 1_000) / flushMs)
  }
  await opened.stop()
  return [
    benchmarkRowOf('counting a call (1,000 keys × 5 methods)', 'ns', nanoseconds),
    benchmarkRowOf('writing changed counts', 'rows/s', rowsPerSecond),
  ]
}

async function measureMany(database: Database, folder: string): Promise<Row[]> {
  const opened = open(database, folder)
  const keys = keysOf(keyCount)
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  const countingMs = await timeOf(() => callAll(opened, keys, methodCount))
  Bun.gc(true)
  const residentMb = (process.memoryUsage.rss() - before) / 1e6
  const fileMb = sizeOf(folder) / 1e6
  const question = { granularity: 'total', limit: 100 } as const
  const firstMs = await timeOf(() => opened.statistics.keys('acc_0', question))
  const secondMs = await timeOf(() => opened.statistics.keys('acc_0', question))
  const name = '100,000 keys × 50 methods'
  return [
    benchmarkRowOf(`${name}: mapped files`, 'MB', [fileMb]),
    benchmarkRowOf(`${name}: resident memory, the mapped files included`, 'MB', [residentMb]),
    benchmarkRowOf(`${name}: the first call of each`, 'ns', [(countingMs * 1e6) / keyCount / methodCount]),
    benchmarkRowOf(`${name}: writing all`, 's', [((firstMs - secondMs) * accountCount) / 1_000]),
    benchmarkRowOf(`${name}: statistics by key, everything still by the minute`, 'ms', [secondMs]),
  ]
}

const sizeOf = (folder: string): number =>
  [...new Bun.Glob('*.usage').scanSync(folder)].reduce(
    (sum, name) => sum + statSync(join(folder, name)).size,
    0,
  )

async function measureQuestions(database: Database, folder: string, rounds: number): Promise<Row[]> {
  await database.run((sql) => sql`TRUNCATE usage_minutes`, 30_000)
  await makeRolledUpRows(database, Date.now())
  // As the database does by itself where many rows have come.
  await database.run((sql) => sql`VACUUM usage_hours`, 120_000)
  await database.run((sql) => sql`VACUUM usage_days`, 120_000)
  const opened = open(database, folder)
  const { keys, methods, keyTable, series } = opened.statistics
  const total = { granularity: 'total', limit: 100 } as const
  const byDay = { granularity: 'day', limit: 1_000 } as const
  const chart = { by: 'key', granularity: 'day', measure: 'requests', top: 8 } as const
  const [usual, huge] = [usualAccount.id, hugeAccount.id]
  const timesOf = async (work: () => Promise<unknown>): Promise<number[]> => {
    const times: number[] = []
    for (let round = 0; round < rounds + 1; round++) times.push(await timeOf(work))
    return times
  }
  const [first = 0, ...byKey] = await timesOf(() => keys(huge, total))
  /** Behind the first one, which plans and finds nothing in memory. */
  const warm = async (work: () => Promise<unknown>) => (await timesOf(work)).slice(1)
  const name = `statistics of 30 days, ${(rolledUpRows / 1e6).toFixed(0)} million rows`
  const rows = [
    benchmarkRowOf(`${name}: by key, huge account`, 'ms', byKey, atMost(200)),
    benchmarkRowOf(`${name}: by key, huge account, first time`, 'ms', [first]),
    benchmarkRowOf(
      `${name}: by method, huge account`,
      'ms',
      await warm(() => methods(huge, total)),
      atMost(200),
    ),
    benchmarkRowOf(
      `${name}: by key and day, 1,000 items, huge account`,
      'ms',
      await warm(() => keys(huge, byDay)),
      atMost(200),
    ),
    benchmarkRowOf(
      `${name}: the 1,000 busiest keys, huge account`,
      'ms',
      await warm(() => keyTable(huge, {})),
      atMost(200),
    ),
    benchmarkRowOf(
      `${name}: chart of the 8 busiest keys, huge account`,
      'ms',
      await warm(() => series(huge, chart)),
      atMost(200),
    ),
    benchmarkRowOf(`${name}: by key`, 'ms', await warm(() => keys(usual, total)), atMost(200)),
    benchmarkRowOf(
      `${name}: by key, all 1,000`,
      'ms',
      await warm(() => keys(usual, { ...total, limit: 1_000 })),
    ),
    benchmarkRowOf(`${name}: by key and day, 1,000 items`, 'ms', await warm(() => keys(usual, byDay))),
    benchmarkRowOf(
      `${name}: of one method by key`,
      'ms',
      await warm(() => keys(usual, { ...total, method: 'method_3' })),
    ),
  ]
  await opened.stop()
  return rows
}
