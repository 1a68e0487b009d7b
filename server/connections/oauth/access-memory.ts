import type { Clock } from '../../platform/clock.ts'
import { RecentMap } from '../../platform/recent-map.ts'

const maxKnown = 10_000
/** So long before its end a token is renewed, or after three quarters of its life where that is short. */
const earlyMs = 60_000

/** Access tokens that were used lately, so that a call needs no query. */
export interface AccessMemory {
  /** A token that is good for a while; null: ask the database. */
  find(id: string): string | null
  /** The token that was used last, good or not; null where none is known. */
  last(id: string): string | null
  store(
    id: string,
    entry: { token: string; version: number; expiresAt: number | null; lifeMs: number | null },
  ): void
  /** The connection was read, and its tokens are of this version: older ones are forgotten. */
  noticed(id: string, version: number): void
  forget(id: string): void
}

interface Known {
  readonly token: string
  readonly version: number
  readonly goodUntil: number
}

/** How long before its end a token is renewed. */
export const earlyOf = (lifeMs: number | null): number =>
  lifeMs === null ? earlyMs : Math.min(earlyMs, lifeMs / 4)

export function createAccessMemory(
  clock: Pick<Clock, 'now'>,
  random: () => number = Math.random,
): AccessMemory {
  const known = new RecentMap<string, Known>(maxKnown)

  return {
    find(id) {
      const entry = known.get(id)
      return entry === undefined || clock.now() >= entry.goodUntil ? null : entry.token
    },
    last: (id) => known.get(id)?.token ?? null,
    store(id, { token, version, expiresAt, lifeMs }) {
      const older = known.get(id)
      if (older !== undefined && older.version > version) return
      // Processes do not all find it old at the same moment: each a little later than the row alone would say.
      const early = earlyOf(lifeMs) * (1 - random() / 4)
      const goodUntil = expiresAt === null ? Number.POSITIVE_INFINITY : expiresAt - early
      known.set(id, { token, version, goodUntil })
    },
    noticed(id, version) {
      const entry = known.get(id)
      if (entry !== undefined && entry.version < version) known.delete(id)
    },
    forget: (id) => void known.delete(id),
  }
}
