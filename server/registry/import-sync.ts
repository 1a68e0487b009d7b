import { type DatabaseFollower, createDatabaseFollower } from '../platform/database-follower.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import { type RegistryStore, type StoredImport, registryChangesChannel } from './store.ts'

interface ImportSyncOptions {
  readonly database: Database
  readonly store: RegistryStore
  readonly log: Log
  /** Makes an import the active registry, or throws, which leaves the previous one active. It asks the database nothing. */
  readonly apply: (made: StoredImport, content: Uint8Array) => Promise<void>
}

const pollEveryMs = 5_000

/** Keeps the active registry of this process in step with the newest import of any process. */
export function createImportSync({ database, store, log, apply }: ImportSyncOptions): DatabaseFollower {
  /** Id of the newest import that was tried, whether or not it could be used. */
  let seen: string | null = null

  async function read(): Promise<void> {
    const newest = await store.newest()
    if (newest === null || newest.id === seen) return
    const content = await store.content(newest.id)
    if (content === null) return
    try {
      await apply(newest, content)
    } catch (error) {
      // Whatever is wrong with it would be wrong at the next look and the next start, too.
      log.error('an imported registry cannot be used; the previous one stays active', { error })
    }
    seen = newest.id
  }

  const onFailed = (error: unknown) => log.warn('the registry could not be brought up to date', { error })
  return createDatabaseFollower({
    database,
    channel: registryChangesChannel,
    pollEveryMs,
    read,
    onFailed,
  })
}
