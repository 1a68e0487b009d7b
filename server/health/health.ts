/**
 * The health of registered services: verifiers probe them and report, and this room decides what is published.
 *
 * The flow of a report, in order:
 * 1. `verifiers/routes.ts` receives `POST /v1/verifiers/me/reports`, one batch in each turn of the event loop.
 * 2. `verifiers/reports.ts` accepts the batch: `signature.ts` verifies the verifier's key, `read-report.ts` parses the
 *    body, and `report-sequence.ts` refuses replays and wrong clocks. Nothing is stored before all of that holds.
 * 3. `evaluation/ingest.ts` measures each round against the reference head of its chain (`probe-rounds.ts`,
 *    `chain-view.ts`, `decide/reference-head.ts`). `effective-observation.ts` adds each observation to what is remembered
 *    of the same verifier's earlier ones: refusals for the rate (`decide/failure-run.ts`) and answers that contradict each
 *    other. The result is in `observation-table.ts`.
 * 4. `evaluation/evaluator.ts` evaluates the services that are due, every 200 ms: `decide/vote.ts` turns observations
 *    into votes, `decide/snapshot.ts` takes their lower median under a quorum, and `decide/state-machine.ts` holds a
 *    change back until it has lasted. `verifiers/ejections.ts` keeps verifiers with a broken view from voting.
 * 5. `evaluation/published-decisions.ts` stores the prebuilt answer, which `routes.ts` sends for `GET /health/{id}`.
 *    `evaluation/record-evaluation.ts` hands what happened to history: a changed decision, and a changed reason of an
 *    unchanged one (`decide/cause.ts` says when it is another).
 * 6. `history/` stores transitions with their evidence, uptime and rollups, behind the back of every request. A list of
 *    services reads the last day of a whole page with two statements (`read-recent-histories.ts`), the overview that of all
 *    chains (`read-worst-hours.ts`).
 *
 * What verifiers find out about a node beside its head (`evaluation/facts.ts`) is stored with its age, and forgotten when the
 * service moves to another address. What an operator declares of it wins; `capabilities` tells other rooms what a node can
 * be asked for, of both.
 *
 * `services/` is the catalogue: services of the installation's file and of operators. Everything in `decide/` is pure.
 *
 * Where several processes share a database, one of them decides for all (`fleet/fleet.ts`): it runs the built-in verifier and
 * writes history; the others pass reports on to it, keep the same observations, and serve its decisions. Verifiers, services of
 * operators (with their policies) and announced work are the same in all of them: a change goes through the change log of the keys (`keys/replicas/replicated-change.ts`), and its
 * call returns when every process that lives goes by it. A report of a verifier that is unknown here is refused only after a
 * look into the database. Services of the file are as each process's own file has them.
 *
 * Failure: without a quorum a service is UNKNOWN, never UP. Every published answer carries its own expiry, so that a
 * stopped evaluation ends in UNKNOWN as well. While the database is away, decisions go on and history waits in memory;
 * when that is full, the oldest rows are dropped, counted and logged.
 *
 * Known limitations: one process decides about all services, however many there are. After a restart, decisions are valid until
 * their stored quorum expires. Where one or two providers of a chain are watched, its reference
 * is not corroborated: the age of heads counts, and how nodes differ (`decide/low-trust.ts`), as LATENCY at most.
 */
import type { Chain } from '../../shared/chains.ts'
import type { Decision } from '../../shared/health.ts'
import type { HistoryRange } from '../../shared/health-details.ts'
import type { ChainChoice } from '../../shared/health-services.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Vault } from '../platform/vault.ts'
import { type Deciding, createDeciding } from '../platform/leases/deciding.ts'
import type { AmongProcesses } from './fleet/among-processes.ts'
import { createFleetParts } from './fleet/create-fleet-parts.ts'
import { type Fleet, createFleet } from './fleet/fleet.ts'
import { createCapabilities, createDetails } from './evaluation/details.ts'
import { type Evaluation, createEvaluation } from './evaluation/evaluation.ts'
import { type StoredFacts, createStoredFacts } from './evaluation/stored-facts.ts'
import { type History, createHistory } from './history/history.ts'
import type { DecisionListener } from './history/store.ts'
import { createHealthMetrics } from './metrics.ts'
import { createServiceMetrics } from './service-samples.ts'
import { createCatalogue } from './services/catalogue.ts'
import { createListFacts } from './services/list-facts.ts'
import { createServiceList } from './services/list-services.ts'
import { createLiveServices } from './services/live-services.ts'
import type { Service } from './services/service.ts'
import { type ServiceEvents, createServices } from './services/services.ts'
import type { CanarySettings } from './verifiers/canaries.ts'
import { createActiveVerifiers } from './verifiers/active-verifiers.ts'
import { type Verifiers, createVerifiers } from './verifiers/verifiers.ts'

