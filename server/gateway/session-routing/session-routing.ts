import type { GatewaySessionView } from '../../../shared/gateway.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { ignoreLoss } from '../../platform/shared-store/store-link.ts'
import { assertNever } from '../../platform/fault.ts'
import type { GatewayCaller } from '../authentication.ts'
import type { SessionFacts } from '../sessions/session-ids.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import { type ServeForwarded, createForwardedRequestServer } from './serve-forwarded.ts'
import { createRequestForwarder } from './forward-requests.ts'
import { type SessionRouter, createSessionRouter } from './session-router.ts'
import { type ReceivedFrame, createFrameSeal } from './frame-seal.ts'
import { createOwnerDirectory } from './owner-directory.ts'
import { createRemoteProcesses } from './remote-processes.ts'
import { type SessionLists, createSessionLists } from './session-lists.ts'

/** The store that the processes of one installation share. */
export interface SharedStore {
  /** The address of the store, `redis://…`. */
  readonly url: string
  /** The 32 bytes that every process has. */
  readonly secret: Buffer
}

interface SessionRoutingOptions {
  readonly store: SharedStore
  /** The id of this process: eight random bytes as lowercase hex. */
  readonly processId: string
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
  /** Ends the streams that other processes answer, which would keep this process from stopping. */
  closeStreams(): void
  stop(): Promise<void>
}

const watchEveryMs = 1_000
/** The time that a stopping process has to finish forwarded requests. */
const finishMs = 2_000

export function createSessionRouting(options: SessionRoutingOptions): SessionRouting {
  const { store, processId, clock, log, metrics, sessions, sessionLifeMs, rebuild, serve, listHere } = options
  const counts = { answered: 0, rebuilt: 0, unknown: 0, unavailable: 0 }

  const remotes = createRemoteProcesses({
    url: store.url,
    processId,
    seal: createFrameSeal(store.secret, processId),
    clock,
    log,
    onFrame: hear,
    onAbsent: endThoseElsewhere,
    onLost() {
      forwarder.abortAll()
      requestServer.abortAll()
    },
  })
  const owners = createOwnerDirectory(remotes.connection, processId)
  const lists = createSessionLists({ remotes, processId, listHere })
  const forwarder = createRequestForwarder(remotes)
  const requestServer = createForwardedRequestServer({
    remotes,
    log,
    async isHere(caller, sessionId) {
      await router.rebuilding(sessionId)?.catch(() => undefined) // that is told to whoever rebuilds it
      return sessions.isHere(caller, sessionId)
    },
    serve,
  })
  const router = createSessionRouter({
    processId,
    sessions,
    forwarder,
    owners,
    log,
    lifeOf: ({ openedAt }) => openedAt + sessionLifeMs - clock.now(),
    rebuild,
    countOutcome: (outcome) => void (counts[outcome] += 1),
  })

  function hear({ from, frame, bytes }: ReceivedFrame): void {
    switch (frame.kind) {
      case 'beat':
        return
      case 'ask':
      case 'more':
      case 'abort':
        return requestServer.receive(from, frame, bytes)
      case 'taken':
      case 'absent':
      case 'later':
      case 'head':
      case 'part':
      case 'end':
      case 'broken':
        return forwarder.receive(from, frame, bytes)
      case 'list':
      case 'listed':
        return lists.receive(from, frame, bytes)
      default:
        assertNever(frame)
    }
  }

  /** Ends local sessions that other processes claimed while this one was disconnected. */
  async function endThoseElsewhere(): Promise<void> {
    const now = clock.now()
    const kept = sessions.list().map(({ session }) => ({
      id: session.id,
      lifeMs: session.isRebuilt ? session.expiresAt - now : null,
    }))
    const lost = await owners.claimedByOthers(kept)
    for (const id of lost) sessions.end(id)
    if (lost.length > 0) log.warn('sessions went on in other processes meanwhile', { sessions: lost.length })
  }

  function observeRouting(): void {
    metrics.observedGauge(
      'gateway_store_connected',
      'Whether sessions are shared with the other processes',
      () => (remotes.isReady() ? 1 : 0),
    )
    metrics.observedCounter(
      'gateway_sessions_elsewhere_total',
      'Requests for sessions that were not in this process: answered by the one that has it; rebuilt here, because that one is gone; unknown; or unavailable, as neither could be done',
      ['outcome'],
      () => Object.entries(counts).map(([outcome, count]) => ({ labels: { outcome }, count })),
    )
    metrics.observedGauge(
      'gateway_asked',
      'Requests that other processes are answering',
      forwarder.activeCount,
    )
    metrics.observedGauge(
      'gateway_answering',
      'Requests answered for other processes',
      requestServer.activeCount,
    )
  }

  const timer = setInterval(() => void forwarder.abortCallsToGoneProcesses().catch(ignoreLoss), watchEveryMs)
  timer.unref()

  observeRouting()

  return {
    router,
    list: lists.list,
    closeStreams: forwarder.abortStreams,
    async stop() {
      clearInterval(timer)
      const until = clock.monotonic() + finishMs
      while (requestServer.activeCount() > 0 && clock.monotonic() < until) await Bun.sleep(20)
      await remotes.stop()
    },
  }
}
