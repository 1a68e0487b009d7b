import { type DatabaseFollower, createDatabaseFollower } from '../platform/database-follower.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { type StoredVirtualServer, type VirtualServerStore, virtualServerChangesChannel } from './store.ts'

interface ServerSyncOptions {
  readonly database: Database
  readonly store: VirtualServerStore
  readonly log: Log
  readonly apply: (servers: readonly StoredVirtualServer[]) => void
}

/** Interval of polls, so that a change is applied within 2 s even when its notification is lost. */
const pollEveryMs = 1_000

/** Keeps the virtual servers of this process in step with the database. */
export function createServerSync({ database, store, log, apply }: ServerSyncOptions): DatabaseFollower {
  let fingerprint: string | null = null

  async function read(): Promise<void> {
    const found = await store.fingerprint() // taken before reading, so that a change meanwhile is read again
    if (found === fingerprint) return
    apply(await store.load())
    fingerprint = found
  }

  const onFailed = (error: unknown) =>
    log.warn('the virtual servers could not be brought up to date', { error })
  return createDatabaseFollower({
    database,
    channel: virtualServerChangesChannel,
    pollEveryMs,
    read,
    onFailed,
  })
}
