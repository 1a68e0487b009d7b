import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { type TestDatabase, silentLog, testDatabase } from '../../../scripts/world/database.ts'
import { historyBatchOf, rollupOf, rttsOf, transitionOf } from '../test-support/history-fixtures.ts'
import { createVirtualClock } from '../test-support/virtual-clock.ts'
import { createHistoryMaintenance } from './rollup-job.ts'
import type { RollupAddition } from './rollup-addition.ts'
import { rttPercentile } from './rtt-histogram.ts'
import { type HistoryStore, type RollupResolution, createHistoryStore } from './store.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
/** The database's own clock takes part, so today it is; at noon, so that no hour of a test is another day's. */
const noon = Math.floor(Date.now() / day) * day + 12 * hour
const always = { from: noon - 100 * day, to: noon + 100 * day }

let testbed: TestDatabase
let store: HistoryStore
beforeAll(async () => {
  testbed = await testDatabase()
  store = createHistoryStore(testbed.database)
})
afterAll(() => testbed?.drop())
beforeEach(async () => {
  for (const name of await partitions()) await testbed.database.run((sql) => sql`DROP TABLE ${sql(name)}`)
  await testbed.database.run((sql) => sql`TRUNCATE health_rollup_1d, history_batches, health_transitions`)
})

async function partitions(): Promise<string[]> {
  const rows = await testbed.database.run(
    (sql) =>
      sql<
        { name: string }[]
      >`SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r' ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10).replaceAll('-', '')
const keeperAt = (at: number) => {
  const clock = createVirtualClock(at)
  const retention = { fiveMinutesDays: 7, hoursDays: 30, transitionsDays: 30 }
  return {
    clock,
    maintenanceJob: createHistoryMaintenance({
      database: testbed.database,
      clock,
      log: silentLog,
      retention,
    }),
  }
}

let batches = 0
const saveRollups = (...rollups: RollupAddition[]) =>
  store.save(historyBatchOf(`batch-${batches++}`, { rollups }))
const read = (resolution: RollupResolution) => store.rollups('a', resolution, always)

describe('partitions', () => {
  test('are there from yesterday to tomorrow, and keeping twice, or at the same time, makes no others', async () => {
    const { maintenanceJob } = keeperAt(noon)
    await Promise.all([maintenanceJob.run(), keeperAt(noon).maintenanceJob.run()])
    await maintenanceJob.run()
    const days = [noon - day, noon, noon + day].map(dayOf)
    expect(await partitions()).toEqual(
      ['1h', '5m'].flatMap((unit) => days.map((name) => `health_rollup_${unit}_${name}`)),
    )
  })

  test('are dropped when they are older than is kept, the fine ones first', async () => {
    const { maintenanceJob, clock } = keeperAt(noon)
    await saveRollups(rollupOf('a', noon, { probes: 1 }))
    await maintenanceJob.run()
    clock.advance(7 * day)
    await maintenanceJob.run()
    expect(await read('5m')).toHaveLength(1)
    clock.advance(day)
    await maintenanceJob.run()
    expect([await read('5m'), await read('1h'), await read('1d')].map((rows) => rows.length)).toEqual([
      0, 1, 1,
    ])
    clock.advance(23 * day)
    await maintenanceJob.run()
    expect([await read('1h'), await read('1d')].map((rows) => rows.length)).toEqual([0, 1])
  })
})

const bucket = (minutes: number, changes: Partial<RollupAddition>) =>
  rollupOf('a', noon + minutes * minute, changes)

/** What is kept of a round trip: the middle of its class. */
const p50 = (rttMs: number): number => rttPercentile(rttsOf(rttMs), 0.5)

describe('joining', () => {
  test('adds up hours and days, and doing it twice changes nothing', async () => {
    const { maintenanceJob, clock } = keeperAt(noon + 50 * minute)
    await saveRollups(
      bucket(-5, { probes: 1, upMs: 1_000, rtt: rttsOf(40) }),
      bucket(0, {
        probes: 3,
        failures: 1,
        upMs: 2_000,
        downMs: 5,
        lagBlocksSum: 4,
        lagBlocksMax: 3,
        rtt: rttsOf(10, 10),
      }),
      bucket(55, { probes: 1, latencyMs: 500, lagBlocksSum: 2, lagBlocksMax: 2, rtt: rttsOf(50) }),
    )
    for (const _ of [1, 2, 3]) {
      await maintenanceJob.run()
      clock.advance(minute)
      expect(await read('1h')).toMatchObject([
        { at: noon - hour, probes: 1, upMs: 1_000 },
        {
          at: noon,
          probes: 4,
          failures: 1,
          upMs: 2_000,
          latencyMs: 500,
          downMs: 5,
          lagBlocksAvg: 2,
          lagBlocksMax: 3,
          rttP50Ms: expect.closeTo((2 * p50(10) + p50(50)) / 3, 3),
        },
      ])
      const rttP50Ms = expect.closeTo((p50(40) + 2 * p50(10) + p50(50)) / 4, 3)
      expect(await read('1d')).toMatchObject([{ at: noon - 12 * hour, probes: 5, upMs: 3_000, rttP50Ms }])
    }
  })

  test('counts what comes an hour late', async () => {
    const { maintenanceJob, clock } = keeperAt(noon)
    await saveRollups(bucket(0, { probes: 1 }))
    await maintenanceJob.run()
    clock.advance(80 * minute)
    await saveRollups(bucket(0, { probes: 2 }))
    await maintenanceJob.run()
    expect(await read('1h')).toMatchObject([{ probes: 3 }])
    expect(await read('1d')).toMatchObject([{ probes: 3 }])
  })

  test('goes on where it stopped after a long time without the database', async () => {
    const { maintenanceJob, clock } = keeperAt(noon)
    await maintenanceJob.run()
    clock.advance(4 * day)
    await saveRollups(...[1, 2, 3].map((days) => bucket(days * 24 * 60, { probes: days })))
    await maintenanceJob.run()
    expect((await read('1h')).map(({ probes }) => probes)).toEqual([1, 2, 3])
    expect((await read('1d')).map(({ probes }) => probes)).toEqual([1, 2, 3])
  })

  test('counts what was stored in the last minutes before the server was off for a day', async () => {
    await saveRollups(bucket(0, { probes: 7 }))
    await testbed.database.run(
      (sql) => sql`UPDATE history_batches SET stored_at = ${new Date(noon + 5 * minute)}`,
    )
    await keeperAt(noon + day).maintenanceJob.run()
    expect(await read('1h')).toMatchObject([{ at: noon, probes: 7 }])
    expect(await read('1d')).toMatchObject([{ probes: 7 }])
  })
})

test('of old transitions the newest of each service stays: it says how the kept history begins', async () => {
  const { maintenanceJob } = keeperAt(noon)
  const at = (service: string, days: number) => transitionOf(service, noon - days * day)
  const transitions = [at('a', 50), at('a', 40), at('b', 45), at('a', 35), at('a', 20), at('a', 1)]
  await store.save(historyBatchOf('transitions', { transitions }))
  await maintenanceJob.run()
  await maintenanceJob.run()
  const days = async (id: string) => (await store.transitions(id, always)).map((row) => (noon - row.at) / day)
  expect(await days('a')).toEqual([35, 20, 1])
  expect(await days('b')).toEqual([45])
})

test('ids of batches are kept for a day', async () => {
  await saveRollups(rollupOf('a', noon))
  await saveRollups(rollupOf('a', noon))
  await testbed.database.run(
    (sql) =>
      sql`UPDATE history_batches SET stored_at = now() - interval '25 hours' WHERE id = ${`batch-${batches - 1}`}`,
  )
  await keeperAt(noon).maintenanceJob.run()
  const left = await testbed.database.run((sql) => sql<{ id: string }[]>`SELECT id FROM history_batches`)
  expect(left.map(({ id }) => id)).toEqual([`batch-${batches - 2}`])
})
