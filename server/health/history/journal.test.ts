import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'

import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { type TestDatabase, silentLog, testDatabase } from '../../../scripts/world/database.ts'
import type { Database } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import { healthOf, transitionOf, nothingLost } from '../test-support/history-fixtures.ts'
import { someInstant } from '../test-support/virtual-clock.ts'
import { createJournal } from './journal.ts'
import { createRecorder } from './recorder.ts'
import { type HistoryBatch, type SavedHealth, createHistoryStore } from './store.ts'

let testbed: TestDatabase
beforeAll(async () => {
  testbed = await testDatabase()
})
afterAll(() => testbed?.drop())
beforeEach(() =>
  testbed.database.run(
    (sql) => sql`TRUNCATE health_transitions, service_health, history_batches, health_rollup_5m`,
  ),
)

const a = { slot: 0, service: { id: 'a' } }
const never = 1e9
const always = { from: someInstant - 1e6, to: someInstant + 1e9 }
const measured = { ok: true, error: null, lagBlocks: 0, lagSec: 0, rttMs: 1 }

/** A journal on a database that can be taken away, with every batch that was sent towards it. */
function setUp({ retryMs = 5 } = {}) {
  const outage = { isAway: false, isAnswerLost: false, attempts: 0 }
  const database: Database = Object.create(testbed.database, {
    transaction: {
      async value(...work: Parameters<Database['transaction']>) {
        outage.attempts++
        if (outage.isAway) throw fault('unavailable', 'the database is away')
        const result = await testbed.database.transaction(...work)
        if (outage.isAnswerLost) throw fault('unavailable', 'nobody knows whether it was done')
        return result
      },
    },
  })
  const store = createHistoryStore(database)
  const sent: HistoryBatch[] = []
  const recorder = createRecorder(nothingLost)
  const errors: string[] = []
  const journal = createJournal({
    store: {
      save(batch) {
        sent.push(batch)
        return store.save(batch)
      },
    },
    recorder,
    now: () => someInstant + 5_000,
    log: { ...silentLog, error: (message) => void errors.push(message) },
    refreshEveryMs: never,
    rollupEveryMs: never,
    retryMs,
    lost: nothingLost,
  })
  const change = (id: string, at: number, to: 'UP' | 'DOWN' = 'UP') =>
    journal.transition(
      transitionOf(id, someInstant + at, { to }),
      healthOf(id, { published: to, evaluatedAt: someInstant + at }),
    )
  const instants = async (id: string) =>
    (await store.transitions(id, always)).map(({ at }) => at - someInstant)
  const probes = async (id: string) =>
    (await store.rollups(id, '5m', always)).reduce((sum, row) => sum + row.probes, 0)
  return { journal, recorder, store, outage, sent, errors, change, instants, probes }
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

test('a transition is stored at once, with the decision it made', async () => {
  const { change, instants, store } = setUp()
  change('a', 1, 'DOWN')
  await waitUntil('it is stored', async () => (await instants('a')).length === 1)
  expect(await store.loadHealths()).toMatchObject([{ serviceId: 'a', published: 'DOWN' }])
})

test('numbers wait for the next flush, of each service only the newest', async () => {
  const { journal, store, sent } = setUp()
  for (const avgBlocksLatency of range(5)) journal.refresh(healthOf('a', { avgBlocksLatency }))
  expect(await store.loadHealths()).toEqual([])
  await journal.flush()
  expect(await store.loadHealths()).toMatchObject([{ avgBlocksLatency: 4 }])
  expect(sent.map(({ healths }) => healths.length)).toEqual([1])
})

/** The ends of quorums that are stored when one health follows another. */
async function storedAfter(first: SavedHealth, second: SavedHealth, stop = false): Promise<number[]> {
  const { journal, sent } = setUp()
  journal.refresh(first)
  await journal.flush()
  journal.refresh(second)
  await (stop ? journal.stop() : journal.flush())
  return sent.flatMap(({ healths }) =>
    healths.map(({ quorumExpiresAt }) => quorumExpiresAt - someInstant - 5_000),
  )
}

describe('a decision that stays the same', () => {
  const { state } = healthOf('a')
  const lastsFor = (ms: number, changes: Partial<SavedHealth> = {}) =>
    healthOf('a', {
      state,
      evaluatedAt: someInstant + 5_000,
      quorumExpiresAt: someInstant + 5_000 + ms,
      ...changes,
    })

  test('is not stored again while what is stored lasts', async () => {
    expect(await storedAfter(lastsFor(15_000), lastsFor(29_000))).toEqual([15_000])
  })

  test('is stored again before what is stored ends', async () => {
    expect(await storedAfter(lastsFor(14_999), lastsFor(29_000))).toEqual([14_999, 29_000])
  })

  test('after a change is stored as it is by then', async () => {
    const { journal, change, sent, store } = setUp()
    change('a', 1, 'DOWN')
    journal.refresh(lastsFor(29_000, { avgBlocksLatency: 7, published: 'DOWN' }))
    await journal.flush()
    expect(sent.map(({ healths }) => healths.length)).toEqual([1])
    expect(await store.loadHealths()).toMatchObject([{ published: 'DOWN', avgBlocksLatency: 7 }])
  })

  test('is stored again with other timers, and when the server stops', async () => {
    const other = lastsFor(29_000, { state: { ...state } })
    expect(await storedAfter(lastsFor(15_000), other)).toEqual([15_000, 29_000])
    expect(await storedAfter(lastsFor(15_000), lastsFor(29_000), true)).toEqual([15_000, 29_000])
  })
})

test('a flush of nothing asks the database nothing', async () => {
  const { journal, outage } = setUp()
  await journal.flush()
  expect(outage.attempts).toBe(0)
})

describe('while the database is away', () => {
  test('nothing is lost, and the order is kept', async () => {
    const { change, instants, journal, recorder, probes, outage } = setUp()
    change('a', 0)
    await waitUntil('the first is stored', async () => (await instants('a')).length === 1)
    outage.isAway = true
    for (const at of range(50)) {
      change('a', at + 1)
      recorder.measured(a, { at: someInstant + at, ...measured })
      if (at % 10 === 0) await journal.flush()
    }
    expect(await instants('a')).toEqual([0])
    outage.isAway = false
    await waitUntil('all are stored', async () => (await instants('a')).length === 51)
    expect(await instants('a')).toEqual(range(51))
    await waitUntil('measurements too', async () => (await probes('a')) === 50)
  })

  test('it is asked again by one timer, however often it has failed', async () => {
    const retryMs = 60
    const { change, journal, outage } = setUp({ retryMs })
    const startedAt = performance.now()
    const pass = (ms: number) => waitUntil('time has passed', () => performance.now() - startedAt > ms)
    outage.isAway = true
    change('a', 1)
    const flushes = 20
    for (const number of range(flushes)) {
      await journal.flush()
      await pass(3 * number)
    }
    await pass(500)
    const retries = (performance.now() - startedAt) / retryMs
    expect(outage.attempts).toBeLessThan(flushes + 2 * retries)
    await journal.stop()
  })

  test('a batch that was stored though its answer was lost is not stored twice', async () => {
    const { change, instants, recorder, journal, probes, outage } = setUp()
    outage.isAnswerLost = true
    recorder.measured(a, { at: someInstant, ...measured })
    change('a', 1)
    await journal.flush()
    await waitUntil('it was sent again', () => outage.attempts > 3)
    outage.isAnswerLost = false
    change('a', 2)
    await journal.flush()
    await waitUntil('the answer is heard', async () => (await instants('a')).length === 2)
    await journal.stop()
    expect(await instants('a')).toEqual([1, 2])
    expect(await probes('a')).toBe(1)
  })

  test('late numbers do not overwrite newer ones of another process', async () => {
    const one = setUp({ retryMs: never })
    const other = setUp()
    one.outage.isAway = true
    one.journal.refresh(healthOf('a', { published: 'DOWN', evaluatedAt: someInstant }))
    await one.journal.flush()
    other.journal.refresh(healthOf('a', { evaluatedAt: someInstant + 1 }))
    await other.journal.flush()
    one.outage.isAway = false
    await one.journal.stop()
    expect(await one.store.loadHealths()).toMatchObject([{ published: 'UP' }])
  })
})

describe('a row that the database refuses', () => {
  const poison = 'no text of PostgreSQL holds \u0000'

  test('is dropped alone: the rows around it are stored, in their order', async () => {
    const { change, journal, recorder, instants, probes, errors } = setUp()
    for (const at of range(40)) {
      if (at === 13) {
        journal.transition(transitionOf('a', someInstant + 1e6, { reason: poison }), healthOf('a'))
      }
      change('a', at)
    }
    recorder.measured(a, { at: someInstant, ...measured })
    await journal.flush()
    await journal.stop()
    expect(await instants('a')).toEqual(range(40))
    expect(await probes('a')).toBe(1)
    expect(errors).toHaveLength(1)
  })

  test('holds nothing up when the database goes away in the middle', async () => {
    const { change, journal, instants, outage, store, errors } = setUp()
    const save = outage.attempts
    journal.transition(transitionOf('a', someInstant + 1e6, { reason: poison }), healthOf('a'))
    for (const at of range(20)) change('a', at)
    await waitUntil('dividing has begun', () => outage.attempts > save + 2)
    outage.isAway = true
    await journal.flush()
    outage.isAway = false
    await waitUntil('all are stored', async () => (await instants('a')).length === 20)
    expect(await instants('a')).toEqual(range(20))
    await journal.stop()
    expect(errors.length).toBeGreaterThanOrEqual(1)
    expect(await store.loadHealths()).toHaveLength(1)
  })
})

describe('a service that is forgotten', () => {
  test('leaves nothing, whether it waits, is on its way or has failed', async () => {
    const { change, journal, recorder, instants, store, outage } = setUp({ retryMs: never })
    outage.isAway = true
    change('a', 1)
    change('b', 1)
    recorder.measured(a, { at: someInstant, ...measured })
    await journal.flush() // now it has failed
    change('a', 2)
    recorder.forget('a')
    await journal.forget('a')
    outage.isAway = false
    change('b', 2)
    await journal.stop()
    expect(await instants('a')).toEqual([])
    expect(await instants('b')).toEqual([1, 2])
    expect((await store.loadHealths()).map(({ serviceId }) => serviceId)).toEqual(['b'])
    expect(await store.rollups('a', '5m', always)).toEqual([])
  })

  test('is forgotten when what was on its way has arrived', async () => {
    const { change, journal, instants, store } = setUp()
    change('a', 1)
    const flushing = journal.flush()
    await journal.forget('a')
    await store.forget('a')
    await flushing
    await journal.stop()
    expect(await instants('a')).toEqual([])
    expect(await store.loadHealths()).toEqual([])
  })
})

describe('stopping', () => {
  test('stores everything, also when a transition has just begun to be stored', async () => {
    const { change, journal, recorder, instants, probes } = setUp()
    journal.start()
    change('a', 1)
    recorder.measured(a, { at: someInstant, ...measured })
    const flushing = journal.flush()
    change('a', 2)
    recorder.measured(a, { at: someInstant, ...measured })
    await journal.stop()
    await flushing
    expect(await instants('a')).toEqual([1, 2])
    expect(await probes('a')).toBe(2)
  })

  test('is not kept waiting by a database that is away, and tries no more', async () => {
    const { change, journal, outage } = setUp({ retryMs: 1 })
    outage.isAway = true
    change('a', 1)
    await journal.stop()
    const { attempts } = outage
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(outage.attempts).toBe(attempts)
  })
})
