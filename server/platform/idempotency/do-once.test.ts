import { afterAll, beforeAll, expect, test } from 'bun:test'

import { silentLog, type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { connectTo, handClock, hashKey, testVault } from '../../keys/test-support/key-world.ts'
import type { Database } from '../database.ts'
import { fault } from '../fault.ts'
import { createDoOnce } from './do-once.ts'
import { createIdempotency, hashBy } from './idempotency.ts'

/** Two processes of one installation. */
let own: TestDatabase
let other: Database
const clock = handClock()

beforeAll(async () => {
  own = await testDatabase()
  other = await connectTo(own.url)
})
afterAll(async () => {
  await other?.close()
  await own?.drop()
})

function doOnceAt(database: Database) {
  const parts = { database, log: silentLog }
  const options = { vault: testVault, hashOf: hashBy(hashKey), now: clock.now, isWaitedFor: true }
  return createDoOnce({ ...parts, idempotency: createIdempotency({ ...parts, ...options }) })
}

let keys = 0
const newRequest = () => ({ accountId: 'acc_1', key: `key ${(keys += 1)}`, content: 'content' })

const refused = () => Promise.reject(fault('conflict', 'The name is taken'))

/** Work that answers how often it was done. */
function counted() {
  let count = 0
  return { work: () => Promise.resolve({ count: (count += 1) }), count: () => count }
}

test('a repetition is answered as the first request, also by another process, and also where the answer is empty', async () => {
  const { work, count } = counted()
  const request = newRequest()
  expect(await doOnceAt(own.database)(request, work)).toEqual({ count: 1 })
  expect(await doOnceAt(own.database)(request, work)).toEqual({ count: 1 })
  expect(await doOnceAt(other)(request, work)).toEqual({ count: 1 })
  expect(count()).toBe(1)

  const empty = newRequest()
  for (const database of [own.database, other])
    expect(await doOnceAt(database)(empty, () => Promise.resolve())).toBeUndefined()
})

test('another content under the key is refused; another account and another key are other requests', async () => {
  const { work } = counted()
  const doOnce = doOnceAt(own.database)
  const request = newRequest()
  await doOnce(request, work)
  await expect(doOnce({ ...request, content: 'changed' }, work)).rejects.toThrow(
    'was used for another request',
  )
  expect(await doOnce({ ...request, accountId: 'acc_2' }, work)).toEqual({ count: 2 })
  expect(await doOnce(newRequest(), work)).toEqual({ count: 3 })
})

test('a repetition waits for work of its process, and is refused by another one while that is done', async () => {
  const { work, count } = counted()
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const request = newRequest()
  const doOnce = doOnceAt(own.database)
  const first = doOnce(request, async () => {
    begun.resolve()
    await released.promise
    return work()
  })
  const repeated = doOnce(request, work)
  await begun.promise
  const refusal = await doOnceAt(other)(request, work).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'conflict', retryAfterSec: 1 })
  released.resolve()
  expect(await Promise.all([first, repeated])).toEqual([{ count: 1 }, { count: 1 }])
  expect(count()).toBe(1)
  expect(await doOnceAt(other)(request, work)).toEqual({ count: 1 })
})

test('what was refused is done when it is sent again, and what was done is done anew after a day', async () => {
  const { work } = counted()
  const doOnce = doOnceAt(own.database)
  const request = newRequest()
  await expect(doOnce(request, refused)).rejects.toThrow('The name is taken')
  expect(await doOnce(request, work)).toEqual({ count: 1 })
  clock.at += 24 * 3_600_000 - 1
  expect(await doOnce(request, work)).toEqual({ count: 1 })
  clock.at += 1
  expect(await doOnce(request, work)).toEqual({ count: 2 })
})
