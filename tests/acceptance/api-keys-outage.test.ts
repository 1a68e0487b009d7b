// Mostly waits: for a database that is away.
import { afterAll, beforeAll, expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { Fault } from '../../server/platform/fault.ts'
import { createSteadyClock } from '../../server/platform/steady-clock.ts'
import { author } from '../../server/keys/test-support/key-world.ts'
import { type KeyNode, keyInput, keyNode, plainUse } from '../../server/api-keys/test-support/key-nodes.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { type FarDatabase, connectFar } from '../support/far-database.ts'

let own: TestDatabase
let elsewhere: FarDatabase
let near: KeyNode
let far: KeyNode

const clock = createSteadyClock(systemClock)
const anna = author('acc_anna')

beforeAll(async () => {
  own = await testDatabase()
  elsewhere = await connectFar(own.url)
  near = await keyNode(own.database, { clock })
  far = await keyNode(elsewhere.database, { clock })
  for (const { apiKeys } of [near, far]) apiKeys.start()
})

afterAll(async () => {
  elsewhere.proxy.set({})
  for (const { apiKeys } of [near, far]) await apiKeys.stop()
  await elsewhere.close()
  await own.drop()
})

/** The kind of the verdict, or the code of the fault. */
async function answerOf({ apiKeys }: KeyNode, value: string): Promise<string> {
  try {
    return (await apiKeys.authorize(value, plainUse)).kind
  } catch (error) {
    if (error instanceof Fault) return error.code
    throw error
  }
}

test.each(['blackHole', 'refuse'] as const)(
  'a process that is cut off (%s) refuses rather than go by what it knew, and catches up afterwards',
  async (damage) => {
    const { proxy } = elsewhere
    const { key, value } = await near.apiKeys.create(anna, keyInput())
    const { key: gone, value: goneValue } = await near.apiKeys.create(anna, keyInput())
    const silent = await near.apiKeys.create(anna, keyInput())
    expect([await answerOf(far, value), await answerOf(far, goneValue)]).toEqual(['allowed', 'allowed'])
    expect(await answerOf(far, silent.value)).toBe('allowed')

    proxy.set({ [damage]: true })
    if (damage === 'refuse') proxy.cut()
    const { propagated } = await near.apiKeys.setEnabled(anna, key.id, false)
    expect(propagated).toBe(false)
    expect(await answerOf(near, value)).toBe('invalid')
    await waitUntil('the cut-off process notices', () => !far.apiKeys.isAnsweringFromMemory(), 3_000)
    expect(await answerOf(far, value)).toBe('unavailable')
    expect(await answerOf(far, 'gak_junk')).toBe('invalid')
    // It has had no heartbeat for so long that nobody waits for it any more.
    await waitUntil('changes are quick again', async () => {
      const name = `renamed ${performance.now()}`
      return (await near.apiKeys.update(anna, gone.id, keyInput({ name }))).propagated
    })
    expect(await near.apiKeys.delete(anna, gone.id)).toEqual({ propagated: true })

    // As when a backup is restored: the keys are other ones, and no change says so.
    await own.database.run((sql) => sql`UPDATE api_keys SET is_enabled = false WHERE id = ${silent.key.id}`)

    proxy.set({})
    await waitUntil('it is back', () => far.apiKeys.isAnsweringFromMemory(), 15_000)
    expect([await answerOf(far, value), await answerOf(far, goneValue)]).toEqual(['invalid', 'invalid'])
    await waitUntil(
      'all keys are read anew',
      async () => (await answerOf(far, silent.value)) === 'invalid',
      3_000,
    )
    expect((await near.apiKeys.setEnabled(anna, key.id, true)).propagated).toBe(true)
    expect(await answerOf(far, value)).toBe('allowed')
  },
)
