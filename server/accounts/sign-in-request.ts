import type { CurrentSession } from './sessions/session.ts'

/** The context of one request of a browser to sign in, or in the middle of it. */
export interface SignInRequest {
  /** What binds a sign-in that has begun to the browser that began it; null before the first step. */
  readonly secret: string | null
  /** The secret of the invitation that this browser has shown; null for none. */
  readonly invitation: string | null
  /** Who is signed in already. */
  readonly session: CurrentSession | null
  /** The origin of ours whose page is open. */
  readonly origin: string
  readonly userAgent: string | null
  readonly ip: string | null
  /** Whom the peer says it asks for; believed by nobody, it only tells visitors of one address apart. */
  readonly claimedIp: string | null
  readonly requestId: string
}
