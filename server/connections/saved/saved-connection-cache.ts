import type { Clock } from '../../platform/clock.ts'
import type { StoredConnection } from '../store.ts'
import { RecentMap } from '../../platform/recent-map.ts'

/** The lifetime of a cached connection: a deletion by another process takes effect within it. */
const readAgainMs = 2_000
const maxKnown = 10_000

/** A cache of saved connections, which saves a query for each call. */
export interface SavedConnectionCache {
  find(accountId: string, id: string): StoredConnection | null
  store(connection: StoredConnection): void
  /** Replaces the entry, unless it was read again or removed since. */
  replace(connection: StoredConnection, next: StoredConnection): void
  forget(id: string): void
}

interface Known {
  connection: StoredConnection
  readonly readAt: number
}

export function createSavedConnectionCache(clock: Pick<Clock, 'monotonic'>): SavedConnectionCache {
  const known = new RecentMap<string, Known>(maxKnown)

  return {
    find(accountId, id) {
      const entry = known.get(id)
      if (entry === undefined || clock.monotonic() - entry.readAt >= readAgainMs) return null
      return entry.connection.accountId === accountId ? entry.connection : null
    },
    store(connection) {
      known.set(connection.id, { connection, readAt: clock.monotonic() })
    },
    replace(connection, next) {
      const entry = known.get(connection.id)
      if (entry?.connection === connection) entry.connection = next
    },
    forget(id) {
      known.delete(id)
    },
  }
}
