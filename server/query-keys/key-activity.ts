import type { QueryKeysOptions } from './query-keys.ts'

/** What usage and limits know of query keys. */
export type KeyActivity = Pick<QueryKeysOptions['world'], 'lastUses' | 'lastUsed' | 'limitsUse'>

/**
 * The activity of query keys. It is created before the keys, because usage and limits themselves need the keys: until
 * they are connected, no key was used and nothing is known of its limits.
 */
export function createKeyActivity() {
  let source: KeyActivity = {
    lastUses: () => Promise.resolve(new Map()),
    lastUsed: () => Promise.resolve([]),
    limitsUse: () => Promise.resolve(null),
  }
  const activity: KeyActivity = {
    lastUses: (sql, ids) => source.lastUses(sql, ids),
    lastUsed: (limit) => source.lastUsed(limit),
    limitsUse: (id, limits) => source.limitsUse(id, limits),
  }
  return {
    ...activity,
    /** Connects usage and limits, once. */
    connect(connected: KeyActivity): void {
      source = connected
    },
  }
}
