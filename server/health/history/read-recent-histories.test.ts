import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/durations.ts'
import type { RecentHistory } from '../../../shared/health-services.ts'
import { historyBatchOf, rollupOf, rttsOf, transitionOf } from '../test-support/history-fixtures.ts'
import { someInstant } from '../test-support/virtual-clock.ts'
import { readHistory } from './read-history.ts'
import { readRecentHistories } from './read-recent-histories.ts'
import { createRecentStore } from './recent-store.ts'
import { type HistoryStore, createHistoryStore } from './store.ts'
import type { Transition } from './transition.ts'

const now = someInstant
const ago = (ms: number) => now - ms
let testbed: TestDatabase
let store: HistoryStore

/** Changes every 20 seconds for a week. */
const flapping: readonly Transition[] = Array.from({ length: 30_240 }, (_, index) =>
  transitionOf('flapping', ago(7 * dayMs - index * 20_000), { to: index % 2 === 0 ? 'DOWN' : 'UP' }),
)

beforeAll(async () => {
  testbed = await testDatabase()
  store = createHistoryStore(testbed.database)
  const good = { probes: 30, failures: 0, rtt: rttsOf(40) }
  await store.save(
    historyBatchOf('one', {
      transitions: [
        transitionOf('old', ago(200 * dayMs)),
        transitionOf('old', ago(30 * dayMs), { from: 'UP', to: 'DOWN' }),
        transitionOf('old', ago(30 * dayMs - 9 * hourMs), { from: 'DOWN', to: 'UP' }),
        transitionOf('old', ago(2 * hourMs), { from: 'UP', to: 'DOWN' }),
        transitionOf('old', ago(2 * hourMs - 5 * minuteMs), { from: 'DOWN', to: 'DOWN', reason: 'another' }),
        transitionOf('old', ago(2 * hourMs - 10 * minuteMs), { from: 'DOWN', to: 'UP' }),
        transitionOf('new', ago(17 * minuteMs)),
        transitionOf('worked-on', ago(3 * dayMs)),
        transitionOf('worked-on', ago(3 * hourMs), { from: 'UP', to: 'DOWN' }),
        ...flapping,
      ],
      rollups: [
        rollupOf('old', ago(3 * hourMs), { ...good, rtt: rttsOf(900) }),
        rollupOf('old', ago(20 * minuteMs), good),
        rollupOf('old', ago(10 * minuteMs), { ...good, failures: 15, rtt: rttsOf(70) }),
        rollupOf('new', ago(10 * minuteMs), { probes: 10, failures: 10 }),
      ],
    }),
  )
  await testbed.database.run(
    (sql) => sql`INSERT INTO maintenance_windows (service_id, starts_at, ends_at)
      VALUES ('worked-on', ${new Date(ago(3 * hourMs))}, NULL)`,
  )
})
afterAll(() => testbed?.drop())

const read = (...ids: string[]) => readRecentHistories(createRecentStore(testbed.database), ids, now)
const one = async (id: string): Promise<RecentHistory> => {
  const [history] = await read(id)
  if (history === undefined) throw new Error(`there is no history of ${id}`)
  return history
}

test('the strip shows the worst of each half hour, however short', async () => {
  const { strip, day } = await one('old')
  expect(strip).toHaveLength(48)
  expect(
    strip.map((part, place) => (part === 'DOWN' ? place : null)).filter((place) => place !== null),
  ).toEqual([44])
  expect(new Set(strip)).toEqual(new Set(['UP', 'DOWN']))
  expect(day).toMatchObject({ upMs: dayMs - 10 * minuteMs, downMs: 10 * minuteMs, notWatchedMs: 0 })
})

test('the uptime is that of the page of the service', async () => {
  const { availability, watchedMs } = await one('old')
  const { uptime } = await readHistory(store, 'old', '90d', now)
  expect(availability).toBe(uptime.availability)
  expect(watchedMs).toBe(90 * dayMs)
  expect(availability).toBeCloseTo(1 - (9 * hourMs + 10 * minuteMs) / (90 * dayMs), 8)
})

test('a new service was not watched before its first decision; one without any not at all', async () => {
  const { strip, day, availability, watchedMs } = await one('new')
  expect(strip.slice(0, 47)).toEqual(Array.from({ length: 47 }, () => null))
  expect(strip[47]).toBe('UP')
  expect(day.notWatchedMs).toBe(dayMs - 17 * minuteMs)
  expect([availability, watchedMs]).toEqual([1, 17 * minuteMs])
  const nothing = await one('nobody')
  expect(nothing).toMatchObject({ availability: null, watchedMs: 0, responseMs: null })
  expect(new Set(nothing.strip)).toEqual(new Set([null]))
})

test('announced work is neither up nor down', async () => {
  const { strip, day, availability } = await one('worked-on')
  expect(strip.slice(-6)).toEqual(Array.from({ length: 6 }, () => 'MAINTENANCE' as const))
  expect(day).toMatchObject({ maintenanceMs: 3 * hourMs, downMs: 0 })
  expect(availability).toBe(1)
})

test('the response time is the median of the last hour, weighted by good answers', async () => {
  expect((await one('old')).responseMs).toBeCloseTo((40 * 30 + 70 * 15) / 45, -1)
  expect((await one('new')).responseMs).toBeNull()
})

test('of one that flaps all the time only the newest changes are read, and the figure names its span', async () => {
  const { watchedMs, availability, strip } = await one('flapping')
  expect(watchedMs).toBe(600 * 20_000)
  expect(availability).toBeCloseTo(0.5)
  expect(strip[47]).toBe('DOWN')
})

test('all services of a page are read by two statements', async () => {
  const counted = { statements: 0 }
  const counting = new Proxy(testbed.database, {
    get(target, name, receiver) {
      if (name === 'run') counted.statements++
      return Reflect.get(target, name, receiver)
    },
  })
  const ids = ['old', 'new', 'worked-on', 'flapping', 'nobody']
  const histories = await readRecentHistories(createRecentStore(counting), ids, now)
  expect(histories.map(({ id }) => id)).toEqual(ids)
  expect(counted.statements).toBe(2)
})

test('of many services at once: when their decisions changed since an instant, without changes of a reason alone', async () => {
  const { changesSince } = createRecentStore(testbed.database)
  const changes = await changesSince(['old', 'new', 'flapping', 'unknown'], ago(3 * hourMs), 5)
  expect(changes.get('old')).toEqual([ago(2 * hourMs), ago(2 * hourMs - 10 * minuteMs)])
  expect(changes.get('new')).toEqual([ago(17 * minuteMs)])
  expect(changes.get('flapping')).toEqual(flapping.slice(-5).map(({ at }) => at))
  expect([...changes.keys()].toSorted()).toEqual(['flapping', 'new', 'old'])
})
