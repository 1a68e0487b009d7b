import type { GatewaySessionView } from '../../../shared/gateway.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Metrics } from '../../platform/metrics.ts'
import { StoreLost } from '../../platform/shared-store/store-link.ts'
import { assertNever } from '../../platform/fault.ts'
import type { Principal } from '../principal.ts'
import type { NamedSession } from '../sessions/session-names.ts'
import type { GatewaySessions } from '../sessions/sessions.ts'
import { type ServeForwarded, createAnswering } from './answering.ts'
import { createAsking } from './asking.ts'
import { type Elsewhere, createElsewhere } from './elsewhere.ts'
import { type Received, createFrameSeal } from './frame-seal.ts'
import { createHomes } from './homes.ts'
import { createPeers } from './peers.ts'
import { type SessionLists, createSessionLists } from './session-lists.ts'

/** Where processes of one installation meet, and what they have in common. */
export interface SharedStore {
  /** `redis://…` */
  readonly url: string
  /** 32 bytes that every process has. */
  readonly secret: Buffer
}

interface ReplicasOptions {
  readonly store: SharedStore
  /** Id of this process: eight random bytes, as lowercase hex. */
  readonly self: string
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly sessions: Pick<GatewaySessions, 'read' | 'isHere' | 'end' | 'list'>
  readonly sessionLifeMs: number
  /** For people: of one account, or of everybody (null), in this process. */
  listHere(owner: string | null): readonly GatewaySessionView[]
  rebuild(principal: Principal, sessionId: string, named: NamedSession): Promise<void>
  serve: ServeForwarded
}

/** The other processes, as far as sessions go. */
export interface Replicas {
  readonly elsewhere: Elsewhere
  readonly list: SessionLists['list']
  /** Ends streams that others are answering, and that would keep this process from stopping. */
  closeStreams(): void
  stop(): Promise<void>
}

const watchEveryMs = 1_000
/** At its end, a process finishes what it is answering for others. */
const finishMs = 2_000

export function createReplicas(options: ReplicasOptions): Replicas {
  const { store, self, clock, log, metrics, sessions, sessionLifeMs, rebuild, serve, listHere } = options
  const counts = { answered: 0, rebuilt: 0, unknown: 0, unavailable: 0 }

  const peers = createPeers({
    url: store.url,
    self,
    seal: createFrameSeal(store.secret, self),
    clock,
    log,
    onFrame: hear,
    onAbsent: endThoseElsewhere,
    onLost() {
      asking.breakAll()
      answering.breakAll()
    },
  })
  const homes = createHomes(peers.connection, self)
  const lists = createSessionLists({ peers, self, listHere })
  const asking = createAsking(peers)
  const answering = createAnswering({
    peers,
    log,
    async isHere(principal, sessionId) {
      await elsewhere.rebuilding(sessionId)?.catch(() => undefined) // that is told to whoever rebuilds it
      return sessions.isHere(principal, sessionId)
    },
    serve,
  })
  const elsewhere = createElsewhere({
    self,
    sessions,
    asking,
    homes,
    log,
    lifeOf: ({ openedAt }) => openedAt + sessionLifeMs - clock.now(),
    rebuild,
    note: (outcome) => void (counts[outcome] += 1),
  })

  function hear({ from, frame, bytes }: Received): void {
    switch (frame.kind) {
      case 'beat':
        return
      case 'ask':
      case 'more':
      case 'abort':
        return answering.hear(from, frame, bytes)
      case 'taken':
      case 'absent':
      case 'later':
      case 'head':
      case 'part':
      case 'end':
      case 'broken':
        return asking.hear(from, frame, bytes)
      case 'list':
      case 'listed':
        return lists.hear(from, frame, bytes)
      default:
        assertNever(frame)
    }
  }

  /** While this process was cut off, others may have taken its sessions for lost: then they are theirs now. */
  async function endThoseElsewhere(): Promise<void> {
    const now = clock.now()
    const kept = sessions.list().map(({ session }) => ({
      id: session.id,
      lifeMs: session.isRebuilt ? session.expiresAt - now : null,
    }))
    const lost = await homes.lost(kept)
    for (const id of lost) sessions.end(id)
    if (lost.length > 0) log.warn('sessions went on in other processes meanwhile', { sessions: lost.length })
  }

  const timer = setInterval(() => {
    asking.watch().catch((error: unknown) => {
      if (!(error instanceof StoreLost)) throw error
    })
  }, watchEveryMs)
  timer.unref()

  metrics.observedGauge(
    'gateway_store_connected',
    'Whether sessions are shared with the other processes',
    () => (peers.isReady() ? 1 : 0),
  )
  metrics.observedCounter(
    'gateway_sessions_elsewhere_total',
    'Requests for sessions that were not in this process: answered by the one that has it; rebuilt here, because that one is gone; unknown; or unavailable, as neither could be done',
    ['outcome'],
    () => Object.entries(counts).map(([outcome, count]) => ({ labels: { outcome }, count })),
  )
  metrics.observedGauge('gateway_asked', 'Requests that other processes are answering', asking.underWay)
  metrics.observedGauge('gateway_answering', 'Requests answered for other processes', answering.underWay)

  return {
    elsewhere,
    list: lists.list,
    closeStreams: asking.breakStreams,
    async stop() {
      clearInterval(timer)
      const until = clock.monotonic() + finishMs
      while (answering.underWay() > 0 && clock.monotonic() < until) await Bun.sleep(20)
      await peers.stop()
    },
  }
}
