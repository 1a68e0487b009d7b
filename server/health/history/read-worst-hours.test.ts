import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/durations.ts'
import type { StripPart } from '../../../shared/health-services.ts'
import { historyBatchOf, transitionOf } from '../test-support/history-fixtures.ts'
import { someInstant } from '../test-support/virtual-clock.ts'
import { readWorstHours } from './read-worst-hours.ts'
import { createRecentStore } from './recent-store.ts'
import { createHistoryStore } from './store.ts'

/** Six minutes past a full hour. */
const now = Math.floor(someInstant / hourMs) * hourMs + 6 * minuteMs
const thisHour = now - 6 * minuteMs
const crowd = Array.from({ length: 1_100 }, (_, index) => `crowd-${index}`)
let testbed: TestDatabase

beforeAll(async () => {
  testbed = await testDatabase()
  await createHistoryStore(testbed.database).save(
    historyBatchOf('one', {
      transitions: [
        transitionOf('steady', now - 90 * dayMs),
        transitionOf('late', now - 30 * dayMs),
        transitionOf('late', thisHour - 3 * hourMs + 50 * minuteMs, { to: 'LATENCY' }),
        transitionOf('late', thisHour - 2 * hourMs + 10 * minuteMs, { to: 'UP' }),
        transitionOf('gone', now - dayMs - minuteMs),
        transitionOf('gone', thisHour - 2 * hourMs, { to: 'DOWN' }),
        transitionOf('gone', thisHour - hourMs, { to: 'UP' }),
        transitionOf('gone', now - minuteMs, { to: 'DOWN' }),
        transitionOf('new', thisHour - hourMs + minuteMs),
        transitionOf('worked-on', now - 30 * dayMs),
        ...crowd.map((id) => transitionOf(id, now - 30 * dayMs)),
        transitionOf('crowd-1099', thisHour - 5 * hourMs, { to: 'UNKNOWN' }),
      ],
    }),
  )
  await testbed.database.run(
    (sql) => sql`INSERT INTO maintenance_windows (service_id, starts_at, ends_at) VALUES
      ('worked-on', ${new Date(thisHour - 90 * minuteMs)}, ${new Date(thisHour - 30 * minuteMs)}),
      ('worked-on', ${new Date(now + minuteMs)}, NULL)`,
  )
})
afterAll(() => testbed?.drop())

const read = async (services: readonly (readonly [string, string])[], at = now) =>
  readWorstHours(createRecentStore(testbed.database), services, at)

/** The last hours of one group, the newest at the end. */
const lastOf = async (...ids: string[]): Promise<readonly StripPart[] | undefined> => {
  const { byGroup } = await read(ids.map((id) => [id, 'chain']))
  return byGroup.get('chain')?.slice(-4)
}

test('hours are those of the clock, and the last one is not over', async () => {
  const { from, byGroup } = await read([['steady', 'chain']])
  expect(from).toBe(thisHour - 23 * hourMs)
  expect(byGroup.get('chain')).toEqual(Array.from({ length: 24 }, () => 'UP' as const))
  expect((await read([['steady', 'chain']], thisHour)).from).toBe(thisHour - dayMs)
})

test('an hour is the worst that any service of the group was in it, however short', async () => {
  expect(await lastOf('late')).toEqual(['LATENCY', 'LATENCY', 'UP', 'UP'])
  expect(await lastOf('gone')).toEqual(['UP', 'DOWN', 'UP', 'DOWN'])
  expect(await lastOf('steady', 'late', 'gone')).toEqual(['LATENCY', 'DOWN', 'UP', 'DOWN'])
})

test('an hour in which nobody watched is none, unless another service was watched', async () => {
  expect(await lastOf('new')).toEqual([null, null, 'UP', 'UP'])
  expect(await lastOf('nobody')).toEqual([null, null, null, null])
  expect(await lastOf('new', 'nobody', 'late')).toEqual(['LATENCY', 'LATENCY', 'UP', 'UP'])
})

test('announced work is told where nothing is worse; what is only planned is not', async () => {
  expect(await lastOf('worked-on')).toEqual(['UP', 'MAINTENANCE', 'MAINTENANCE', 'UP'])
  expect(await lastOf('worked-on', 'gone')).toEqual(['UP', 'DOWN', 'MAINTENANCE', 'DOWN'])
})

test('groups stand apart, and more services than one statement asks about are all read', async () => {
  const { byGroup } = await read([['gone', 'other'], ...crowd.map((id) => [id, 'crowd'] as const)])
  expect([...byGroup.keys()]).toEqual(['other', 'crowd'])
  expect(byGroup.get('crowd')?.indexOf('UNKNOWN')).toBe(18)
  expect(byGroup.get('other')?.at(-1)).toBe('DOWN')
})
