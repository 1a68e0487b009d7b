import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { type BudgetStore, createBudgetStore } from './store.ts'

let testbed: TestDatabase
let store: BudgetStore

beforeAll(async () => {
  testbed = await testDatabase()
  store = createBudgetStore(testbed.database)
})
afterAll(() => testbed?.drop())

const from = Date.parse('2026-11-23T00:00:00Z')
const spentBy = (upstream: string, units: number) => [
  { endpoint: 'main', upstream, unit: 'requests', from, units },
]

test('a batch adds once, how often and late it may come, and each writer has its own', async () => {
  const first = { writer: 'a', number: 1, spent: spentBy('node', 4) }
  const second = { ...first, number: 2, spent: spentBy('node', 1) }
  const others = { ...first, writer: 'b' }
  expect(await store.add(first)).toEqual(spentBy('node', 4))
  expect(await store.add(first)).toEqual(spentBy('node', 4))
  expect(await store.add(second)).toEqual(spentBy('node', 5))
  expect(await store.add(first)).toEqual(spentBy('node', 5))
  expect(await store.add(others)).toEqual(spentBy('node', 9))
})

const waiting = async (): Promise<number> => {
  const [row] = await testbed.database.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return row?.count ?? 0
}

test.each([1, 2])('tries that all hang are carried out together, and add once (batch %i)', async (number) => {
  const batch = { writer: 'c', number, spent: spentBy('slow', 3) }
  await store.add({ writer: 'd', number, spent: spentBy('slow', 1) })
  const tries = await testbed.database.transaction(async (sql) => {
    await sql`SELECT FROM upstream_budgets WHERE upstream = 'slow' FOR UPDATE`
    const sent = [store.add(batch), store.add(batch), store.add(batch)]
    await waitUntil('all of them wait', async () => (await waiting()) === sent.length)
    return { sent }
  })
  for (const total of await Promise.all(tries.sent)) expect(total).toEqual(spentBy('slow', 4 * number))
})

test('the last batches of writers are forgotten with the budgets of their time', async () => {
  const writers = async () => {
    const rows = await testbed.database.sql<{ id: string }[]>`SELECT id FROM upstream_budget_writers`
    return rows.map(({ id }) => id)
  }
  await store.add({ writer: 'old', number: 1, spent: spentBy('node', 1) })
  await store.add({ writer: 'new', number: 1, spent: spentBy('node', 1) })
  await testbed.database
    .sql`UPDATE upstream_budget_writers SET written_at = ${new Date(from)} WHERE id = 'old'`
  await store.load(from)
  expect(await writers()).toContain('old')
  await store.load(from + 1)
  expect(await writers()).toContain('new')
  expect(await writers()).not.toContain('old')
})
