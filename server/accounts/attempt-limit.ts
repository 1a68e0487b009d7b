import { fault } from '../platform/fault.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { networkOf } from './network.ts'

/** Keeps one caller from filling the tables of sign-ins that have begun, which anybody may fill. */
export interface AttemptLimit {
  /** Counts an attempt. Throws `rate_limited`. */
  count(ip: string | null): void
}

const windowMs = 60_000
const maxAttempts = 60
/** One household or server has a whole IPv6 network of this size. */
const callerNetwork = { ipv4: 32, ipv6: 64 }

export function createAttemptLimit(clock: SteadyClock): AttemptLimit {
  let windowEndsAt = 0
  const attempts = new Map<string, number>()

  return {
    count(ip) {
      const now = clock.now()
      if (now >= windowEndsAt) {
        attempts.clear()
        windowEndsAt = now + windowMs
      }
      const caller = networkOf(ip, callerNetwork) ?? 'unknown'
      const made = (attempts.get(caller) ?? 0) + 1
      attempts.set(caller, made)
      if (made <= maxAttempts) return
      throw fault('rate_limited', `At most ${maxAttempts} attempts to sign in a minute; wait a little`, {
        retryAfterSec: (windowEndsAt - now) / 1000,
      })
    },
  }
}
