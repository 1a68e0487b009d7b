import type { SavedHealth } from './store.ts'

/** The newest health of each service that is not stored yet. */
export interface UnsavedHealths {
  /** Adds the health of a transition, which the next flush stores. */
  change(health: SavedHealth): void
  /** Adds a health of which only numbers and timers have changed. */
  refresh(health: SavedHealth): void
  /**
   * Those that the next flush is to store: changes, the refreshes that are worth it, or everything. All changes come
   * with the first part; looking through 10,000 refreshes takes 10 ms, so they come in parts.
   */
  take(which: 'changes' | 'refreshes' | 'everything'): Generator<readonly SavedHealth[], void>
  forget(serviceId: string): void
  clear(): void
}

/** How long (ms) a stored quorum must last at each regular flush: after a restart the decision is valid until it ends. */
const standsForMs = 15_000

/** The number of healths that one turn of the event loop examines. */
const partSize = 500

export function createUnsavedHealths(now: () => number): UnsavedHealths {
  let changed = new Map<string, SavedHealth>()
  const refreshed = new Map<string, SavedHealth>()
  /** The healths that were stored last, or are about to be. */
  const stored = new Map<string, SavedHealth>()

  /** Of most decisions nothing but the end of the quorum changes, which is put off with every report. */
  function isWorthStoring(health: SavedHealth): boolean {
    const before = stored.get(health.serviceId)
    const isSame = before?.state === health.state && before.cause === health.cause
    return !isSame || before.quorumExpiresAt - now() < standsForMs
  }

  function* takeRefreshes(which: 'refreshes' | 'everything'): Generator<readonly SavedHealth[], void> {
    let part: SavedHealth[] = []
    let lookedAt = 0
    for (const health of refreshed.values()) {
      if (which === 'everything' || isWorthStoring(health)) {
        refreshed.delete(health.serviceId)
        stored.set(health.serviceId, health)
        part.push(health)
      }
      lookedAt++
      if (lookedAt % partSize !== 0) continue
      yield part
      part = []
    }
    yield part
  }

  return {
    change(health) {
      refreshed.delete(health.serviceId)
      changed.set(health.serviceId, health)
    },
    refresh: (health) => void refreshed.set(health.serviceId, health),
    *take(which) {
      const changes = [...changed.values()]
      changed = new Map()
      for (const health of changes) stored.set(health.serviceId, health)
      yield changes
      if (which !== 'changes') yield* takeRefreshes(which)
    },
    forget(serviceId) {
      for (const healths of [changed, refreshed, stored]) healths.delete(serviceId)
    },
    clear() {
      for (const healths of [changed, refreshed, stored]) healths.clear()
    },
  }
}
