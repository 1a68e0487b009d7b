import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import { type LeaseStore, LeaseLost, createLeaseStore, requireLease } from './lease-store.ts'

let world: TestDatabase
let store: LeaseStore
beforeAll(async () => {
  world = await testDatabase()
  store = createLeaseStore(world.database)
})
afterAll(() => world?.drop())
beforeEach(() => world.database.run((sql) => sql`TRUNCATE leases`))

const lease = { name: 'work', shard: 0 }
const expire = () =>
  world.database.run((sql) => sql`UPDATE leases SET expires_at = now() - interval '1 millisecond'`)

test('one of many that claim it at once has it, under the first epoch', async () => {
  const claims = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((node) => store.claim(lease, node, null)))
  const holders = new Set(
    claims.flatMap((answer) => (answer === null ? [] : [`${answer.holder} ${answer.epoch}`])),
  )
  expect(holders.size).toBe(1)
  expect(await store.read(lease)).toMatchObject({ epoch: 1 })
})

test('it is renewed under the same epoch, and taken under a higher one only when it is over', async () => {
  expect(await store.claim(lease, 'a', null)).toMatchObject({ holder: 'a', epoch: 1 })
  expect(await store.claim(lease, 'b', null)).toMatchObject({ holder: 'a', epoch: 1 })
  const renewed = await store.claim(lease, 'a', 1)
  expect(renewed).toMatchObject({ holder: 'a', epoch: 1 })
  expect(renewed?.leftMs).toBeGreaterThan(2_900)
  await expire()
  expect(await store.claim(lease, 'b', null)).toMatchObject({ holder: 'b', epoch: 2 })
  expect(await store.claim(lease, 'a', 1)).toMatchObject({ holder: 'b', epoch: 2 })
})

test('its holder goes on under the same epoch when nobody else came, and under another when it had forgotten', async () => {
  await store.claim(lease, 'a', null)
  await expire()
  expect(await store.claim(lease, 'a', 1)).toMatchObject({ holder: 'a', epoch: 1 })
  await expire()
  expect(await store.claim(lease, 'a', null)).toMatchObject({ holder: 'a', epoch: 2 })
})

test('an epoch that the database has lost, as in a failover to a standby that was behind, is not given again', async () => {
  await store.claim(lease, 'a', null)
  await expire()
  // The claims of epochs 2 and 3 were acknowledged, and are gone.
  expect(await store.claim(lease, 'b', null, 3)).toMatchObject({ holder: 'b', epoch: 4 })
  expect(await store.claim(lease, 'b', 4, 4)).toMatchObject({ holder: 'b', epoch: 4 })
  await world.database.run((sql) => sql`TRUNCATE leases`)
  expect(await store.claim(lease, 'c', null, 4)).toMatchObject({ holder: 'c', epoch: 5 })
})

test('who releases it lets the next have it at once; who has lost it releases nothing', async () => {
  await store.claim(lease, 'a', null)
  await store.release(lease, { holder: 'a', epoch: 1 })
  expect(await store.claim(lease, 'b', null)).toMatchObject({ holder: 'b', epoch: 2 })
  await store.release(lease, { holder: 'a', epoch: 1 })
  expect(await store.claim(lease, 'a', null)).toMatchObject({ holder: 'b', epoch: 2 })
})

const writeAs = (holder: string, epoch: number, id: string) =>
  world.database.transaction(async (sql) => {
    await sql`INSERT INTO history_batches (id) VALUES (${id})`
    await requireLease(sql, lease, { holder, epoch })
  })

test('what is written under an older epoch is rolled back', async () => {
  await store.claim(lease, 'a', null)
  await writeAs('a', 1, 'first')
  await expire()
  await store.claim(lease, 'b', null)
  await expect(writeAs('a', 1, 'too late')).rejects.toBeInstanceOf(LeaseLost)
  await writeAs('b', 2, 'second')
  const rows = await world.database.run(
    (sql) => sql<{ id: string }[]>`SELECT id FROM history_batches ORDER BY id`,
  )
  expect(rows.map(({ id }) => id)).toEqual(['first', 'second'])
})

test('nobody takes it between the fence of a transaction and its commit', async () => {
  await store.claim(lease, 'a', null)
  await expire()
  const order: string[] = []
  let taking: Promise<unknown> = Promise.resolve()
  await world.database.transaction(async (sql) => {
    await requireLease(sql, lease, { holder: 'a', epoch: 1 })
    taking = store.claim(lease, 'b', null).then(() => order.push('taken'))
    await Bun.sleep(100)
    order.push('written')
  })
  await taking
  expect(order).toEqual(['written', 'taken'])
})
