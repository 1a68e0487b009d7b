import { rmSync } from 'node:fs'
import { join } from 'node:path'

import { systemClock } from '../../../server/platform/clock.ts'
import { type Database, openDatabase } from '../../../server/platform/database.ts'
import { createMetrics } from '../../../server/platform/metrics.ts'
import { createSteadyClock } from '../../../server/platform/steady-clock.ts'
import { createUsage, type Usage } from '../../../server/usage/usage.ts'
import { hourMs } from '../../../shared/durations.ts'
import { silentLog as log, temporaryDataDir } from '../../world/database.ts'
import { atMost, type Benchmark, benchmarkRowOf, type Row } from '../benchmark.ts'
import { makeMinutesOfAnHour } from '../fixtures/minutes-of-an-hour.ts'

const migrationsFolder = new URL('../../../server/migrations', import.meta.url).pathname
const pauseMs = 50

export const usageRollup: Benchmark = {
  name: 'usage-rollup',
  about:
    'rolling up 3 million rows of one hour, with statistics of others meanwhile, and an overview of all accounts',

  async run() {
    const dataDir = temporaryDataDir()
    const database = await openDatabase({ url: null, dataDir, log, migrationsFolder })
    try {
      return { title: 'Rolling up usage', rows: await measure(database, join(dataDir, 'counts')), notes }
    } finally {
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

const busyHour = { accounts: 1_000, keysOfAccount: 10, methods: 5, minutes: 60 } as const
/** Nothing of theirs is rolled up yet: the most that an overview can have to add up. */
const manyAccounts = { accounts: 100_000, keysOfAccount: 1, methods: 1, minutes: 5 } as const

const notes = [
  '10,000 keys of 1,000 accounts have called five methods in every minute of an hour that is over. Durable writes to the embedded PostgreSQL.',
  'Statistics: the answer of the server without HTTP. Overview: the last 24 hours of all accounts together.',
]

const keysOf = () => Promise.resolve([])

async function measure(database: Database, folder: string): Promise<Row[]> {
  const clock = createSteadyClock(systemClock)
  const hour = (Math.floor(clock.now() / hourMs) - 2) * hourMs
  await makeMinutesOfAnHour(database, hour, busyHour)
  const usage = createUsage({ database, clock, log, metrics: createMetrics(), folder, keysOf })
  let isOver = false
  const rolling = (async () => {
    const startedAt = performance.now()
    await usage.rollUp()
    isOver = true
    return (performance.now() - startedAt) / 1_000
  })()
  const meanwhile = await timesOf(usage, () => isOver)
  const seconds = await rolling
  await makeMinutesOfAnHour(database, hour + hourMs, manyAccounts)
  const asked = { left: 20 }
  const many = await timesOf(usage, () => --asked.left < 0)
  await usage.stop()
  return [
    benchmarkRowOf('3 million rows of minutes, one hour', 's', [seconds], atMost(60)),
    benchmarkRowOf('meanwhile: statistics of one account by key', 'ms', meanwhile.own, atMost(200)),
    benchmarkRowOf('meanwhile: overview', 'ms', meanwhile.overview, atMost(200)),
    benchmarkRowOf('overview, 100,000 accounts not rolled up yet', 'ms', many.overview, atMost(200)),
  ]
}

async function timesOf(usage: Usage, isOver: () => boolean) {
  const [own, overview]: [number[], number[]] = [[], []]
  for (let account = 1; !isOver(); account = (account % busyHour.accounts) + 1) {
    const question = { granularity: 'total', limit: 100 } as const
    own.push(await timeOf(() => usage.statistics.keys(`acc_${account}`, question)))
    overview.push(await timeOf(() => usage.statistics.traffic(null)))
    await Bun.sleep(pauseMs)
  }
  return { own, overview }
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
