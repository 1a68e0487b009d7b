import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'

import { silentLog, type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { dyingDatabase } from '../../usage/test-support/dying-database.ts'
import { openUpstreamBudgets, type UpstreamBudgets } from './budgets.ts'

let testbed: TestDatabase
const opened: UpstreamBudgets[] = []
let now = Date.parse('2026-11-23T10:00:00.250Z') + 0.125

beforeAll(async () => {
  testbed = await testDatabase()
})
afterEach(async () => {
  for (const each of opened.splice(0)) await each.stop()
})
afterAll(() => testbed?.drop())

async function open(database = testbed.database, log = silentLog): Promise<UpstreamBudgets> {
  const budgets = await openUpstreamBudgets({ database, clock: { now: () => now }, log })
  opened.push(budgets)
  return budgets
}

const paid = (id: string, requests = 10) => ({ identity: id, budget: { requests, per: 'day' as const } })

test('what was spent survives a restart', async () => {
  const before = await open()
  before.of('main', paid('a'))?.spend(7, 0, now)
  await before.stop()
  const after = await open()
  const budget = after.of('main', paid('a'))
  expect(budget?.waitMs(3, 0, now)).toBe(0)
  expect(budget?.waitMs(4, 0, now)).toBeGreaterThan(0)
  expect((await open()).of('other', paid('a'))?.use(now)).toMatchObject({ used: 0 })
})

const seen = (budgets: UpstreamBudgets) => budgets.use('main', 'b')?.used

test('two processes spend one budget', async () => {
  const [one, other] = [await open(), await open()]
  const [mine, theirs] = [one.of('main', paid('b')), other.of('main', paid('b'))]
  mine?.spend(4, 0, now)
  theirs?.spend(5, 0, now)
  await waitUntil('both know of all', () => seen(one) === 9 && seen(other) === 9)
  expect(mine?.waitMs(2, 0, now)).toBeGreaterThan(0)
})

test('a budget that is changed goes on where it was, and the next day begins anew', async () => {
  const budgets = await open()
  budgets.of('main', paid('c', 10))?.spend(8, 0, now)
  expect(budgets.of('main', paid('c', 20))?.use(now)).toMatchObject({ used: 8, amount: 20 })
  now += 86_400_000
  expect(budgets.use('main', 'c')).toMatchObject({ used: 0, amount: 20 })
  expect(budgets.of('main', { identity: 'c', budget: null })).toBeNull()
})

test('what was written though nobody could know it is counted once, and what was spent meanwhile with it', async () => {
  const database = dyingDatabase(testbed.database)
  let lost = 0
  const budgets = await open(database, { ...silentLog, warn: () => void lost++ })
  const budget = budgets.of('main', paid('d', 100))
  budget?.spend(4, 0, now)
  database.weather = 'lost answer'
  await waitUntil('the first answer is lost', () => lost === 1)
  budget?.spend(1, 0, now)
  await waitUntil('the next one, too', () => lost === 2)
  database.weather = 'away'
  await waitUntil('the database is away', () => lost === 3)
  expect(budget?.use(now)).toMatchObject({ used: 5 })
  database.weather = 'fair'
  await budgets.stop()
  expect(budget?.use(now)).toMatchObject({ used: 5 })
  expect((await open()).of('main', paid('d', 100))?.use(now)).toMatchObject({ used: 5 })
})
