import type { Log } from '../platform/log.ts'
import { type PeriodicJob, createPeriodicJob } from '../platform/periodic-job.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { PendingStore } from './pending/store.ts'
import type { Sessions } from './sessions/sessions.ts'

const intervalMs = 300_000

interface CleanupParts {
  readonly pending: PendingStore
  readonly sessions: Sessions
  readonly clock: SteadyClock
  readonly log: Log
  /** Brings what lists of accounts are sorted by up to date. */
  readonly refreshUse: () => Promise<void>
  /** Removes what was made for accounts while these were deleted. */
  readonly sweep: () => Promise<void>
}

/** Removes from time to time what is over anyway, and notes for lists how much each account used. */
export function createCleanupJob({
  pending,
  sessions,
  clock,
  log,
  refreshUse,
  sweep,
}: CleanupParts): PeriodicJob {
  async function clean(): Promise<void> {
    await pending.removeExpired(clock.now())
    await sessions.removeDead(clock.now())
    await sweep()
    await refreshUse()
  }

  return createPeriodicJob(intervalMs, clean, (error) =>
    log.warn('accounts were not brought up to date, nor sessions removed that are over', { error }),
  )
}
