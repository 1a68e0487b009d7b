import { TeamId, mayInTeam, teamHeader, teamParameter } from '../../shared/teams.ts'
import type { Cookies } from '../platform/http/cookies.ts'
import type { Author } from '../keys/changes.ts'
import { type RequestFacts, callerOf, requestIdOf } from '../platform/http/request-facts.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { Fault, fault } from '../platform/fault.ts'
import { actorInTeam } from '../trpc/team-account.ts'
import type { CallContext, CallingSession } from '../trpc/init.ts'
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

/** The team that a request names: in its header, or where a stream can have none, in its address. Null: none. */
const namedTeam = (request: Request): string | null =>
  request.headers.get(teamHeader) ??
  (request.method === 'GET' ? new URL(request.url).searchParams.get(teamParameter) : null)

type ChooseTeam = Accounts['teams']['choose']

async function teamOf(
  request: Request,
  personId: string,
  choose: ChooseTeam,
): Promise<CallingSession['team']> {
  const named = namedTeam(request)
  if (named === null) return undefined
  const { success, data } = TeamId.safeParse(named)
  return success
    ? choose(personId, data)
    : fault('invalid_request', `${teamHeader}: expected the id of a team`)
}

/** Tells procedures who calls, and for which team. */
export function createContextOf(
  sessionOf: SessionOf,
  clock: SteadyClock,
  { choose }: Pick<Accounts['teams'], 'choose'>,
): (request: Request) => Promise<CallContext> {
  return async (request) => {
    const session = await sessionOf(request)
    const from = { requestId: requestIdOf(request), caller: callerOf(request) }
    if (session === null) return { account: null, session: null, isOperator: false, ...from }
    const { accountId, role, state, accountLabel } = session
    return {
      account: { id: accountId, role, isApproved: state === 'active', label: accountLabel },
      session: {
        id: session.id,
        isFresh: isFresh(session, clock.now()),
        freshUntil: freshUntil(session),
        team: await teamOf(request, accountId, choose),
      },
      isOperator: role === 'operator',
      ...from,
    }
  }
}

/** Returns the signal that ends the streams of a caller; null when nobody is signed in. */
export const createEndOf =
  ({ streamEnd }: Pick<Accounts, 'streamEnd'>) =>
  ({ account, session }: CallContext): AbortSignal | null => {
    if (account === null) return null
    const team = session?.team
    const ownEnd = streamEnd(account.id)
    return team === undefined || team instanceof Fault
      ? ownEnd
      : AbortSignal.any([ownEnd, streamEnd(team.id)])
  }

interface ReturningOwner {
  readonly author: Author
  readonly sessionId: string
  /** The same person for a team of theirs; null where they may not make connections for it. */
  forTeam(teamId: string): Promise<Author | null>
}

/** The owner who is signed in at the browser of a request; null when nobody is, or an operator has to approve them first. */
export const createOwnerOf =
  (sessionOf: SessionOf, { choose }: Pick<Accounts['teams'], 'choose'>) =>
  async (request: Request, facts: RequestFacts): Promise<ReturningOwner | null> => {
    const session = await sessionOf(request)
    if (session === null || session.state !== 'active') return null
    const { id: sessionId, accountId, accountLabel } = session
    const actor = { id: accountId, label: accountLabel }
    const trace = { ip: facts.caller().address, requestId: facts.requestId }
    return {
      author: { accountId, actor, ...trace },
      sessionId,
      async forTeam(teamId) {
        const team = await choose(accountId, teamId)
        if (team instanceof Fault || !mayInTeam(team.role, 'build')) return null
        return { accountId: team.id, actor: actorInTeam(actor, team), ...trace }
      },
    }
  }
