import { claimedAddress } from '../platform/http/caller.ts'
import type { Cookies } from '../platform/http/cookies.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import { callerOf, requestIdOf } from '../platform/http/request-facts.ts'
import { ownOriginOf, requireSameSite } from '../platform/http/same-site.ts'
import type { SessionOf } from './call-context.ts'
import { sessionLimits } from './sessions/session.ts'
import type { Visit } from './visit.ts'

/** Reads visits from requests, and writes into the headers of answers what a browser has to remember of them. */
export interface Visits {
  of(request: Request): Promise<Visit>
  /** A visit of which a page of our own is the cause. Throws `forbidden` for any other. */
  ofOwnPage(request: Request): Promise<Visit>
  /** A sign-in has begun. */
  begun(visitSecret: string): Headers
  /** It came to an end, and somebody is signed in. */
  admitted(sessionSecret: string): Headers
  /** It came to an end otherwise. */
  over(): Headers
  signedOut(): Headers
}

/** As long as what it binds: a challenge, or a way to a provider and back. */
const visitSec = 600
const sessionSec = sessionLimits.absoluteMs / 1000

export function createVisits(cookies: Cookies, sessionOf: SessionOf, address: () => PublicAddress): Visits {
  const visits: Visits = {
    async of(request) {
      return {
        secret: cookies.read(request, 'visit'),
        session: await sessionOf(request),
        origin: ownOriginOf(request, address()),
        userAgent: request.headers.get('user-agent'),
        ip: callerOf(request).address,
        claimedIp: claimedAddress(request.headers.get('x-forwarded-for')),
        requestId: requestIdOf(request),
      }
    },
    async ofOwnPage(request) {
      requireSameSite(request, address())
      return visits.of(request)
    },
    begun: (visitSecret) => headersWith(cookies.set('visit', visitSecret, visitSec)),
    admitted: (secret) => headersWith(cookies.set('session', secret, sessionSec), cookies.clear('visit')),
    over: () => headersWith(cookies.clear('visit')),
    signedOut: () => headersWith(cookies.clear('session'), cookies.clear('visit')),
  }
  return visits
}

function headersWith(...setCookies: string[]): Headers {
  const headers = new Headers({ 'cache-control': 'no-store' })
  for (const cookie of setCookies) headers.append('set-cookie', cookie)
  return headers
}