export type { PeriodHistory } from './history/read-periods.ts'

export interface HealthOptions {
  readonly database: Database
  /** Tells every process of the verifiers and services that one of them changes. */
  readonly replicas: KeyReplicas
  readonly vault: Vault
  /** By which all processes of the installation stamp what they tell each other. */
  readonly clock: SteadyClock
  readonly log: Log
  readonly metrics: Metrics
  readonly world: HealthWorld
  readonly among: AmongProcesses
  /** Looks at each change of a decision that is stored; null: nobody does. */
  readonly decisionListener?: DecisionListener | null | undefined
}

/** What health needs of other parts. The installation's file is read at each call, because it may have changed. */
export interface HealthWorld {
  readonly findChain: (key: string) => Chain | undefined
  readonly canaries: () => CanarySettings
  /** Why the guarded fetch would refuse an address; null where it would not. */
  readonly refusalOf: (endpoint: string) => Promise<string | null>
  /** Names of the relay's endpoints that send calls to a service. */
  readonly endpointsUsing: (serviceId: string) => readonly string[]
  /** Names of the endpoints of the file that give a WebSocket address on the host of a service. */
  readonly endpointsOnHostOf: (serviceId: string) => readonly string[]
  /** Names of the status pages of the file that show a service. */
  readonly pagesShowing: (serviceId: string) => readonly string[]
}

type ReaderSources = Parameters<typeof createDetails>[0] &
  Parameters<typeof createListFacts>[0] &
  Parameters<typeof createServiceMetrics>[0] & {
    readonly history: Pick<History, 'readPeriods' | 'changesSince'>
    readonly world: Pick<HealthWorld, 'endpointsUsing'>
    readonly evaluation: Pick<Evaluation, 'read' | 'isDecided' | 'view'>
    readonly among: Pick<AmongProcesses, 'isClockWrong'>
    readonly deciding: Pick<Deciding, 'isDeciding' | 'transaction'>
  }

const createReaders = (sources: ReaderSources) => ({
  /** Returns the answer of `GET /health/{serviceId}`, from memory. */
  read: sources.evaluation.read,
  isDecided: sources.evaluation.isDecided,
  isClockWrong: sources.among.isClockWrong,
  /** Whether this process decides, and a transaction that is rolled back where another one does by then. */
  deciding: sources.deciding,
  /** Returns everything behind the decision of a service. Throws the fault `not_found`. */
  details: createDetails(sources),
  /** Returns the newest heads of a service, one of each verifier. */
  heads: sources.evaluation.heads,
  /** Returns what the nodes of a chain are measured by; null while nothing is known of it. */
  reference: (chain: string) => sources.evaluation.view(chain)?.reference ?? null,
  /** Returns when the certificate of a service ends (Unix seconds); null where none is known. */
  certificateExpiresAt: (serviceId: string): number | null =>
    sources.evaluation.facts(serviceId)?.facts.certificateExpiresAt ?? null,
  /** Returns what a service can be asked for. Throws the fault `not_found`. */
  capabilities: createCapabilities(sources),
  /** Returns the names of the relay's endpoints that send calls to a service. */
  usedBy: sources.world.endpointsUsing,
  /** Yields the text of `GET /metrics/services` in chunks, from memory. */
  renderServiceMetrics: createServiceMetrics(sources),
  /** Resolves to what services were in spans that follow each other. Fault: `unavailable` while the database is away. */
  periods: sources.history.readPeriods,
  /** Resolves to when decisions of services changed since an instant, as it is stored. Fault: `unavailable`. */
  changesSince: sources.history.changesSince,
  ...createListFacts(sources),
})

interface PartsOfServices {
  readonly clock: SteadyClock
  readonly facts: Pick<StoredFacts, 'setAddress' | 'remove'>
  readonly evaluation: Pick<Evaluation, 'markDue' | 'forgetService'>
  readonly fleet: Pick<Fleet, 'forgetService'>
  readonly verifiers: Pick<Verifiers, 'assignmentsChanged'>
  readonly history: Pick<History, 'discard' | 'forget'>
}

