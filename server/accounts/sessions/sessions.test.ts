import { afterEach, beforeEach, expect, jest, test } from 'bun:test'

import { silentLog } from '../../../scripts/world/database.ts'
import type { Database } from '../../platform/database.ts'
import { systemClock } from '../../platform/clock.ts'
import { createSteadyClock } from '../../platform/steady-clock.ts'
import { readOperators } from '../operators.ts'
import { createSessions } from './sessions.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

/** Returns whether the streams of an account end within 15 s in a process whose database is as given. */
async function areEnded(notifications: ReturnType<Database['notifications']>, isAway: boolean) {
  const database = {
    notifications: () => notifications,
    load: () => ({ underWay: 0, isAway }),
    listen: async () => undefined,
    onResume: () => undefined,
  } as unknown as Database
  const sessions = createSessions({
    database,
    clock: createSteadyClock(systemClock),
    log: silentLog,
    operators: readOperators([]),
    keySync: { follow: () => undefined },
  })
  await sessions.start()
  const stream = sessions.streamEnd('acc_1')
  jest.advanceTimersByTime(15_000)
  await sessions.stop()
  return stream.aborted
}

test.each([
  ['heard', false, false],
  ['none', false, true],
  ['away', false, true],
  // A database that is away altogether could not sign anybody in again.
  ['none', true, false],
  ['away', true, false],
] as const)(
  'streams, while notifications are %s and the database is away: %p, end after 15 s: %p',
  async (notifications, isAway, isEnded) => expect(await areEnded(notifications, isAway)).toBe(isEnded),
)
