import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type HistoryRange, ServiceHistory } from '../../../shared/health-details.ts'
import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { historyBatchOf, rollupOf, transitionOf } from '../test-support/history-fixtures.ts'
import { someInstant } from '../test-support/virtual-clock.ts'
import { readHistory } from './read-history.ts'
import { type HistoryStore, createHistoryStore } from './store.ts'

const hour = 3_600_000
const now = someInstant
const hoursAgo = (hours: number) => now - hours * hour
const inSeconds = (at: number) => Math.floor(at / 1000)

let testbed: TestDatabase
let store: HistoryStore
beforeAll(async () => {
  testbed = await testDatabase()
  store = createHistoryStore(testbed.database)
  const transitions = [
    transitionOf('a', hoursAgo(30)),
    transitionOf('a', hoursAgo(12), { from: 'UP', to: 'DOWN', reason: '2 of 3 say BAD: TIMEOUT' }),
    transitionOf('a', hoursAgo(10), { from: 'DOWN', to: 'DOWN', reason: '3 of 3 say BAD: HTTP_5XX' }),
    transitionOf('a', hoursAgo(6), { from: 'DOWN', to: 'UP' }),
  ]
  await store.save(
    historyBatchOf('one', { transitions, rollups: [rollupOf('a', hoursAgo(1), { probes: 2 })] }),
  )
})
afterAll(() => testbed?.drop())

const read = async (range: HistoryRange, id = 'a') =>
  ServiceHistory.parse(await readHistory(store, id, range, now))

describe('a range', () => {
  test.each<[HistoryRange, number]>([
    ['15m', 0.25],
    ['1h', 1],
    ['6h', 6],
    ['24h', 24],
    ['7d', 7 * 24],
    ['30d', 30 * 24],
    ['90d', 90 * 24],
  ])('%s ends now', async (range, hours) => {
    expect(await read(range)).toMatchObject({ range, from: inSeconds(hoursAgo(hours)), to: inSeconds(now) })
  })

  test('begins with the decision that held then', async () => {
    const { uptime, transitions } = await read('24h')
    expect(transitions.map(({ to }) => to)).toEqual(['UP', 'DOWN', 'UP'])
    expect(uptime).toEqual({ availability: 0.75, healthy: 0.75, unknownShare: 0, watchedMs: 86_400_000 })
  })

  test('that began before the service was watched tells for how long it was', async () => {
    const { uptime } = await read('7d')
    expect(uptime.watchedMs).toBe(30 * 3_600_000)
    expect(uptime.unknownShare).toBe(0)
    expect(uptime.availability).toBeCloseTo(0.8)
  })

  test('has its incidents, in seconds', async () => {
    expect((await read('24h')).incidents).toEqual([
      {
        openedAt: inSeconds(hoursAgo(12)),
        closedAt: inSeconds(hoursAgo(6)),
        worst: 'DOWN',
        cause: '2 of 3 say BAD: TIMEOUT',
        transitions: 2,
        reasons: [
          { at: inSeconds(hoursAgo(12)), decision: 'DOWN', reason: '2 of 3 say DOWN: no answer in time' },
          { at: inSeconds(hoursAgo(10)), decision: 'DOWN', reason: '3 of 3 say DOWN: it fails inside (5xx)' },
        ],
        reasonsLeftOut: 0,
      },
    ])
  })

  test('has buckets of its own width', async () => {
    expect((await read('24h')).buckets).toMatchObject([{ at: inSeconds(hoursAgo(1)), probes: 2 }])
    expect((await read('7d')).buckets).toEqual([])
  })
})

test('announced maintenance counts neither way and is no incident', async () => {
  await testbed.database.run(
    (sql) => sql`INSERT INTO maintenance_windows (service_id, starts_at, ends_at)
      VALUES ('a', ${new Date(hoursAgo(12))}, ${new Date(hoursAgo(6))})`,
  )
  const { uptime, incidents } = await read('24h')
  expect(uptime.availability).toBe(1)
  expect(incidents).toEqual([])
})

test('a service without history was not watched', async () => {
  expect(await read('24h', 'nobody')).toMatchObject({
    uptime: { availability: null, healthy: null, unknownShare: null, watchedMs: 0 },
    transitions: [],
    incidents: [],
    buckets: [],
  })
})
