import type { Log } from '../../platform/log.ts'
import { createPeriodicJob } from '../../platform/periodic-job.ts'
import { RecentMap } from '../../platform/recent-map.ts'
import type { AccessStore, NewTokens } from './access-store.ts'

export interface UnstoredTokens {
  /**
   * Stores refreshed tokens like `AccessStore.renew`, and rejects like it. What the database does not take is kept until it
   * does.
   */
  store(id: string, version: number, tokens: NewTokens): Promise<boolean>
  /** Stores what is kept of a connection; nothing where nothing is. Rejects as long as the database does not take it. */
  storeKept(id: string): Promise<void>
  stop(): Promise<void>
}

interface Unstored {
  readonly version: number
  readonly tokens: NewTokens
}

const maxKept = 10_000
/** Well within the lease of the refresh: after it another process would use the old refresh token once more. */
const againAfterMs = 1_000

/**
 * Tokens that authorization servers gave and the database did not take. Many of these servers take each refresh token once,
 * and end the whole access when it is shown again: so what they gave is not lost while this process runs.
 */
export function createUnstoredTokens(store: Pick<AccessStore, 'renew'>, log: Log): UnstoredTokens {
  const kept = new RecentMap<string, Unstored>(maxKept)
  const storing = createPeriodicJob(againAfterMs, storeAll, (error) =>
    log.debug('renewed tokens could not be stored yet', { error }),
  )

  function keep(id: string, unstored: Unstored): void {
    if (kept.size === 0) storing.start()
    kept.set(id, unstored)
  }

  async function storeKept(id: string): Promise<void> {
    const unstored = kept.get(id)
    if (unstored === undefined) return
    // False where the connection has newer ones, or is gone: then these are of no use any more.
    await store.renew(id, unstored.version, unstored.tokens)
    if (kept.get(id) !== unstored) return
    kept.delete(id)
    if (kept.size === 0) void storing.stop()
  }

  async function storeAll(): Promise<void> {
    for (const id of kept.keys()) await storeKept(id)
  }

  return {
    async store(id, version, tokens) {
      try {
        return await store.renew(id, version, tokens)
      } catch (error) {
        keep(id, { version, tokens })
        throw error
      }
    },
    storeKept,
    stop: storing.stop,
  }
}
