import type { Clock } from '../../platform/clock.ts'
import { untilAborted } from '../../platform/deadline.ts'
import type { AccessStore } from './access-store.ts'

const longestWaitMs = 120_000
const lookEveryMs = 500

/**
 * Waits until the owner of a connection has agreed to all that calls asked for, in whatever process. False: it took two
 * minutes, or the caller went away. However many calls wait for one connection, the database is asked once at a time.
 */
export function createConsentWait(
  store: Pick<AccessStore, 'read'>,
  clock: Pick<Clock, 'monotonic'>,
): (id: string, signal: AbortSignal) => Promise<boolean> {
  const waits = new Map<string, Promise<boolean>>()

  async function look(id: string): Promise<boolean> {
    const giveUpAt = clock.monotonic() + longestWaitMs
    while (clock.monotonic() < giveUpAt) {
      const stored = await store.read(id)
      if (stored === null) return false
      if (stored.tokensSealed !== null && stored.scopesWanted === null) return true
      await Bun.sleep(lookEveryMs)
    }
    return false
  }

  return (id, signal) => {
    const wait = waits.get(id) ?? look(id).finally(() => waits.delete(id))
    waits.set(id, wait)
    return untilAborted(wait, signal).catch((error: unknown) => {
      if (signal.aborted) return false
      throw error
    })
  }
}
