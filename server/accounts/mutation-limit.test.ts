import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../scripts/world/database.ts'
import { Fault } from '../platform/fault.ts'
import { type MutationRates, createMutationLimit } from './mutation-limit.ts'

let own: TestDatabase
let at = Date.UTC(2026, 0, 1)
let accounts = 0

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own?.drop())

async function newAccount(): Promise<string> {
  const id = `acc_${(accounts += 1)}`
  await own.database.sql`INSERT INTO accounts (id, role, created_at) VALUES (${id}, 'account', now())`
  return id
}

/** One process of an installation. */
const limitOf = (rates: MutationRates, operators: readonly string[] = []) =>
  createMutationLimit({
    database: own.database,
    clock: { now: () => at },
    rates,
    isOperator: async (id) => operators.includes(id),
  })

/** Null: it was counted; otherwise the seconds to wait. */
async function waitOf(work: Promise<void>): Promise<number | null> {
  try {
    await work
    return null
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'rate_limited') throw error
    return error.retryAfterSec ?? -1
  }
}

test('of many at once in several processes exactly as many are let through as the limit says', async () => {
  const rates = { perMinute: 10, perDay: 1_000 }
  const processes = [limitOf(rates), limitOf(rates), limitOf(rates)]
  const anna = await newAccount()
  const waits = await Promise.all(
    processes.flatMap((count) => Array.from({ length: 20 }, () => waitOf(count(anna, 1)))),
  )
  expect(waits.filter((wait) => wait === null)).toHaveLength(10)
  expect(await waitOf(limitOf(rates)(await newAccount(), 1))).toBeNull()
})

test('the time to wait is true to the second, and a restart does not shorten it', async () => {
  const rates = { perMinute: 2, perDay: 1_000 }
  const count = limitOf(rates)
  const anna = await newAccount()
  await count(anna, 1)
  at += 20_000
  await count(anna, 1)
  for (const one of [count, limitOf(rates)]) expect(await waitOf(one(anna, 1))).toBe(40)
  at += 39_999
  for (const one of [count, limitOf(rates)]) expect(await waitOf(one(anna, 1))).toBe(1)
  at += 1
  expect(await waitOf(count(anna, 1))).toBeNull()
})

test('a day has its own limit, whose end is told', async () => {
  const count = limitOf({ perMinute: 2, perDay: 4 })
  const anna = await newAccount()
  await count(anna, 2)
  at += 60_000
  await count(anna, 2)
  at += 60_000
  expect(await waitOf(count(anna, 1))).toBe(86_400 - 120)
  at += 86_400_000 - 120_000
  expect(await waitOf(count(anna, 1))).toBeNull()
})

test('a batch is counted whole or not at all', async () => {
  const count = limitOf({ perMinute: 5, perDay: 1_000 })
  const anna = await newAccount()
  await count(anna, 3)
  expect(await waitOf(count(anna, 3))).toBe(60)
  expect(await waitOf(count(anna, 2))).toBeNull()
  expect(await waitOf(count(anna, 1))).toBe(60)
  expect(await waitOf(count(await newAccount(), 6))).toBe(60)
})

test('operators are not limited', async () => {
  const anna = await newAccount()
  const count = limitOf({ perMinute: 1, perDay: 1 }, [anna])
  for (let made = 0; made < 5; made++) expect(await waitOf(count(anna, 1))).toBeNull()
})
