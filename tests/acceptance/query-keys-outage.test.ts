// Mostly waits: for a database that is away.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { Fault } from '../../server/platform/fault.ts'
import { author } from '../../server/keys/test-support/key-world.ts'
import { type SteadyClock, createSteadyClock } from '../../server/platform/steady-clock.ts'
import { goesOnWithoutDatabaseSec } from '../../server/query-keys/query-key.ts'
import {
  type QueryKeyNode,
  keyForm,
  plainCaller,
  queryKeyNode,
} from '../../server/query-keys/test-support/query-key-nodes.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { type FarDatabase, connectFar } from '../support/far-database.ts'

let own: TestDatabase
let elsewhere: FarDatabase
let near: QueryKeyNode
let far: QueryKeyNode

const clock = createSteadyClock(systemClock)
/** That of the process which will be cut off. */
const farClock = movedClock(clock)
const anna = author('acc_anna')

beforeAll(async () => {
  own = await testDatabase()
  elsewhere = await connectFar(own.url)
  near = await queryKeyNode(own.database, { clock })
  far = await queryKeyNode(elsewhere.database, { clock: farClock })
  for (const { queryKeys } of [near, far]) queryKeys.start()
})

afterAll(async () => {
  elsewhere.proxy.set({})
  for (const { queryKeys } of [near, far]) await queryKeys.stop()
  await elsewhere.close()
  await own.drop()
})

function movedClock(real: SteadyClock) {
  const moved = {
    aheadMs: 0,
    now: () => real.now() + moved.aheadMs,
    earliest: () => real.earliest() + moved.aheadMs,
    latest: () => real.latest() + moved.aheadMs,
  }
  return moved
}

/** The kind of the verdict, or the code of the fault. */
async function answerOf({ queryKeys }: QueryKeyNode, value: string): Promise<string> {
  try {
    return (await queryKeys.authorize(value, 'testnet', plainCaller)).kind
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

test.each(['blackHole', 'refuse'] as const)(
  'while the database is away (%s), known keys work without delay and unknown ones are a 503; afterwards it catches up',
  async (damage) => {
    const { proxy } = elsewhere
    const { key, value } = await near.queryKeys.create(anna, keyForm())
    const expiring = await near.queryKeys.create(anna, keyForm({ expiresAt: Date.now() + 3_500 }))
    expect([await answerOf(far, value), await answerOf(far, expiring.value)]).toEqual(['allowed', 'allowed'])

    proxy.set({ [damage]: true })
    if (damage === 'refuse') proxy.cut()
    const { value: unknown } = await near.queryKeys.create(anna, keyForm())
    let slowestMs = 0
    await waitUntil(
      'the memory is older than it may be',
      async () => {
        const startedAt = performance.now()
        expect(await answerOf(far, value)).toBe('allowed')
        slowestMs = Math.max(slowestMs, performance.now() - startedAt)
        return !far.queryKeys.isFresh()
      },
      5_000,
    )
    await waitUntil(
      'unknown keys cannot be looked up',
      async () => (await answerOf(far, unknown)) === 'unavailable',
    )
    for (let use = 0; use < 1_000; use++) {
      const startedAt = performance.now()
      expect(far.queryKeys.authorize(value, 'testnet', plainCaller)).toMatchObject({ kind: 'allowed' })
      slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    }
    expect(slowestMs).toBeLessThan(1_500)
    expect(await answerOf(far, 'gqk_junk')).toBe('invalid')
    await waitUntil(
      'what expires meanwhile ends all the same',
      async () => (await answerOf(far, expiring.value)) === 'invalid',
      5_000,
    )

    const heard: (string | null)[] = []
    const stopListening = far.queryKeys.onChange((id) => void heard.push(id))
    // The process that is cut off still accepts it, and nobody is told otherwise.
    expect((await near.queryKeys.setEnabled(anna, key.id, false)).propagated).toBe(false)
    expect([await answerOf(near, value), await answerOf(far, value)]).toEqual(['invalid', 'allowed'])
    proxy.set({})
    await waitUntil('it is back', () => far.queryKeys.isFresh(), 15_000)
    expect([await answerOf(far, value), await answerOf(far, unknown)]).toEqual(['invalid', 'allowed'])
    expect(heard).toContain(key.id)
    stopListening()
    expect((await near.queryKeys.setEnabled(anna, key.id, true)).propagated).toBe(true)
    expect(await answerOf(far, value)).toBe('allowed')
  },
  30_000,
)

test('a process that is cut off for five minutes refuses, and only then a change says that it reached all', async () => {
  const { proxy } = elsewhere
  const { key, value } = await near.queryKeys.create(anna, keyForm())
  expect(await answerOf(far, value)).toBe('allowed')
  proxy.set({ refuse: true })
  proxy.cut()
  await waitUntil('the memory is older than it may be', () => !far.queryKeys.isFresh(), 5_000)
  expect(await answerOf(far, value)).toBe('allowed')

  farClock.aheadMs = (goesOnWithoutDatabaseSec - 10) * 1_000
  await lastSeen(goesOnWithoutDatabaseSec - 10)
  expect((await near.queryKeys.setEnabled(anna, key.id, false)).propagated).toBe(false)
  expect(await answerOf(far, value)).toBe('allowed')

  await waitUntil('it is known to be cut off', () => far.queryKeys.databaseState() === 'away')

  farClock.aheadMs = goesOnWithoutDatabaseSec * 1_000
  expect(far.queryKeys.databaseState()).toBe('away_too_long')
  await lastSeen(goesOnWithoutDatabaseSec)
  expect(await answerOf(far, value)).toBe('unavailable')
  expect((await near.queryKeys.setEnabled(anna, key.id, true)).propagated).toBe(false)
  await lastSeen(goesOnWithoutDatabaseSec + 11)
  expect((await near.queryKeys.setEnabled(anna, key.id, false)).propagated).toBe(true)
  expect(await answerOf(far, value)).toBe('unavailable')

  proxy.set({})
  await waitUntil('it is back', () => far.queryKeys.isFresh(), 15_000)
  expect(far.queryKeys.databaseState()).toBe('answering')
  expect(await answerOf(far, value)).toBe('invalid')
}, 30_000)

/** Moves the last heartbeat of the process that is cut off. */
const lastSeen = (agoSec: number): Promise<unknown> =>
  own.database.run(
    (sql) => sql`
      UPDATE nodes SET seen_at = now() - make_interval(secs => ${agoSec})
      WHERE seen_at = (SELECT min(seen_at) FROM nodes)`,
  )
