import type { SavedHealth } from './store.ts'

/** The newest health of every service that is not stored yet. */
export interface UnsavedHealths {
  /** Goes with a transition: the next flush takes it. */
  change(health: SavedHealth): void
  /** Has other numbers and timers only. */
  refresh(health: SavedHealth): void
  /** Those that the next flush is to store: changes, the refreshes that are worth it, or everything. */
  take(which: 'changes' | 'refreshes' | 'everything'): SavedHealth[]
  forget(serviceId: string): void
}

/** A stored decision stands after a restart until its stored quorum ends: so long it is to last at every regular flush. */
const standsForMs = 15_000

export function createUnsavedHealths(now: () => number): UnsavedHealths {
  let changed = new Map<string, SavedHealth>()
  const refreshed = new Map<string, SavedHealth>()
  /** What was stored last, or is about to be. */
  const stored = new Map<string, SavedHealth>()

  /** Of most decisions nothing but the end of the quorum changes, which is put off with every report. */
  function isWorthStoring(health: SavedHealth): boolean {
    const before = stored.get(health.serviceId)
    return !before || before.state !== health.state || before.quorumExpiresAt - now() < standsForMs
  }

  return {
    change(health) {
      refreshed.delete(health.serviceId)
      changed.set(health.serviceId, health)
    },
    refresh: (health) => void refreshed.set(health.serviceId, health),
    take(which) {
      const taken = changed
      changed = new Map()
      for (const health of which === 'changes' ? [] : refreshed.values()) {
        if (which === 'refreshes' && !isWorthStoring(health)) continue
        refreshed.delete(health.serviceId)
        taken.set(health.serviceId, health)
      }
      for (const health of taken.values()) stored.set(health.serviceId, health)
      return [...taken.values()]
    },
    forget(serviceId) {
      for (const healths of [changed, refreshed, stored]) healths.delete(serviceId)
    },
  }
}
