// Mostly waits: for a process that stands still.
import { afterEach, describe, expect, test } from 'bun:test'

import { silentLog } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { LimitedCall } from '../../server/limits/limit-decision.ts'
import { createSharedLimits, type SharedLimits } from '../../server/limits/shared-store/shared-limits.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { hasRedis, sharedStore } from './limits/shared-store.ts'

/** Processes that stand still for seconds, as under SIGSTOP or on a machine that was suspended. */

const store = sharedStore()
const opened: SharedLimits[] = []

afterEach(() => {
  for (const limits of opened.splice(0)) limits.close()
})

function open(): SharedLimits {
  const limits = createSharedLimits({
    store: { url: store.url, prefix: 'gatehouse:test' },
    clock: systemClock,
    log: silentLog,
    whenStoreLost: 'closed',
    maxKeys: 10,
  })
  opened.push(limits)
  return limits
}

const call = (keyId: string): LimitedCall => ({
  keyId,
  rate: { units: 100, period: 'second' },
  credits: null,
  calls: 1,
  cost: 0,
})
const kindsOf = async (answers: readonly ReturnType<SharedLimits['admit']>[]): Promise<string[]> =>
  (await Promise.all(answers)).map(({ kind }) => kind)

/** Longer than the others wait before they give a silent process up. */
const standstillMs = 2_000

describe.skipIf(!hasRedis)('a process that stood still for two seconds', () => {
  test('refuses neither what it had been asked before, nor what it is asked now', async () => {
    const limits = [open(), open()]
    for (const one of limits) {
      await waitUntil(
        'the store grants',
        async () => (await kindsOf([one.admit(call('first'))]))[0] === 'admitted',
      )
      await waitUntil('both are known', () => one.processes() === 2)
    }
    for (const round of ['one', 'two', 'three']) {
      const before = limits.map((one) => one.admit(call(`before ${round}`)))
      Bun.sleepSync(standstillMs)
      const after = limits.map((one) => one.admit(call(`after ${round}`)))
      expect(await kindsOf([...before, ...after])).toEqual(Array.from({ length: 4 }, () => 'admitted'))
      // One gave the other up: each asks again while it is not known to it.
      const again = limits.flatMap((one) =>
        [1, 2, 3].map((count) => one.admit(call(`again ${round} ${count}`))),
      )
      expect(new Set(await kindsOf(again))).toEqual(new Set(['admitted']))
    }
  }, 30_000)
})
