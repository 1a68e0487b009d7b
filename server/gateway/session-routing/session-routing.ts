/**
 * Sessions of the gateway at several processes. The id of a session names the process that opened it
 * (`sessions/session-ids.ts`), which is asked over internal HTTP (`platform/internal-http/internal-http.ts`).
 *
 * 1. `session-router.ts` looks for the process: the one that the id names, or the one that took the session over.
 * 2. `forward-requests.ts` sends it the request in an envelope (`envelope.ts`), and `pass-on.ts` passes its response on. A
 *    stream that breaks off ends with an error for each request (`unfinished-requests.ts`).
 * 3. `serve-forwarded.ts` answers at the other side, where the caller is authenticated again: it says at once whether it
 *    takes the request. One that stands still is noticed when its heartbeats stop, and one under load is waited for.
 * 4. A session whose process is gone is claimed by one of the others in the table `gateway_session_owners`
 *    (`owner-directory.ts`) and rebuilt there, without its credentials. A process that wakes up ends what others claimed.
 * `route-tool-call.ts` does the same for calls that name a session of another process in their arguments, and
 * `session-lists.ts` asks all processes for their sessions.
 *
 * Failure: what may have been carried out is never sent again; its caller is told so. While the database is away, sessions
 * of processes that were known go on; those of processes that end meanwhile are unavailable until it is back.
 */
import type { GatewaySessionView } from '../../../shared/gateway.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import type { InternalHttp } from '../../platform/internal-http/internal-http.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { GatewayCaller } from '../authentication.ts'
import type { SessionFacts } from '../sessions/session-ids.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import { forwardPath } from './envelope.ts'
import { createRequestForwarder } from './forward-requests.ts'
import { createOwnerDirectory } from './owner-directory.ts'
import { type ServeForwarded, createForwardedRequestServer } from './serve-forwarded.ts'
import { type SessionLists, createSessionLists, listPath } from './session-lists.ts'
import { type SessionRouter, createSessionRouter } from './session-router.ts'

/** What the processes of one installation have in common. */
export interface SessionFleet {
  readonly internal: InternalHttp
  readonly database: Database
  /** The 32 bytes that every process has. */
  readonly secret: Buffer
}

interface SessionRoutingOptions {
  readonly fleet: SessionFleet
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly sessions: Pick<GatewaySessions, 'read' | 'isHere' | 'end' | 'list'>
  readonly sessionLifeMs: number
  /** Returns the sessions of this process for people: those of one account, or all (null). */
  listHere(owner: string | null): readonly GatewaySessionView[]
  rebuild(caller: GatewayCaller, sessionId: string, facts: SessionFacts): Promise<void>
  serve: ServeForwarded
}

/** Session routing between the processes of one installation. */
export interface SessionRouting {
  readonly router: SessionRouter
  readonly list: SessionLists['list']
  stop(): Promise<void>
}

/** The time that a stopping process has to finish forwarded requests. */
const finishMs = 2_000

export function createSessionRouting(options: SessionRoutingOptions): SessionRouting {
  const { fleet, clock, log, metrics, sessions, sessionLifeMs, rebuild, serve, listHere } = options
  const { internal, database } = fleet
  const { registry, nodeId } = internal
  const counts = { answered: 0, rebuilt: 0, unknown: 0, unavailable: 0 }

  const owners = createOwnerDirectory(database, nodeId)
  const lists = createSessionLists({ internal, listHere })
  const forwarder = createRequestForwarder({ send: internal.send, registry, clock })
  const router = createSessionRouter({
    processId: nodeId,
    sessions,
    forwarder,
    owners,
    log,
    lifeOf: ({ openedAt }) => Math.max(1, openedAt + sessionLifeMs - clock.now()),
    rebuild,
    countOutcome: (outcome) => void (counts[outcome] += 1),
  })
  const requestServer = createForwardedRequestServer({
    registry,
    log,
    async isHere(caller, sessionId) {
      await router.rebuilding(sessionId)?.catch(() => undefined) // that is told to whoever rebuilds it
      return sessions.isHere(caller, sessionId)
    },
    serve,
  })
  internal.handle(forwardPath, requestServer.answer)
  internal.handle(listPath, lists.answer)

  /** Ends local sessions that other processes claimed while this one was taken for gone. */
  registry.onReturn(async () => {
    const lost = await owners.claimedByOthers(sessions.list().map(({ session }) => session.id))
    for (const id of lost) sessions.end(id)
    if (lost.length > 0) log.warn('sessions went on in other processes meanwhile', { sessions: lost.length })
  })

  metrics.observedGauge(
    'gateway_sessions_shared',
    'Whether this process finds the sessions of the other processes',
    () => (registry.isConnected() ? 1 : 0),
  )
  metrics.observedCounter(
    'gateway_sessions_elsewhere_total',
    'Requests for sessions that were not in this process: answered by the one that has it; rebuilt here, because that one is gone; unknown; or unavailable, as neither could be done',
    ['outcome'],
    () => Object.entries(counts).map(([outcome, count]) => ({ labels: { outcome }, count })),
  )
  metrics.observedGauge('gateway_asked', 'Requests that other processes are answering', forwarder.activeCount)
  metrics.observedGauge(
    'gateway_answering',
    'Requests answered for other processes',
    requestServer.activeCount,
  )

  return {
    router,
    list: lists.list,
    async stop() {
      const until = clock.monotonic() + finishMs
      while (requestServer.activeCount() > 0 && clock.monotonic() < until) await Bun.sleep(20)
      requestServer.close()
      await internal.leave()
    },
  }
}
