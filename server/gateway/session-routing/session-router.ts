import { fault } from '../../platform/fault.ts'
import type { Log } from '../../platform/log.ts'
import { type GatewayCaller, type GatewayRequest, sessionHolderOf } from '../authentication.ts'
import type { SessionFacts } from '../sessions/session-ids.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import type { RequestForwarder } from './forward-requests.ts'
import type { OwnerDirectory } from './owner-directory.ts'
import { RecentMap } from '../../platform/recent-map.ts'

/**
 * The outcome for a request whose session is not here: the response of the owner process; `here`: the owner is
 * gone and the session was rebuilt in this process; `unknown`: the caller has no such session.
 */
export type RouteResult = Response | 'here' | 'unknown'

export interface SessionRouter {
  /**
   * Routes a request. `body` is the raw or parsed body. Throws the fault `unavailable` and those of a new
   * session.
   */
  route(incoming: GatewayRequest, sessionId: string, body: unknown): Promise<RouteResult>
  /** Returns the promise of a rebuild in progress. */
  rebuilding(sessionId: string): Promise<void> | undefined
}

/** The router of an installation with one process. */
export const singleProcessRouter: SessionRouter = {
  route: async () => 'unknown',
  rebuilding: () => undefined,
}

interface SessionRouterOptions {
  readonly processId: string
  readonly sessions: Pick<GatewaySessions, 'read' | 'isHere'>
  readonly forwarder: Pick<RequestForwarder, 'forward'>
  readonly owners: Pick<OwnerDirectory, 'find' | 'claim' | 'release'>
  readonly log: Log
  /** Returns the ms that the session may still last. */
  lifeOf(facts: SessionFacts): number
  rebuild(caller: GatewayCaller, sessionId: string, facts: SessionFacts): Promise<void>
  countOutcome(outcome: 'answered' | 'rebuilt' | 'unknown' | 'unavailable'): void
}

/** The number of moved sessions whose owner is remembered, so that the directory is not asked each time. */
const maxRemembered = 10_000
/** A session whose owner changes more often than this during one search is reported as moving. */
const maxAttempts = 4

export function createSessionRouter(options: SessionRouterOptions): SessionRouter {
  const { processId, sessions, forwarder, owners, log, lifeOf, rebuild, countOutcome } = options
  const knownOwners = new RecentMap<string, string>(maxRemembered)
  const rebuildsInProgress = new Map<string, Promise<void>>()

  /**
   * Rebuilds the session here; this process has become its owner. Concurrent requests wait for the same
   * rebuild.
   */
  async function rebuildHere(
    caller: GatewayCaller,
    sessionId: string,
    facts: SessionFacts,
  ): Promise<RouteResult> {
    knownOwners.delete(sessionId)
    const work = rebuild(caller, sessionId, facts)
    rebuildsInProgress.set(sessionId, work)
    try {
      await work
    } catch (error) {
      await owners.release(sessionId)
      throw error
    } finally {
      rebuildsInProgress.delete(sessionId)
    }
    countOutcome('rebuilt')
    return 'here'
  }

  /** Forwards the request to the process named in the session id, then to the owners recorded since. */
  async function search(incoming: GatewayRequest, sessionId: string, body: unknown): Promise<RouteResult> {
    const { caller } = incoming
    const facts = sessions.read(caller, sessionId)
    if (facts === null) return 'unknown'
    let owner: string | null = knownOwners.get(sessionId) ?? facts.ownerProcess
    for (let attempt = 0; attempt < maxAttempts && owner !== null; attempt++) {
      const forwarded =
        owner === processId ? 'absent' : await forwarder.forward(owner, sessionId, incoming, body)
      if (forwarded instanceof Response) {
        if (owner !== facts.ownerProcess) knownOwners.set(sessionId, owner)
        return forwarded
      }
      // Its stream ended with its process, and it is nothing but its stream.
      if (forwarded === 'gone' && facts.kind === 'sse') return 'unknown'
      const next = await nextHome(sessionId, owner, forwarded, facts)
      if (next.isNew) {
        log.info('a session of a process that is gone is rebuilt', { kind: facts.kind, process: owner })
        return rebuildHere(caller, sessionId, facts)
      }
      if (rebuildsInProgress.has(sessionId) || sessions.isHere(sessionHolderOf(caller), sessionId))
        return hereAfter(sessionId)
      // Who should have it does not: it has ended.
      if (next.owner === owner && forwarded === 'absent') return 'unknown'
      owner = next.owner
    }
    if (owner === null) return 'unknown'
    throw moving()
  }

  async function hereAfter(sessionId: string): Promise<RouteResult> {
    await rebuildsInProgress.get(sessionId)
    return 'here'
  }

  async function nextHome(
    sessionId: string,
    owner: string,
    forwarded: 'absent' | 'gone',
    facts: SessionFacts,
  ) {
    if (forwarded === 'gone') return owners.claim(sessionId, owner, lifeOf(facts))
    return { owner: await owners.find(sessionId), isNew: false }
  }

  return {
    async route(incoming, sessionId, body) {
      // It was found here when it was forwarded, and has ended since. Asking on could go round in circles.
      if (incoming.isForwarded) return 'unknown'
      try {
        const routed = await search(incoming, sessionId, body)
        if (routed instanceof Response) countOutcome('answered')
        if (routed === 'unknown') countOutcome('unknown')
        return routed
      } catch (error) {
        countOutcome('unavailable')
        throw error
      }
    },
    rebuilding: (sessionId) => rebuildsInProgress.get(sessionId),
  }
}

const moving = () =>
  fault('unavailable', 'This session is moving to another process: try again in a moment', {
    retryAfterSec: 1,
  })
