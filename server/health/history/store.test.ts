import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { healthOf, historyBatchOf, rollupOf, rttsOf, transitionOf } from '../test-support/history-fixtures.ts'
import { someInstant } from '../test-support/virtual-clock.ts'
import type { RollupAddition } from './rollup-addition.ts'
import { rttPercentile } from './rtt-histogram.ts'
import { type HistoryBatch, type HistoryStore, createHistoryStore } from './store.ts'

let testbed: TestDatabase
let store: HistoryStore
beforeAll(async () => {
  testbed = await testDatabase()
  store = createHistoryStore(testbed.database)
})
afterAll(() => testbed?.drop())

beforeEach(() =>
  testbed.database.run(
    (sql) => sql`TRUNCATE health_transitions, service_health, history_batches, maintenance_windows,
      health_rollup_5m, health_rollup_1h, health_rollup_1d`,
  ),
)

let batches = 0
const save = (rows: Partial<HistoryBatch>) => store.save(historyBatchOf(`batch-${batches++}`, rows))
const minute = 60_000
const day = 24 * 60 * minute
const always = { from: someInstant - 7 * day, to: someInstant + 7 * day }

describe('what was published last', () => {
  const state = {
    ...healthOf('a').state,
    published: 'LATENCY' as const,
    timers: { atLeastLatency: 5, atLeastDown: null, atMostUp: null, atMostLatency: 7 },
    worsenings: [1, 2, 3],
  }

  test('is read as it was stored', async () => {
    const health = healthOf('a', {
      published: 'LATENCY',
      state,
      avgBlocksLatency: Number.MAX_SAFE_INTEGER,
      avgTimeLatency: 12,
      cause: {
        objections: 'TIMEOUT',
        reason: '2 of 3 say BAD: TIMEOUT',
        changes: 3,
        next: { objections: 'TLS', since: someInstant },
      },
    })
    await save({ healths: [health, healthOf('b')] })
    expect(await store.loadHealths()).toEqual([health, healthOf('b')])
  })

  test('is never overwritten by what is older, though it comes later', async () => {
    const newer = healthOf('a', { published: 'DOWN', evaluatedAt: someInstant + 1 })
    await save({ healths: [newer] })
    await save({ healths: [healthOf('a', { evaluatedAt: someInstant })] })
    expect(await store.loadHealths()).toEqual([newer])
    const newest = healthOf('a', { evaluatedAt: someInstant + 2 })
    await save({ healths: [newest] })
    expect(await store.loadHealths()).toEqual([newest])
  })
})

describe('transitions', () => {
  test('are read in order of time, beginning with the one that held at the beginning', async () => {
    const instants = [1, 2, 3, 4, 5].map((minutes) => someInstant + minutes * minute)
    await save({ transitions: instants.map((at) => transitionOf('a', at)) })
    await save({ transitions: [transitionOf('b', someInstant)] })
    const read = async (from: number, to: number) =>
      (await store.transitions('a', { from, to })).map(({ at }) => (at - someInstant) / minute)
    expect(await read(always.from, always.to)).toEqual([1, 2, 3, 4, 5])
    expect(await read(someInstant + 2.5 * minute, always.to)).toEqual([2, 3, 4, 5])
    expect(await read(someInstant + 3 * minute, someInstant + 5 * minute)).toEqual([3, 4])
    expect(await read(always.to, always.to + 1)).toEqual([5])
  })

  test('begin with the decision that held, not with what was its reason by then', async () => {
    const down = transitionOf('a', someInstant + minute, { from: 'UP', to: 'DOWN' })
    const reasons = [2, 3, 4].map((minutes) =>
      transitionOf('a', someInstant + minutes * minute, { from: 'DOWN', to: 'DOWN' }),
    )
    await save({ transitions: [down, ...reasons] })
    const rows = await store.transitions('a', { from: someInstant + 3.5 * minute, to: always.to })
    expect(rows.map((row) => (row.at - someInstant) / minute)).toEqual([1, 2, 3, 4])
  })

  test('of one instant stay in the order in which they were stored', async () => {
    const steps = (['UP', 'UNKNOWN', 'DOWN', 'UP'] as const).map((to) =>
      transitionOf('a', someInstant, { to }),
    )
    await save({ transitions: steps })
    expect((await store.transitions('a', always)).map(({ to }) => to)).toEqual([
      'UP',
      'UNKNOWN',
      'DOWN',
      'UP',
    ])
  })

  test('keep their evidence', async () => {
    const vote = {
      verifierId: 'v',
      vote: 'BAD',
      reason: 'TIMEOUT',
      lagBlocks: 0,
      lagSec: 0,
      rttMs: 1,
      ageMs: 2,
    } as const
    await save({ transitions: [transitionOf('a', someInstant, { to: 'DOWN', votes: [vote] })] })
    const rows = await testbed.database.run(
      (sql) => sql<{ votes: unknown }[]>`SELECT votes FROM health_transitions`,
    )
    expect(rows[0]?.votes).toEqual([vote])
  })
})

