import type { Database } from './database.ts'
import { createPeriodicJob } from './periodic-job.ts'
import { createSerialRuns } from './serial-runs.ts'

/** Keeps what this process has in memory in step with the database. */
export interface DatabaseFollower {
  /** Reads it for the first time. Throws when the database is away. */
  load(): Promise<void>
  /** Applies what was committed before the call. */
  sync(): Promise<void>
  start(): void
  stop(): Promise<void>
}

interface DatabaseFollowerOptions {
  readonly database: Database
  /** Notified of by those who change something. */
  readonly channel: string
  /** Notifications can be lost without a sign; a change is known after this time all the same. */
  readonly pollEveryMs: number
  /** Reads what is new and applies it, in one process one after the other. */
  readonly read: () => Promise<void>
  /** It could not be read; it is tried again. */
  readonly onFailed: (error: unknown) => void
  /** Returns whether a notification tells of something that is not applied yet. By default each one does. */
  readonly isNew?: (payload: string) => boolean
  /** Called before the reading that follows an outage. */
  readonly onOutageOver?: () => void
}

export function createDatabaseFollower(options: DatabaseFollowerOptions): DatabaseFollower {
  const { database, channel, pollEveryMs, read, onFailed, isNew = () => true, onOutageOver } = options
  const { run, runUnlessRunning, settled } = createSerialRuns(read)
  const polling = createPeriodicJob(pollEveryMs, runUnlessRunning, onFailed)
  let isStopped = false

  function syncInBackground(): void {
    if (!isStopped) run().catch(onFailed)
  }

  return {
    async load() {
      await database.listen(channel, (payload) => {
        if (isNew(payload)) syncInBackground()
      })
      database.onResume(() => {
        onOutageOver?.()
        syncInBackground()
      })
      await run()
    },
    sync: run,
    start: polling.start,
    async stop() {
      isStopped = true
      await polling.stop()
      await settled()
    },
  }
}
