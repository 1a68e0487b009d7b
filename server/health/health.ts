import type { Chain } from '../../shared/chains.ts'
import type { ServiceSpec } from '../../shared/health.ts'
import type { HistoryRange, ServiceDetails, ServiceHistory } from '../../shared/health-details.ts'
import type { Database } from '../platform/database.ts'
import { fault } from '../platform/fault.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Vault } from '../platform/vault.ts'
import { createBoard } from './board.ts'
import { detailsOf, evidenceOf, reasonOf } from './details.ts'
import { initial } from './decide/state-machine.ts'
import { createEvaluator } from './evaluator.ts'
import type { Evaluated } from './evaluator.ts'
import { createHealthMetrics } from './health-metrics.ts'
import { createJournal } from './history/journal.ts'
import { createKeeper } from './history/keeper.ts'
import type { Retention } from './history/keeper.ts'
import { readHistory } from './history/read-history.ts'
import { createRecorder } from './history/recorder.ts'
import { createHistoryStore } from './history/store.ts'
import type { SavedHealth } from './history/store.ts'
import { createIngest } from './ingest.ts'
import { createPublished } from './published.ts'
import { createCatalogue } from './services/catalogue.ts'
import type { ListedService } from './services/catalogue.ts'
import { createRegistration } from './services/registration.ts'
import { createServiceStore } from './services/store.ts'
import { createVerifiers } from './verifiers/verifiers.ts'

export type Health = Awaited<ReturnType<typeof createHealth>>

interface HealthOptions {
  readonly database: Database
  readonly vault: Vault
  readonly clock: SteadyClock
  readonly log: Log
  readonly metrics: Metrics
  /** The chains in force now; asked anew after each `applyFile`. */
  readonly findChain: (key: string) => Chain | undefined
  /** Why the guarded fetch would refuse an address; null where it would not. */
  readonly refusalOf: (endpoint: string) => Promise<string | null>
  readonly canaries: () => readonly string[]
}

const retention: Retention = { fiveMinutesDays: 7, hoursDays: 400, transitionsDays: 400 }
const ejectionRoundMs = 10_000

