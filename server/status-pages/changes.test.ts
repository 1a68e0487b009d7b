import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { dayMs } from '../../shared/durations.ts'
import { type IncidentStart, StatusPageSpec } from '../../shared/status-pages.ts'
import { createStatusPageChanges } from './changes.ts'
import { createStatusPageStore, type StatusPageStore } from './store.ts'

/** Incidents of a time that pages tell nothing of. */

const spec = StatusPageSpec.parse({
  page: 'main',
  title: 'Acme',
  groups: [{ name: 'A', services: [{ id: 'node-a', as: 'Mainnet' }] }],
})
const today = Date.parse('2026-11-24T12:00:00Z')
const spring = Date.parse('2026-05-01T10:00:00Z')
let now = today
const since = (): number => now - 91 * dayMs

let world: TestDatabase
let store: StatusPageStore
let changes: ReturnType<typeof createStatusPageChanges>

beforeAll(async () => {
  world = await testDatabase()
  store = createStatusPageStore(world.database)
  changes = createStatusPageChanges({
    replicas: {
      change: async (_kind, work) => {
        const { ids, result } = await world.database.transaction((sql) => work(sql))
        return { result, ids, propagated: true }
      },
    },
    store,
    now: () => now,
    since,
    ofFile: () => [spec],
    hasService: () => true,
    hasMailChannel: () => true,
    subscribers: { announce: () => Promise.resolve(), keepWanted: () => Promise.resolve() },
  })
})
afterAll(() => world?.drop())

const start = (given: Partial<IncidentStart>) =>
  changes.startIncident(
    {
      page: 'main',
      kind: 'incident',
      title: 'A disk failed',
      services: [],
      stage: 'resolved',
      text: 'Over.',
      ...given,
    },
    () => Promise.resolve(),
  )

const listed = async () => (await store.incidents(since())).map(({ id }) => id)

test('one that began in spring and is over now is told of for 90 days from its end', async () => {
  const { id } = await start({ startsAt: spring })
  expect(await listed()).toEqual([id])
  now = today + 92 * dayMs
  expect(await listed()).toEqual([])
  now = today
})

test('work that was over before is refused, and nothing is made', async () => {
  const before = await listed()
  const work = { kind: 'maintenance', stage: 'completed', startsAt: spring, endsAt: spring + dayMs } as const
  await expect(start(work)).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'endsAt: pages tell of 90 days only, and it was over before',
  })
  expect(await listed()).toEqual(before)
})

const count = () => world.database.transaction((sql) => store.countIncidents(sql, 'main', since()))

test('what no page tells of any more does not count', async () => {
  const { id } = await start({ stage: 'investigating', startsAt: spring })
  const had = await count()
  now = today + 92 * dayMs
  expect([await count(), await listed()]).toEqual([1, [id]])
  now = today
  expect(await count()).toBe(had)
})
