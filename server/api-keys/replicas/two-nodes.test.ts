import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type TestDatabase, testDatabase } from '../../../scripts/world/database.ts'
import type { Database } from '../../platform/database.ts'
import { systemClock } from '../../platform/clock.ts'
import { createSteadyClock } from '../../platform/steady-clock.ts'
import { author, connectTo } from '../../keys/test-support/key-world.ts'
import { type KeyNode, keyInput, keyNode, plainUse } from '../test-support/key-nodes.ts'
import { covers } from '../../../tests/support/covers.ts'

let own: TestDatabase
let second: Database
let here: KeyNode
let there: KeyNode

const clock = createSteadyClock(systemClock)
const anna = author('acc_anna')

beforeAll(async () => {
  own = await testDatabase()
  second = await connectTo(own.url)
  here = await keyNode(own.database, { clock })
  there = await keyNode(second, { clock })
  for (const { apiKeys } of [here, there]) apiKeys.start()
})

afterAll(async () => {
  for (const { apiKeys } of [here, there]) await apiKeys.stop()
  await second.close()
  await own.drop()
})

const kindThere = async (value: string): Promise<string> =>
  (await there.apiKeys.authorize(value, plainUse)).kind

test('when a change returns, the other process goes by it already', async () => {
  for (let round = 0; round < 20; round++) {
    const { key, value } = await here.apiKeys.create(anna, keyInput())
    expect(await kindThere(value)).toBe('allowed')
    expect((await here.apiKeys.setEnabled(anna, key.id, false)).propagated).toBe(true)
    expect(await kindThere(value)).toBe('invalid')
    await here.apiKeys.setEnabled(anna, key.id, true)
    expect(await kindThere(value)).toBe('allowed')
    const { value: next } = await here.apiKeys.rotate(anna, key.id, 0)
    expect([await kindThere(value), await kindThere(next)]).toEqual(['invalid', 'allowed'])
    await here.apiKeys.update(anna, key.id, keyInput({ allowedIps: ['203.0.113.1'] }))
    expect(await kindThere(next)).toBe('ip_not_allowed')
    await here.apiKeys.delete(anna, key.id)
    expect(await kindThere(next)).toBe('invalid')
  }
})

test('no use that began after the disable returned is accepted, under load on both', async () => {
  covers('api-key-revocation-speed', 'threat-12')
  const keys = await Promise.all(Array.from({ length: 8 }, () => here.apiKeys.create(anna, keyInput())))
  const disabledAt = new Map<string, number>()
  const over = new AbortController()
  let accepted = 0
  let late = 0
  const load = [here, there].map(async ({ apiKeys }) => {
    while (!over.signal.aborted) {
      for (const { value } of keys) {
        const beganAt = performance.now()
        const { kind } = await apiKeys.authorize(value, plainUse)
        if (kind !== 'allowed') continue
        accepted += 1
        if (beganAt > (disabledAt.get(value) ?? Number.POSITIVE_INFINITY)) late += 1
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
  for (const [place, { key, value }] of keys.entries()) {
    const by = place % 2 === 0 ? here : there
    expect((await by.apiKeys.setEnabled(anna, key.id, false)).propagated).toBe(true)
    disabledAt.set(value, performance.now())
  }
  over.abort()
  await Promise.all(load)
  expect(accepted).toBeGreaterThan(100)
  expect(late).toBe(0)
})

test('changes of both at once: all of them are applied by both', async () => {
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, place) =>
      (place % 2 === 0 ? here : there).apiKeys.create(anna, keyInput({ name: `key ${place}` })),
    ),
  )
  expect(made.every(({ propagated }) => propagated)).toBe(true)
  for (const { value } of made) expect(await kindThere(value)).toBe('allowed')
  await Promise.all(
    made.map(({ key }, place) => (place % 2 === 0 ? there : here).apiKeys.delete(anna, key.id)),
  )
  for (const { value } of made) expect(await kindThere(value)).toBe('invalid')
})

describe('a process without notifications', () => {
  test('hears of a change by its heartbeat, and the call waits for it', async () => {
    const deaf: Database = { ...second, listen: () => Promise.resolve() }
    const node = await keyNode(deaf, { clock })
    node.apiKeys.start()
    const { key, value } = await here.apiKeys.create(anna, keyInput())
    expect((await node.apiKeys.authorize(value, plainUse)).kind).toBe('allowed')
    expect((await here.apiKeys.setEnabled(anna, key.id, false)).propagated).toBe(true)
    expect((await node.apiKeys.authorize(value, plainUse)).kind).toBe('invalid')
    await node.apiKeys.stop()
  })

  test('goes by its own changes at once', async () => {
    const deaf: Database = { ...second, listen: () => Promise.resolve() }
    const node = await keyNode(deaf, { clock })
    const { key, value } = await node.apiKeys.create(anna, keyInput())
    expect((await node.apiKeys.authorize(value, plainUse)).kind).toBe('allowed')
    expect((await node.apiKeys.setEnabled(anna, key.id, false)).propagated).toBe(true)
    expect((await node.apiKeys.authorize(value, plainUse)).kind).toBe('invalid')
    await node.apiKeys.stop()
  })

  test('and without a heartbeat is not waited for longer than a second, and asks the database', async () => {
    const deaf: Database = { ...second, listen: () => Promise.resolve() }
    const node = await keyNode(deaf, { clock })
    const { key, value } = await here.apiKeys.create(anna, keyInput())
    const startedAt = performance.now()
    const { propagated } = await here.apiKeys.setEnabled(anna, key.id, false)
    expect(propagated).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(1_900)
    // By now the memory of the silent process is older than two seconds.
    while (node.apiKeys.isAnsweringFromMemory()) await Bun.sleep(20)
    expect((await node.apiKeys.authorize(value, plainUse)).kind).toBe('invalid')
    await node.apiKeys.stop()
    expect((await here.apiKeys.setEnabled(anna, key.id, true)).propagated).toBe(true)
  })
})

test('a process that was away for more changes than are kept reads all keys anew', async () => {
  const deaf: Database = { ...second, listen: () => Promise.resolve() }
  const { key, value } = await here.apiKeys.create(anna, keyInput())
  const node = await keyNode(deaf, { clock })
  await here.apiKeys.setEnabled(anna, key.id, false)
  await here.apiKeys.create(anna, keyInput())
  await own.database.run(
    (sql) => sql`DELETE FROM key_changes WHERE version < (SELECT max(version) FROM key_changes)`,
  )
  await node.apiKeys.sync()
  expect(node.apiKeys.isAnsweringFromMemory()).toBe(true)
  expect(await node.apiKeys.authorize(value, plainUse)).toEqual({ kind: 'invalid', why: 'disabled' })
  await node.apiKeys.stop()
})

test('keys are found again by a process that starts later', async () => {
  const { key, value } = await here.apiKeys.create(anna, keyInput({ allowedDomains: ['*.example.com'] }))
  const { value: rotated } = await here.apiKeys.rotate(anna, key.id, 60_000)
  const late = await keyNode(second, { clock })
  for (const shown of [value, rotated]) {
    expect((await late.apiKeys.authorize(shown, plainUse)).kind).toBe('domain_not_allowed')
    const use = { ...plainUse, origin: 'https://app.example.com' }
    expect((await late.apiKeys.authorize(shown, use)).kind).toBe('allowed')
  }
  await late.apiKeys.stop()
})
