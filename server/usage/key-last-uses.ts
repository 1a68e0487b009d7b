import type { UsageStore } from './store.ts'

/** When query keys were used last, in memory: lists of keys show it. */
export interface KeyLastUses {
  /** Epoch ms by the keys' ids. */
  all(): ReadonlyMap<string, number>
  /** Counted by this process. */
  used(row: { readonly keyId: string; readonly minute: number }): void
  /** Reads what other processes, and earlier ones, have noted; once a minute at most. */
  refresh(): Promise<void>
}

const minuteMs = 60_000
/** A process whose database was away notes its uses later. */
const overlapMs = 10 * minuteMs

export function createKeyLastUses(store: UsageStore, now: () => number): KeyLastUses {
  const uses = new Map<string, number>()
  let readUntil = 0
  let nextReadAt = 0

  function note(id: string, at: number): void {
    if ((uses.get(id) ?? 0) < at) uses.set(id, at)
  }

  return {
    all: () => uses,
    used: ({ keyId, minute }) => note(keyId, minute * minuteMs),
    async refresh() {
      if (now() < nextReadAt) return
      const until = now()
      const noted = await store.lastUsesSince(Math.max(0, readUntil - overlapMs))
      for (const { id, last_used_at: at } of noted) note(id, at.getTime())
      readUntil = until
      nextReadAt = until + minuteMs
    },
  }
}
