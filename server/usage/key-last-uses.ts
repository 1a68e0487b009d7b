import type { UsageStore } from './store.ts'
import { minuteMs } from '../../shared/durations.ts'

/** The last uses of query keys, in memory, for lists of keys. */
export interface KeyLastUses {
  /** Returns epoch ms by key id. */
  all(): ReadonlyMap<string, number>
  /** Records a use counted by this process. */
  used(row: { readonly keyId: string; readonly minute: number }): void
  /** Reads what other processes stored, at most once a minute. */
  refresh(): Promise<void>
}

/** The overlap of two reads, because a process whose database was away stores its uses later. */
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
