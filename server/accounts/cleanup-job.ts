import type { Log } from '../platform/log.ts'
import { type PeriodicJob, createPeriodicJob } from '../platform/periodic-job.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { PendingStore } from './pending/store.ts'
import type { Sessions } from './sessions/sessions.ts'

const intervalMs = 600_000

interface CleanupParts {
  readonly pending: PendingStore
  readonly sessions: Sessions
  readonly clock: SteadyClock
  readonly log: Log
}

/** Removes from time to time what is over anyway: sessions, and sign-ins that nobody finished. */
export function createCleanupJob({ pending, sessions, clock, log }: CleanupParts): PeriodicJob {
  async function clean(): Promise<void> {
    await pending.removeExpired(clock.now())
    await sessions.removeDead(clock.now())
  }

  return createPeriodicJob(intervalMs, clean, (error) =>
    log.warn('sessions that are over were not removed', { error }),
  )
}
