import { claimedAddress } from '../platform/http/caller.ts'
import type { Cookies } from '../platform/http/cookies.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import { callerOf, requestIdOf } from '../platform/http/request-facts.ts'
import { ownOriginOf, requireSameSite } from '../platform/http/same-site.ts'
import type { SessionOf } from './call-context.ts'
import { sessionLimits } from './sessions/session.ts'
import type { SignInRequest } from './sign-in-request.ts'

/** Reads the context of a sign-in from requests, and writes the cookies of answers. */
export interface SessionCookies {
  contextOf(request: Request): Promise<SignInRequest>
  /** As `contextOf`, of a request that a page of our own sends. Throws `forbidden` for any other. */
  ownPageContextOf(request: Request): Promise<SignInRequest>
  /** A sign-in has begun. */
  begun(preAuthSecret: string): Headers
  /** It came to an end, and somebody is signed in. */
  admitted(sessionSecret: string): Headers
  /** It came to an end otherwise. */
  over(): Headers
  signedOut(): Headers
  /** Somebody came with an invitation, which their next sign-in uses. */
  invited(token: string): Headers
  /** The invitation was used. */
  joined(): Headers
}

/** As long as what it binds: a challenge, or a way to a provider and back. */
const preAuthSec = 600
/** Whoever needs longer for a sign-in opens the link once more. */
const invitationSec = 3_600
const sessionSec = sessionLimits.absoluteMs / 1000

export function createSessionCookies(
  cookies: Cookies,
  sessionOf: SessionOf,
  address: () => PublicAddress,
): SessionCookies {
  const sessionCookies: SessionCookies = {
    async contextOf(request) {
      return {
        secret: cookies.read(request, 'preAuth'),
        invitation: cookies.read(request, 'invitation'),
        session: await sessionOf(request),
        origin: ownOriginOf(request, address()),
        userAgent: request.headers.get('user-agent'),
        ip: callerOf(request).address,
        claimedIp: claimedAddress(request.headers.get('x-forwarded-for')),
        requestId: requestIdOf(request),
      }
    },
    async ownPageContextOf(request) {
      requireSameSite(request, address())
      return sessionCookies.contextOf(request)
    },
    begun: (preAuthSecret) => headersWith(cookies.set('preAuth', preAuthSecret, preAuthSec)),
    admitted: (secret) =>
      headersWith(
        cookies.set('session', secret, sessionSec),
        cookies.clear('preAuth'),
        cookies.clear('invitation'),
      ),
    over: () => headersWith(cookies.clear('preAuth')),
    signedOut: () => headersWith(cookies.clear('session'), cookies.clear('preAuth')),
    invited: (token) => headersWith(cookies.set('invitation', token, invitationSec)),
    joined: () => headersWith(cookies.clear('invitation')),
  }
  return sessionCookies
}

function headersWith(...setCookies: string[]): Headers {
  const headers = new Headers({ 'cache-control': 'no-store' })
  for (const cookie of setCookies) headers.append('set-cookie', cookie)
  return headers
}
