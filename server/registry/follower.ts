import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { UnusableSnapshot } from './read/limits.ts'
import { changesChannel } from './store.ts'
import type { RegistryStore, StoredImport } from './store.ts'

/** Keeps this process's registry in step with the newest import of any process. */
export interface Follower {
  /** Reads it. Throws when the database is away. */
  load(): Promise<void>
  /** Puts in force what was imported before the call. */
  sync(): Promise<void>
  start(): void
  stop(): Promise<void>
}

interface FollowerOptions {
  readonly database: Database
  readonly store: RegistryStore
  readonly log: Log
  /** Throws `UnusableSnapshot`; then what was in force stays. */
  readonly apply: (made: StoredImport, content: Uint8Array) => Promise<void>
}

/** Notifications can be lost without a sign; an import is known within seconds all the same. */
const lookEveryMs = 5_000

export function createFollower({ database, store, log, apply }: FollowerOptions): Follower {
  /** The newest import that was looked at, whether or not it is in force. */
  let seen: string | null = null
  let isLooking = false
  let isStopped = false
  let timer: Timer | undefined
  let last: Promise<void> = Promise.resolve()

  async function read(): Promise<void> {
    const newest = await store.newest()
    if (newest === null || newest.id === seen) return
    const content = await store.content(newest.id)
    if (content === null) return
    try {
      await apply(newest, content)
    } catch (error) {
      if (!(error instanceof UnusableSnapshot)) throw error
      log.error('an imported registry is not in force; the last good one stays', { problem: error.message })
    }
    seen = newest.id
  }

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
      log.warn('the registry could not be brought up to date', { error })
    } finally {
      isLooking = false
    }
  }

  return {
    async load() {
      await database.listen(changesChannel, () => void look())
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
