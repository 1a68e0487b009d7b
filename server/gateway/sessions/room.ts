import { fault } from '../../platform/fault.ts'
import type { GatewaySettings } from '../settings.ts'
import type { SessionOwner } from './session-owner.ts'
import type { StoredSession } from './session.ts'

interface RoomOptions {
  /** Ordered by last use. */
  readonly stored: ReadonlyMap<string, StoredSession>
  /** Of each owner. */
  readonly counts: ReadonlyMap<string, number>
  readonly settings: GatewaySettings
  readonly end: (id: string) => void
}

/** Whoever would have to make room was in use until shortly before: then the newcomer is refused. */
const youngMs = 60_000

/** Makes sure that there is room for one session more. Faults: `rate_limited`, `unavailable`. */
export function createRoom({ stored, counts, settings, end }: RoomOptions) {
  /** Ends the session of `owner` (or of anybody) that was used least recently. False: all are in use. */
  function makeRoom(now: number, owner: string | null): boolean {
    for (const [id, one] of stored) {
      if (now - one.usedAt < youngMs) return false
      if (one.streams > 0 || (owner !== null && one.owner !== owner)) continue
      end(id)
      return true
    }
    return false
  }

  return ({ owner, isBounded }: SessionOwner, now: number): void => {
    const isFull = isBounded && (counts.get(owner) ?? 0) >= settings.sessionsOfOne
    if (isFull && !makeRoom(now, owner)) {
      throw fault('rate_limited', `There are ${settings.sessionsOfOne} open sessions already: close some`, {
        retryAfterSec: youngMs / 1_000,
      })
    }
    if (stored.size >= settings.sessions && !makeRoom(now, null)) {
      throw fault('unavailable', 'The gateway has as many open sessions as it can hold: try again later', {
        retryAfterSec: youngMs / 1_000,
      })
    }
  }
}
