import { fault } from '../../platform/fault.ts'
import { type GatewayCaller, type SessionOwner, sessionOwnerOf, withoutAccount } from '../authentication.ts'
import type { GatewaySettings } from '../settings.ts'
import type { SessionEntry } from './session.ts'

interface CapacityOptions {
  /** Ordered by last use. */
  readonly stored: ReadonlyMap<string, SessionEntry>
  /** Of each owner, and of all without an account. */
  readonly counts: ReadonlyMap<string, number>
  readonly settings: GatewaySettings
  readonly end: (id: string) => void
}

/** Whoever would have to make room was in use until shortly before: then the newcomer is refused. */
const youngMs = 60_000

/**
 * Makes sure that there is room for one session more, and returns whose it will be. Faults: `rate_limited`, `unavailable`.
 *
 * - Half of all places is out of reach for callers without an API key: however many addresses they come from, accounts
 *   find room. When their half is full, the one of their sessions that was idle for longest gives way, however short that
 *   was: otherwise whoever opens sessions without end would keep all others out.
 * - One account, and one address without a key, has a bound of its own. Callers on a loopback address cannot be told
 *   apart: for them it is the whole anonymous half.
 * - An account that finds all places taken is given that of an anonymous session before that of another account.
 */
export function createSessionCapacity({ stored, counts, settings, end }: CapacityOptions) {
  const anonymousPlaces = Math.floor(settings.sessions / 2)

  /** Ends the matching session that was used least recently and has no open stream. False: there is none. */
  function makeRoom(idleSince: number, isMatching: (one: SessionEntry) => boolean): boolean {
    for (const [id, one] of stored) {
      if (one.usedAt > idleSince) return false
      if (one.streams > 0 || !isMatching(one)) continue
      end(id)
      return true
    }
    return false
  }

  return (caller: GatewayCaller, now: number): SessionOwner => {
    const sessionOwner = sessionOwnerOf(caller)
    const { owner, isAnonymous, isShared } = sessionOwner
    const isFull = !isShared && (counts.get(owner) ?? 0) >= settings.sessionsOfOne
    if (isFull && !makeRoom(now - youngMs, (one) => one.owner === owner)) {
      throw fault('rate_limited', `There are ${settings.sessionsOfOne} open sessions already: close some`, {
        retryAfterSec: youngMs / 1_000,
      })
    }
    const isHalfFull = isAnonymous && (counts.get(withoutAccount) ?? 0) >= anonymousPlaces
    const isWholeFull = stored.size >= settings.sessions
    if (!isHalfFull && !isWholeFull) return sessionOwner
    const hasRoom = makeRoom(now, isWithoutAccount) || (!isAnonymous && makeRoom(now - youngMs, () => true))
    if (hasRoom) return sessionOwner
    throw fault('unavailable', 'The gateway has as many open sessions as it can hold: try again later', {
      retryAfterSec: youngMs / 1_000,
    })
  }
}

const isWithoutAccount = ({ session }: SessionEntry): boolean => session.accountId === null
