import { beforeEach, describe, expect, test } from 'bun:test'
import { createPinia, setActivePinia } from 'pinia'

import { AuthRefusal } from './auth-calls.ts'
import { useConfirmation } from './confirmation.ts'

beforeEach(() => setActivePinia(createPinia()))

/** A call that is refused as long as the session is not fresh. */
function callUnderTest() {
  const call = {
    isFresh: false,
    times: 0,
    async run() {
      call.times++
      if (!call.isFresh) throw new AuthRefusal('stale_session', 'Confirm first who you are')
      return 'done'
    },
  }
  return call
}

describe('a call that needs a fresh session', () => {
  test('is made again after the person confirmed', async () => {
    const confirmation = useConfirmation()
    const call = callUnderTest()
    const done = confirmation.withFreshSession(call.run)
    await Promise.resolve()
    await Promise.resolve()
    expect([confirmation.isAsked, call.times]).toEqual([true, 1])
    call.isFresh = true
    confirmation.settle(true)
    expect([await done, call.times, confirmation.isAsked]).toEqual(['done', 2, false])
  })

  test('is not made again when the person would not, and says so', async () => {
    const confirmation = useConfirmation()
    const call = callUnderTest()
    const done = confirmation.withFreshSession(call.run)
    const outcome = done.catch((error: Error) => error.message)
    await Promise.resolve()
    await Promise.resolve()
    confirmation.settle(false)
    expect([await outcome, call.times]).toEqual(['Nothing was done: you did not confirm who you are.', 1])
  })

  test('two of them ask once', async () => {
    const confirmation = useConfirmation()
    const calls = [callUnderTest(), callUnderTest()]
    const done = Promise.all(calls.map((call) => confirmation.withFreshSession(call.run)))
    await Promise.resolve()
    await Promise.resolve()
    for (const call of calls) call.isFresh = true
    confirmation.settle(true)
    expect(await done).toEqual(['done', 'done'])
  })

  test('is refused for another reason: nobody is asked', async () => {
    const confirmation = useConfirmation()
    const refused = confirmation.withFreshSession(async () => {
      throw new AuthRefusal('not_found', 'There is no such key')
    })
    await expect(refused).rejects.toThrow('There is no such key')
    expect(confirmation.isAsked).toBe(false)
  })
})

test('who signed in too long ago to begin something is asked first', async () => {
  const confirmation = useConfirmation()
  const ready = confirmation.ensureFresh()
  expect(confirmation.isAsked).toBe(true)
  confirmation.settle(true)
  await ready
})
