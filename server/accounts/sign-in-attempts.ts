import { createAddressLimit, sourceOf } from '../platform/http/address-limit.ts'
import { type MinuteWindow, addTo, emptyWindow, secondsUntilFree } from '../platform/http/minute-window.ts'
import { fault } from '../platform/fault.ts'
import type { SignInRequest } from './sign-in-request.ts'
import { RecentMap } from '../platform/recent-map.ts'

/** By what attempts are told apart. */
export type AttemptSource = Pick<SignInRequest, 'ip' | 'claimedIp' | 'secret'>

/** Bounds how often people may try to sign in: anybody may, and each attempt is kept for ten minutes. */
export interface SignInAttempts {
  /** Counts one more. `begun`: the pre-authentication secret of the sign-in that begins with it. Fault: `rate_limited`. */
  count(source: AttemptSource, begun?: string): void
}

/** In any minute. A person needs two or three attempts. */
const ofOneSignIn = 20
const ofOneSource = 60
const ofOneAddress = 600

/** About 3 MB. The sign-in that was begun least recently is forgotten first; it is then counted by its address again. */
const mostSignIns = 10_000

/**
 * Who shares an address (a company, or everybody behind a proxy that is not trusted) shall not share one allowance:
 *
 * - An attempt of a sign-in that was begun here counts against that sign-in, and takes nothing from the others of its
 *   address. The next start goes on with the count of the sign-in before, so that starting over is no way around it; an
 *   invented or replayed secret is none.
 * - An attempt without a secret counts against its source: the address together with what the peer says of the client, the
 *   last hop of X-Forwarded-For. Whoever drops the cookie each time has this allowance, once for all: behind a proxy, which
 *   writes that hop itself, he takes nothing from its other visitors; behind one that writes none, he keeps newcomers
 *   waiting, but not those who have begun.
 * - Whoever is not behind a proxy can write any hop, and can begin many sign-ins. All attempts of one address together are
 *   bounded, too: at ten times the allowance of one source, which is what lying can gain.
 */
export function createSignInAttempts(monotonic: () => number): SignInAttempts {
  const addresses = createAddressLimit(ofOneAddress, monotonic)
  const sources = createAddressLimit(ofOneSource, monotonic)
  const signIns = new RecentMap<string, MinuteWindow>(mostSignIns)

  function waitSecOf(signIn: MinuteWindow | undefined, { ip, claimedIp }: AttemptSource): number {
    if (signIn === undefined) return sources.count(`${sourceOf(ip)} for ${sourceOf(claimedIp)}`)
    const now = monotonic()
    return addTo(signIn, now, ofOneSignIn) ? 0 : Math.max(1, secondsUntilFree(signIn, now, ofOneSignIn))
  }

  function begin(secret: string, from: string | null, window: MinuteWindow): void {
    if (from !== null) signIns.delete(from)
    signIns.set(secret, window)
  }

  return {
    count(source, begun) {
      const signIn = source.secret === null ? undefined : signIns.get(source.secret)
      const retryAfterSec = waitSecOf(signIn, source) || addresses.count(source.ip)
      if (retryAfterSec > 0) {
        throw fault('rate_limited', 'Too many attempts to sign in from this address; wait a little', {
          retryAfterSec,
        })
      }
      if (begun !== undefined) begin(begun, source.secret, signIn ?? emptyWindow())
    },
  }
}
