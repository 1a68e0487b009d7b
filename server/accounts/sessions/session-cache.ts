import { RecentMap } from '../../platform/recent-map.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { CurrentSession } from './session.ts'

/** Sessions in memory, by the hash of their secret. */
export interface SessionCache {
  find(secretHash: string): CurrentSession | undefined
  /** Loads one and keeps it, unless something was forgotten meanwhile: what was read may be from before that. */
  load(secretHash: string, read: () => Promise<CurrentSession | null>): Promise<CurrentSession | null>
  replace(secretHash: string, session: CurrentSession): void
  /** Removes every session of the account, so that the next use reads the database. */
  forgetAccount(accountId: string): void
  forgetAll(): void
}

/** Other processes notify of revocations at once; this bounds the effect of a notification that was lost. */
const entryLifeMs = 5_000
const maxEntries = 10_000

interface Entry {
  session: CurrentSession
  readonly readAt: number
}

export function createSessionCache(clock: SteadyClock): SessionCache {
  const entries = new RecentMap<string, Entry>(maxEntries)
  let timesForgotten = 0

  return {
    find(secretHash) {
      const entry = entries.get(secretHash)
      if (entry === undefined) return undefined
      if (clock.now() < entry.readAt + entryLifeMs) return entry.session
      entries.delete(secretHash)
      return undefined
    },
    async load(secretHash, read) {
      const before = timesForgotten
      const session = await read()
      if (session !== null && before === timesForgotten)
        entries.set(secretHash, { session, readAt: clock.now() })
      return session
    },
    replace(secretHash, session) {
      const entry = entries.get(secretHash)
      if (entry !== undefined) entry.session = session
    },
    forgetAccount(accountId) {
      timesForgotten += 1
      for (const [secretHash, { session }] of entries) {
        if (session.accountId === accountId) entries.delete(secretHash)
      }
    },
    forgetAll() {
      timesForgotten += 1
      entries.clear()
    },
  }
}
