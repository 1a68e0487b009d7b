import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { changesChannel } from './store.ts'
import type { EndpointStore, StoredEndpoint } from './store.ts'

/** Keeps this process's memory of the endpoints of the console in step with the database. */
export interface Follower {
  /** Reads them. Throws when the database is away. */
  load(): Promise<void>
  /** Applies what was committed before the call. */
  sync(): Promise<void>
  start(): void
  stop(): Promise<void>
}

interface FollowerOptions {
  readonly database: Database
  readonly store: EndpointStore
  readonly log: Log
  readonly apply: (endpoints: readonly StoredEndpoint[]) => void
}

/** Notifications can be lost without a sign; a change is known within 2 s all the same. */
const lookEveryMs = 1_000

export function createFollower({ database, store, log, apply }: FollowerOptions): Follower {
  let fingerprint: string | null = null
  let isLooking = false
  let isStopped = false
  let timer: Timer | undefined
  let last: Promise<void> = Promise.resolve()

  async function read(): Promise<void> {
    const found = await store.fingerprint() // before reading: what changes meanwhile is read again
    if (found === fingerprint) return
    apply(await store.load())
    fingerprint = found
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
      log.warn('the endpoints could not be brought up to date', { error })
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
