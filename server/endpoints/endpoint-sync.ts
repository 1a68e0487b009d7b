import { type DatabaseFollower, createDatabaseFollower } from '../platform/database-follower.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { type EndpointStore, type StoredEndpoint, endpointChangesChannel } from './store.ts'

interface EndpointSyncOptions {
  readonly database: Database
  readonly store: EndpointStore
  readonly log: Log
  readonly apply: (endpoints: readonly StoredEndpoint[]) => void
}

/** Interval of polls, so that a change is applied within 2 s even when its notification is lost. */
const pollEveryMs = 1_000

/** Keeps the endpoints of the console in this process in step with the database. */
export function createEndpointSync({ database, store, log, apply }: EndpointSyncOptions): DatabaseFollower {
  let fingerprint: string | null = null

  async function read(): Promise<void> {
    const found = await store.fingerprint() // taken before reading, so that a change meanwhile is read again
    if (found === fingerprint) return
    apply(await store.load())
    fingerprint = found
  }

  const onFailed = (error: unknown) => log.warn('the endpoints could not be brought up to date', { error })
  return createDatabaseFollower({ database, channel: endpointChangesChannel, pollEveryMs, read, onFailed })
}
