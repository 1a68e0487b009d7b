import type { Cookies } from '../platform/http/cookies.ts'
import type { Author } from '../keys/changes.ts'
import { type RequestFacts, callerOf, requestIdOf } from '../platform/http/request-facts.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { CallContext } from '../trpc/init.ts'
import type { Accounts } from './accounts.ts'
import { type CurrentSession, freshUntil, isFresh } from './sessions/session.ts'

/** The session of a request, by its cookie; null when nobody is signed in. Fault: `unavailable`. */
export type SessionOf = (request: Request) => Promise<CurrentSession | null>

export function createSessionOf(accounts: Accounts, cookies: Cookies): SessionOf {
  return async (request) => {
    const secret = cookies.read(request, 'session')
    return secret === null ? null : accounts.session(secret)
  }
}

/** Tells procedures who calls. */
export function createContextOf(
  sessionOf: SessionOf,
  clock: SteadyClock,
): (request: Request) => Promise<CallContext> {
  return async (request) => {
    const session = await sessionOf(request)
    const from = { requestId: requestIdOf(request), caller: callerOf(request) }
    if (session === null) return { account: null, session: null, isOperator: false, ...from }
    const { accountId, role, state, accountLabel } = session
    return {
      account: { id: accountId, role, isApproved: state === 'active', label: accountLabel },
      session: { id: session.id, isFresh: isFresh(session, clock.now()), freshUntil: freshUntil(session) },
      isOperator: role === 'operator',
      ...from,
    }
  }
}

/** Returns the signal that ends the streams of a caller; null when nobody is signed in. */
export const createEndOf =
  ({ streamEnd }: Pick<Accounts, 'streamEnd'>) =>
  ({ account }: CallContext): AbortSignal | null =>
    account === null ? null : streamEnd(account.id)

/** The owner who is signed in at the browser of a request; null when nobody is, or an operator has to approve them first. */
export const createOwnerOf =
  (sessionOf: SessionOf) =>
  async (
    request: Request,
    facts: RequestFacts,
  ): Promise<{ readonly author: Author; readonly sessionId: string } | null> => {
    const session = await sessionOf(request)
    if (session === null || session.state !== 'active') return null
    const { id: sessionId, accountId, accountLabel } = session
    const actor = { id: accountId, label: accountLabel }
    return { author: { accountId, actor, ip: facts.caller().address, requestId: facts.requestId }, sessionId }
  }
