import type { Database } from './database.ts'

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
  readonly lookEveryMs: number
  /** Reads what is new and applies it, in one process one after the other. */
  readonly read: () => Promise<void>
  /** It could not be read; it is tried again. */
  readonly onFailed: (error: unknown) => void
}

export function createDatabaseFollower(options: DatabaseFollowerOptions): DatabaseFollower {
  const { database, channel, lookEveryMs, read, onFailed } = options
  let isLooking = false
  let isStopped = false
  let timer: Timer | undefined
  let last: Promise<void> = Promise.resolve()

  /** One after the other, so that an older reading never overtakes a newer one. */
  function sync(): Promise<void> {
    const mine = last.then(read, read)
    last = mine
    return mine
  }

  async function look(): Promise<void> {
    if (isLooking || isStopped) return
    isLooking = true
    try {
      await sync()
    } catch (error) {
      onFailed(error)
    } finally {
      isLooking = false
    }
  }

  return {
    async load() {
      await database.listen(channel, () => void look())
      database.onResume(() => void look())
      await sync()
    },
    sync,
    start() {
      timer = setInterval(() => void look(), lookEveryMs)
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      await Promise.allSettled([last])
    },
  }
}