test('the same batch sent twice changes nothing, whatever is in it', async () => {
  const batch = historyBatchOf('twice', {
    transitions: [transitionOf('a', someInstant)],
    rollups: [rollupOf('a', someInstant, { probes: 3, upMs: 1_000 })],
  })
  await Promise.all([store.save(batch), store.save(batch), store.save(batch)])
  await store.save({ ...batch, healths: [healthOf('a')] })
  expect(await store.transitions('a', always)).toHaveLength(1)
  expect(await store.rollups('a', '5m', always)).toMatchObject([{ probes: 3, upMs: 1_000 }])
  expect(await store.loadHealths()).toEqual([])
})

const liveMins = () =>
  testbed.database.run(
    (sql) => sql<{ live_min: number }[]>`SELECT live_min FROM health_rollup_5m ORDER BY service_id`,
  )

type Summed = 'upMs' | 'latencyMs' | 'downMs' | 'probes' | 'lagBlocksSum' | 'lagSecSum'
const sum = (parts: readonly Partial<RollupAddition>[], name: Summed) =>
  parts.reduce((total, row) => total + (row[name] ?? 0), 0)

describe('rollups', () => {
  test('are joined by addition, so that it does not matter in how many parts they come', async () => {
    const part = fc.record({
      upMs: fc.nat({ max: 1_000 }),
      latencyMs: fc.nat({ max: 1_000 }),
      downMs: fc.nat({ max: 1_000 }),
      probes: fc.integer({ min: 1, max: 50 }),
      lagBlocksSum: fc.nat({ max: 10_000 }),
      lagBlocksMax: fc.nat({ max: 1_000 }),
      lagSecSum: fc.nat({ max: 10_000 }),
    })
    let number = 0
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 5 }), async (parts) => {
        const id = `service-${number++}`
        for (const row of parts) await save({ rollups: [rollupOf(id, someInstant, row)] })
        const [rollup] = await store.rollups(id, '5m', always)
        expect(rollup).toMatchObject({
          at: someInstant,
          upMs: sum(parts, 'upMs'),
          latencyMs: sum(parts, 'latencyMs'),
          downMs: sum(parts, 'downMs'),
          probes: sum(parts, 'probes'),
          lagBlocksMax: Math.max(...parts.map(({ lagBlocksMax }) => lagBlocksMax)),
        })
        expect(rollup?.lagBlocksAvg).toBeCloseTo(sum(parts, 'lagBlocksSum') / sum(parts, 'probes'))
        expect(rollup?.lagSecAvg).toBeCloseTo(sum(parts, 'lagSecSum') / sum(parts, 'probes'))
      }),
      { numRuns: 25 },
    )
  })

  test('average over the probes that were answered', async () => {
    await save({ rollups: [rollupOf('a', someInstant, { probes: 4, failures: 2, lagBlocksSum: 10 })] })
    await save({ rollups: [rollupOf('b', someInstant, { probes: 4, failures: 4 })] })
    expect((await store.rollups('a', '5m', always))[0]).toMatchObject({ failures: 2, lagBlocksAvg: 5 })
    expect((await store.rollups('b', '5m', always))[0]).toMatchObject({ failures: 4, lagBlocksAvg: 0 })
  })

  test('take round trips from the probes that were answered, so that an outage makes nothing look quicker', async () => {
    const answered = rollupOf('a', someInstant, { probes: 6, rtt: rttsOf(...Array<number>(6).fill(200)) })
    const outage = rollupOf('a', someInstant, { probes: 18, failures: 18 })
    for (const part of [answered, outage, answered]) await save({ rollups: [part] })
    const rttP50Ms = expect.closeTo(rttPercentile(rttsOf(200), 0.5), 3)
    expect(await store.rollups('a', '5m', always)).toMatchObject([{ probes: 30, failures: 18, rttP50Ms }])
  })

  test('keep the least number of live verifiers; a part in which nobody judged says nothing about it', async () => {
    await save({ rollups: [rollupOf('a', someInstant, { liveMin: 3 }), rollupOf('b', someInstant)] })
    await save({ rollups: [rollupOf('a', someInstant), rollupOf('b', someInstant, { liveMin: 0 })] })
    await save({ rollups: [rollupOf('a', someInstant, { liveMin: 2 })] })
    expect((await liveMins()).map((row) => row.live_min)).toEqual([2, 0])
  })

  test('of any day find their place: the database may have been away when the partition was due', async () => {
    const days = [-3, 0, 5].map((daysLater) => someInstant + daysLater * day)
    await save({ rollups: days.map((at) => rollupOf('a', at, { probes: 1 })) })
    expect((await store.rollups('a', '5m', always)).map(({ at }) => at)).toEqual(days)
  })
})

