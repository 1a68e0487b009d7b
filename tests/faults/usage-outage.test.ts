// Mostly waits: for a database that is away.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { openDatabase, type Database } from '../../server/platform/database.ts'
import { type EmbeddedServer, startEmbedded } from '../../server/platform/postgres/embedded.ts'
import {
  addKey,
  everyStatistic,
  manualClock,
  removeFolder,
  usageUnderTest,
  type UsageUnderTest,
} from '../../server/usage/test-support/usage-under-test.ts'
import { silentLog as log, temporaryDataDir } from '../../scripts/world/database.ts'

/** The promise says 30: GATEHOUSE_TEST_OUTAGE_SEC=30 tries that. */
const outageMs = Number(process.env['GATEHOUSE_TEST_OUTAGE_SEC'] ?? 10) * 1_000
const migrationsFolder = fileURLToPath(new URL('../../server/migrations', import.meta.url))
const dataDir = temporaryDataDir()
let server: EmbeddedServer
let database: Database
let under: UsageUnderTest

beforeAll(async () => {
  server = await startEmbedded({ dataDir, log, isDurable: false })
  database = await openDatabase({ url: server.url, dataDir, log, migrationsFolder })
  under = usageUnderTest(database, manualClock(Date.now()))
})
afterAll(async () => {
  await database.close()
  await server.stop()
  removeFolder(under.folder)
  rmSync(dataDir, { recursive: true, force: true })
})

const isRefused = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: { code?: string }) => error.code === 'unavailable',
  )

test(`(threat 16) PostgreSQL is away for ${outageMs / 1_000} s under load: every call is counted, and nobody notices`, async () => {
  const usage = under.open()
  usage.start()
  const keys = Array.from({ length: 20 }, (_, index) => addKey(under, `key_${index}`))
  let counted = 0
  let slowestMs = 0
  const load = setInterval(() => {
    for (const key of keys) {
      const startedAt = performance.now()
      const metered = usage.meter.admit(key, [{ method: `method_${counted % 10}`, credits: 3 }], 10)
      metered.settle(['ok'], { bytesOut: 5, tookMs: 4, creditsBack: [] })
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      counted++
    }
    under.clock.at += 1_000 // A minute goes by in about a tenth of a second.
  }, 2)
  try {
    await waitUntil('the load is on', () => counted > 5_000)
    await server.stop()
    const backAt = performance.now() + outageMs
    await waitUntil('the server is missed', () => isRefused(usage.statistics.keys('acc_own', everyStatistic)))
    const before = counted
    await waitUntil('the outage has lasted', () => performance.now() >= backAt, outageMs + 5_000)
    expect(counted).toBeGreaterThan(before)
    server = await startEmbedded({ dataDir, log, isDurable: false })
    await waitUntil('the database is back', () => database.isReachable(), 20_000)
  } finally {
    clearInterval(load)
  }
  await usage.flush()
  await usage.rollUp()
  const { totals } = await usage.statistics.keys('acc_own', everyStatistic)
  expect(totals).toMatchObject({
    requests: counted,
    credits: 3 * counted,
    ok: counted,
    bytesIn: 10 * counted,
  })
  expect(slowestMs).toBeLessThan(500)
  await usage.stop()
  expect(readdirSync(under.folder).filter((name) => name.endsWith('.usage'))).toEqual([])
}, 120_000)
