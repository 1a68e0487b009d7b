import { type Cleanups, createCleanups } from '../platform/cleanups.ts'
import { systemClock } from '../platform/clock.ts'
import { untilAborted } from '../platform/deadline.ts'
import { isFault } from '../platform/fault.ts'
import type { Log } from '../platform/log.ts'
import { isUnavailable } from '../platform/postgres/connection-loss.ts'

/** Longer than a failover of the database, or a moment in which a machine has no time, takes. */
const patienceMs = 60_000
const pauseMs = 1_000

/** Returns whether something failed only because the database did not answer. */
export const isOfDatabase = (error: unknown): boolean => isUnavailable(error) || isFault(error, 'unavailable')

/**
 * Starts, and begins anew when the database did not answer on the way: a start asks it some fifty times, and one late answer is
 * no reason to end a process that was told to serve. When a start throws, what it had added to its cleanups is undone.
 */
export async function beginAnew<Started>(
  log: Log,
  signal: AbortSignal,
  start: (cleanups: Cleanups) => Promise<Started>,
): Promise<Started> {
  const beganAt = systemClock.monotonic()
  for (;;) {
    const cleanups = createCleanups(log)
    try {
      return await start(cleanups)
    } catch (error) {
      await cleanups.run()
      const isOver = signal.aborted || systemClock.monotonic() - beganAt > patienceMs
      if (isOver || !isOfDatabase(error)) throw error
      log.warn('the database did not answer during the start, which begins anew', { error })
    }
    await untilAborted(Bun.sleep(pauseMs), signal)
  }
}