test('what is forgotten is gone from every table, and nothing else', async () => {
  for (const id of ['a', 'b']) {
    await save({
      healths: [healthOf(id)],
      transitions: [transitionOf(id, someInstant)],
      rollups: [rollupOf(id, someInstant)],
    })
    await testbed.database.run(
      (sql) =>
        sql`INSERT INTO maintenance_windows (service_id, starts_at) VALUES (${id}, ${new Date(someInstant)})`,
    )
    await testbed.database.run(
      (sql) => sql`INSERT INTO health_rollup_1d SELECT * FROM health_rollup_5m ON CONFLICT DO NOTHING`,
    )
  }
  await store.forget('a')
  const left = async (id: string) => [
    (await store.loadHealths()).filter(({ serviceId }) => serviceId === id).length,
    (await store.transitions(id, always)).length,
    (await store.maintenance(id, always)).length,
    (await store.rollups(id, '5m', always)).length,
    (await store.rollups(id, '1d', always)).length,
  ]
  expect(await left('a')).toEqual([0, 0, 0, 0, 0])
  expect(await left('b')).toEqual([1, 1, 1, 1, 1])
})

test('maintenance is what touches the span; what has no end lasts to the end of it', async () => {
  const windows: [number, number | null][] = [
    [-10, -5],
    [-5, 5],
    [20, null],
    [100, null],
  ]
  for (const [from, to] of windows) {
    const ends = to === null ? null : new Date(someInstant + to * minute)
    await testbed.database.run(
      (sql) => sql`INSERT INTO maintenance_windows (service_id, starts_at, ends_at)
        VALUES ('a', ${new Date(someInstant + from * minute)}, ${ends})`,
    )
  }
  const spans = await store.maintenance('a', { from: someInstant, to: someInstant + 60 * minute })
  const minutes = spans.map(({ from, to }) => [(from - someInstant) / minute, (to - someInstant) / minute])
  expect(minutes.sort(([left = 0], [right = 0]) => left - right)).toEqual([
    [-5, 5],
    [20, 60],
  ])
})