/** The health of registered services: who watches them, what they saw, what is decided from it, and what was. */
export async function createHealth(options: HealthOptions) {
  const { database, vault, clock, log, metrics, findChain, refusalOf, canaries } = options
  const catalogue = createCatalogue()
  const board = createBoard()
  const recorder = createRecorder()
  const published = createPublished()
  const serviceStore = createServiceStore(database, vault)
  const historyStore = createHistoryStore(database)
  const journal = createJournal({ store: historyStore, recorder, log, refreshEveryMs: 5_000, rollupEveryMs: 60_000 })
  const keeper = createKeeper({ database, clock, log, retention })
  const numbers = createHealthMetrics(metrics)

  const ingest = createIngest({ catalogue, board, recorder, findChain, clock, touched: (slot) => evaluator.touched(slot) })
  const verifiers = createVerifiers({
    database,
    clock,
    log,
    catalogue,
    findChain,
    canaries,
    ingest,
    count: numbers.countReport,
    quorumChanged: () => evaluator.touchedAll(),
  })
  const evaluator = createEvaluator({
    catalogue,
    board,
    directory: verifiers.directory,
    ejections: verifiers.ejections,
    published,
    clock,
    log,
    onEvaluated: record,
  })
  const registration = createRegistration({
    catalogue,
    store: serviceStore,
    findChain,
    refusalOf,
    onChanged({ put, removed }) {
      if (put) evaluator.touched(put.slot)
      if (removed) forget(removed)
    },
  })
  let inMaintenance = new Set<string>()
  let ejectionTimer: Timer | undefined

  /** Hands one evaluation on to history. */
  function record({ service, at, previousAt, previous, state, snapshot, reports }: Evaluated): void {
    const { id, policy } = service.service
    if (previousAt !== null && at - previousAt <= policy.freshMs * 2) {
      recorder.lasted(id, previous.published, snapshot.liveVerifiers, previousAt, at)
    }
    const saved: SavedHealth = {
      serviceId: id,
      published: state.published,
      state,
      liveVerifiers: snapshot.liveVerifiers,
      avgBlocksLatency: snapshot.avgBlocksLatency,
      avgTimeLatency: snapshot.avgTimeLatency,
      evaluatedAt: at,
      quorumExpiresAt: snapshot.quorumExpiresAt,
    }
    if (state.published === previous.published) {
      journal.refresh(saved)
      return
    }
    const votes = evidenceOf(reports, policy, previous.published, at)
    const reason = reasonOf(state.published, votes, snapshot.liveVerifiers)
    journal.transition({ serviceId: id, at, from: previous.published, to: state.published, reason, votes }, saved)
    numbers.countTransition(previous.published, state.published)
  }

  function forget({ service, slot }: ListedService): void {
    board.clearSlot(slot)
    evaluator.forget(slot)
    published.remove(service.id)
    journal.forget(service.id)
  }

  /** Goes on where the last run stopped; a quorum that was lost in between was lost at its own time. */
  async function restore(): Promise<void> {
    const now = clock.now()
    for (const saved of await historyStore.loadHealths()) {
      const listed = catalogue.find(saved.serviceId)
      if (!listed) continue
      if (saved.published === 'UNKNOWN' || saved.quorumExpiresAt > now) evaluator.restore(listed, saved)
      else evaluator.restore(listed, expire(saved))
    }
  }

  function expire(saved: SavedHealth): SavedHealth {
    const { serviceId, published: from, state, quorumExpiresAt: at } = saved
    const expired: SavedHealth = {
      ...saved,
      published: 'UNKNOWN',
      state: { ...initial(at), worsenings: state.worsenings },
      liveVerifiers: 0,
      avgBlocksLatency: 0,
      avgTimeLatency: 0,
      evaluatedAt: at,
    }
    const reason = 'no quorum: the server was not running'
    journal.transition({ serviceId, at, from, to: 'UNKNOWN', reason, votes: [] }, expired)
    return expired
  }

  const findPublic = (id: string): ListedService => {
    const listed = catalogue.find(id)
    if (!listed || listed.service.isHidden) throw fault('not_found', 'no service of this id is registered')
    return listed
  }

  await keeper.keep()
  await registration.load()
  await verifiers.load()
  inMaintenance = new Set(await serviceStore.inMaintenance(clock.now()))

  return {
    verifiers,

    /** The answer of `GET /health/{serviceId}`. Touches nothing but memory. */
    read: (serviceId: string) => published.read(serviceId, clock.now()),

    /** Fault: `not_found`. */
    details(serviceId: string): ServiceDetails {
      const listed = findPublic(serviceId)
      const now = clock.now()
      const { service, slot } = listed
      const state = evaluator.state(slot)
      return detailsOf({
        service,
        published: published.read(serviceId, now).decision,
        state: state ?? null,
        reports: evaluator.reports(listed, now),
        assigned: verifiers.directory.assigned(service.family),
        view: service.chain === null ? null : (ingest.view(service.chain) ?? null),
        isInMaintenance: inMaintenance.has(serviceId),
        findVerifier: verifiers.directory.find,
        now,
      })
    },

    /** Faults: `not_found`, `unavailable` while the database is away. */
    async history(serviceId: string, range: HistoryRange): Promise<ServiceHistory> {
      findPublic(serviceId)
      return await readHistory(historyStore, serviceId, range, clock.now())
    },

    /** Name and decision, for badges; an unregistered service has its id as its name. */
    label(serviceId: string) {
      const { decision } = published.read(serviceId, clock.now())
      return { name: catalogue.find(serviceId)?.service.name ?? serviceId, decision }
    },

    services: {
      list: () => [...catalogue.all()].flatMap(({ service }) => (service.isHidden ? [] : [service])),
      add: async (spec: ServiceSpec) => {
        const service = await registration.add(spec)
        verifiers.assignmentsChanged()
        return service
      },
      /** Forgets its history, too. */
      remove: async (id: string) => {
        await registration.remove(id)
        verifiers.assignmentsChanged()
        await historyStore.forget(id)
      },
      /** Announces work until an instant (epoch ms; null: until it is ended). */
      startMaintenance: async (id: string, until: number | null, note: string) => {
        findPublic(id)
        await serviceStore.startMaintenance(id, clock.now(), until, note)
        inMaintenance.add(id)
      },
      endMaintenance: async (id: string) => {
        findPublic(id)
        await serviceStore.endMaintenance(id, clock.now())
        inMaintenance.delete(id)
      },
    },

    checkFile: registration.checkFile,

    /** Puts a checked file in force. */
    async applyFile(services: Parameters<typeof registration.applyFile>[0], chains: readonly Chain[]): Promise<void> {
      const isFirst = catalogue.size === 0
      ingest.resetViews()
      registration.applyFile(services, chains)
      verifiers.assignmentsChanged()
      if (isFirst) await restore()
    },

    /** Counts for metrics and for readiness. */
    status: () => ({ services: catalogue.size, historyWaiting: journal.waiting }),

    start() {
      journal.start()
      keeper.start()
      evaluator.start()
      verifiers.start()
      ejectionTimer = setInterval(() => {
        if (verifiers.ejections.endRound()) evaluator.touchedAll()
      }, ejectionRoundMs)
    },

    /** Flushes history. */
    async stop() {
      clearInterval(ejectionTimer)
      evaluator.stop()
      keeper.stop()
      await verifiers.stop()
      await journal.stop()
    },
  }
}
