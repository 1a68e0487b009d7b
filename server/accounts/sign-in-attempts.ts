import { createAddressLimit, sourceOf } from '../platform/http/address-limit.ts'
import { type MinuteWindow, addTo, emptyWindow, secondsUntilFree } from '../platform/http/minute-window.ts'
import { fault } from '../platform/fault.ts'
import type { Visit } from './visit.ts'

/** By what attempts are told apart. */
export type AttemptSource = Pick<Visit, 'ip' | 'claimedIp' | 'secret'>

/** Bounds how often people may try to sign in: anybody may, and each attempt is kept for ten minutes. */
export interface SignInAttempts {
  /** Counts one more. `begun`: the secret of the visit that begins with it. Fault: `rate_limited`. */
  count(source: AttemptSource, begun?: string): void
}

/** In any minute. A person needs two or three attempts. */
const ofOneVisit = 20
const ofOneSource = 60
const ofOneAddress = 600

/** About 3 MB. The visit that was begun least recently is forgotten first; it is then counted by its address again. */
const mostVisits = 10_000

/**
 * Who shares an address (a company, or everybody behind a proxy that is not trusted) shall not share one allowance:
 *
 * - An attempt with a visit that was begun here counts against that visit, and takes nothing from the others of its
 *   address. A new visit at the next start goes on with the count of the one before, so that starting over is no way
 *   around it; an invented or replayed visit is none.
 * - An attempt without a visit counts against its source: the address together with what the peer says of the client, the
 *   last hop of X-Forwarded-For. Whoever drops the cookie each time has this allowance, once for all: behind a proxy, which
 *   writes that hop itself, he takes nothing from its other visitors; behind one that writes none, he keeps newcomers
 *   waiting, but not those who have begun.
 * - Whoever is not behind a proxy can write any hop, and can begin many visits. All attempts of one address together are
 *   bounded, too: at ten times the allowance of one source, which is what lying can gain.
 */
export function createSignInAttempts(monotonic: () => number): SignInAttempts {
  const addresses = createAddressLimit(ofOneAddress, monotonic)
  const sources = createAddressLimit(ofOneSource, monotonic)
  const visits = new Map<string, MinuteWindow>()

  function waitSecOf(visit: MinuteWindow | undefined, { ip, claimedIp }: AttemptSource): number {
    if (visit === undefined) return sources.count(`${sourceOf(ip)} for ${sourceOf(claimedIp)}`)
    const now = monotonic()
    return addTo(visit, now, ofOneVisit) ? 0 : Math.max(1, secondsUntilFree(visit, now, ofOneVisit))
  }

  function begin(secret: string, from: string | null, window: MinuteWindow): void {
    if (from !== null) visits.delete(from)
    visits.set(secret, window)
    const [oldest] = visits.keys()
    if (visits.size > mostVisits && oldest !== undefined) visits.delete(oldest)
  }

  return {
    count(source, begun) {
      const visit = source.secret === null ? undefined : visits.get(source.secret)
      const retryAfterSec = waitSecOf(visit, source) || addresses.count(source.ip)
      if (retryAfterSec > 0) {
        throw fault('rate_limited', 'Too many attempts to sign in from this address; wait a little', {
          retryAfterSec,
        })
      }
      if (begun !== undefined) begin(begun, source.secret, visit ?? emptyWindow())
    },
  }
}
