import { createDatabaseFollower } from '../platform/database-follower.ts'
import type { DatabaseFollower } from '../platform/database-follower.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { UnusableSnapshot } from './read/limits.ts'
import { changesChannel } from './store.ts'
import type { RegistryStore, StoredImport } from './store.ts'

interface FollowerOptions {
  readonly database: Database
  readonly store: RegistryStore
  readonly log: Log
  /** Throws `UnusableSnapshot`; then what was in force stays. */
  readonly apply: (made: StoredImport, content: Uint8Array) => Promise<void>
}

const lookEveryMs = 5_000

/** Keeps this process's registry in step with the newest import of any process. */
export function createFollower({ database, store, log, apply }: FollowerOptions): DatabaseFollower {
  /** The newest import that was looked at, whether or not it is in force. */
  let seen: string | null = null

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

  const onFailed = (error: unknown) => log.warn('the registry could not be brought up to date', { error })
  return createDatabaseFollower({ database, channel: changesChannel, lookEveryMs, read, onFailed })
}