const serviceEvents = (parts: PartsOfServices): ServiceEvents => ({
  catalogueChanged({ put, removed }) {
    if (put) {
      parts.facts.setAddress(put.service.id, put.service.endpoint, parts.clock.now())
      parts.evaluation.markDue(put)
    }
    if (removed) {
      parts.evaluation.forgetService(removed)
      parts.fleet.forgetService(removed.service.id)
    }
  },
  assignmentsChanged: parts.verifiers.assignmentsChanged,
  dropped: parts.history.discard,
  removed: (id) => Promise.all([parts.history.forget(id), parts.facts.remove(id)]),
})

/** Live views are updated at most this often (ms). */
const liveEveryMs = 1_000

export type Health = Awaited<ReturnType<typeof createHealth>>

/** Creates the health domain and loads services and verifiers. Throws when the database is away. */
export async function createHealth(options: HealthOptions) {
  const { database, replicas, clock, log, metrics, world, among, decisionListener: listener } = options
  const numbers = createHealthMetrics(metrics)
  const deciding = createDeciding({ ...among, clock, hasOthers: among.link !== null })
  const fleet = createFleet({ ...among, deciding, clock, log })
  const history = createHistory({ database, clock, log, countLost: numbers.countLost, deciding, listener })
  const catalogue = createCatalogue()
  const activeVerifiers = createActiveVerifiers()
  const known = { ...world, catalogue, activeVerifiers }
  const facts = createStoredFacts({ database, clock, log, deciding })
  const evaluation = createEvaluation({ ...known, fleet, history, metrics: numbers, facts, clock, log })
  const verifiers = createVerifiers({
    ...options,
    watched: { ...world, catalogue },
    activeVerifiers,
    evaluation,
    facts,
    fleet,
    transaction: deciding.transaction,
    countReport: numbers.countReport,
  })
  fleet.connect(createFleetParts({ history, evaluation, verifiers }))
  const events = serviceEvents({ clock, facts, evaluation, fleet, verifiers, history })
  const services = createServices({ ...options, catalogue, ...world }, events)
  const list = createServiceList({ ...world, catalogue, services, evaluation })
  const live = createLiveServices({ ...list, everyMs: liveEveryMs })
  /** The chains of the file that is active. */
  let chains: readonly Chain[] = []

  await Promise.all([history.prepare(), facts.load()])
  await replicas.keySync.sync()

  return {
    verifiers,
    services: { ...services, ...list, live: live.follow },

    ...createReaders({ ...known, services, list, evaluation, clock, history, world, among, deciding }),

    /** Resolves to a service's history, or to the one before it. Faults: `not_found`, `unavailable` without database. */
    history(serviceId: string, range: HistoryRange, isBefore = false) {
      services.find(serviceId)
      return history.read(serviceId, range, isBefore)
    },

    /** Returns name and decision for a badge; the name of an unregistered service is its id. */
    label(serviceId: string): { name: string; decision: Decision } {
      const listed = catalogue.find(serviceId)
      return { name: listed?.service.name ?? serviceId, decision: evaluation.read(serviceId).decision }
    },

    /** Returns the chains for which services can be registered, sorted by name. */
    chains: (): ChainChoice[] =>
      chains
        .map(({ key, name, family }) => ({ key, name, family }))
        .toSorted((one, other) => one.name.localeCompare(other.name, 'en')),

    checkFile: services.checkFile,

    /** Activates a file that `checkFile` has accepted. */
    applyFile(fromFile: readonly Service[], fromNow: readonly Chain[]): void {
      chains = fromNow
      evaluation.chainsChanged()
      services.applyFile(fromFile, chains)
      verifiers.assignmentsChanged()
    },

    /** Restores the decisions of the last run: once, after the first file is active and before `start`. */
    restore: fleet.start,

    /** Calls back when this process begins to decide, and when another one does. Before `restore`. */
    onDeciding: fleet.onDeciding,
    suspect: fleet.suspect,
    onSuspect: fleet.onSuspect,

    start() {
      history.start()
      facts.start()
      evaluation.start()
      verifiers.start()
      numbers.start({ services: services.list, verifiers: verifiers.list, decisions: evaluation, clock })
    },

    /** Stops all timers and stores what is in memory. */
    async stop() {
      numbers.stop()
      live.stop()
      await evaluation.stop()
      await verifiers.stop()
      await facts.stop()
      await history.stop()
      await fleet.stop()
    },
  }
}
