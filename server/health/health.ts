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
 *    services reads the last day of a whole page with two statements (`read-recent-histories.ts`).
 *
 * What verifiers find out about a node beside its head (`evaluation/facts.ts`) is stored with its age, and forgotten when the
 * service moves to another address. What an operator declares of it wins; `capabilities` tells other rooms what a node can
 * be asked for, of both.
 *
 * `services/` is the catalogue: services of the installation's file and of operators. Everything in `decide/` is pure.
 *
 * Where several processes share a database, verifiers, services of operators (with their policies) and announced work are
 * the same in all of them: a change goes through the change log of the keys (`keys/replicas/replicated-change.ts`), and its
 * call returns when every process that lives goes by it. A report of a verifier that is unknown here is refused only after a
 * look into the database. Services of the file are as each process's own file has them.
 *
 * Failure: without a quorum a service is UNKNOWN, never UP. Every published answer carries its own expiry, so that a
 * stopped evaluation ends in UNKNOWN as well. While the database is away, decisions go on and history waits in memory;
 * when that is full, the oldest rows are dropped, counted and logged.
 *
 * Known limitations: observations live in one process, and each process decides for itself; after a restart, decisions stand until their stored quorum
 * expires. A chain with one provider has no corroborated reference, so only the age of its heads counts.
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
import { createCapabilities, createDetails } from './evaluation/details.ts'
import { createEvaluation } from './evaluation/evaluation.ts'
import { createStoredFacts } from './evaluation/stored-facts.ts'
import { type History, createHistory } from './history/history.ts'
import { createHealthMetrics } from './metrics.ts'
import { createServiceMetrics } from './service-samples.ts'
import { createCatalogue } from './services/catalogue.ts'
import { createServiceList } from './services/list-services.ts'
import { createLiveServices } from './services/live-services.ts'
import type { Service } from './services/service.ts'
import { createServices } from './services/services.ts'
import type { CanarySettings } from './verifiers/canaries.ts'
import { createActiveVerifiers } from './verifiers/active-verifiers.ts'
import { createVerifiers } from './verifiers/verifiers.ts'

export interface HealthOptions {
  readonly database: Database
  /** Tells every process of the verifiers and services that one of them changes. */
  readonly replicas: KeyReplicas
  readonly vault: Vault
  readonly clock: SteadyClock
  readonly log: Log
  readonly metrics: Metrics
  readonly world: HealthWorld
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
}

type ReaderSources = Parameters<typeof createDetails>[0] &
  Parameters<typeof createServiceMetrics>[0] & {
    readonly history: Pick<History, 'readRecent'>
    readonly world: Pick<HealthWorld, 'endpointsUsing'>
  }

const createReaders = (sources: ReaderSources) => ({
  /** Returns everything behind the decision of a service. Throws the fault `not_found`. */
  details: createDetails(sources),
  /** Returns the newest heads of a service, one of each verifier. */
  heads: sources.evaluation.heads,
  /** Returns what a service can be asked for. Throws the fault `not_found`. */
  capabilities: createCapabilities(sources),
  /** Returns the names of the relay's endpoints that send calls to a service. */
  usedBy: sources.world.endpointsUsing,
  /** Yields the text of `GET /metrics/services` in chunks, from memory. */
  renderServiceMetrics: createServiceMetrics(sources),
  /**
   * Resolves to the last day and the uptime of those services that are registered. Throws the fault `unavailable` while
   * the database is away.
   */
  recentHistories: (serviceIds: readonly string[]) =>
    sources.history.readRecent(
      [...new Set(serviceIds)].filter((id) => sources.services.access.find(id) !== undefined),
    ),
})

/** Live views are updated at most this often (ms). */
const liveEveryMs = 1_000

export type Health = Awaited<ReturnType<typeof createHealth>>

/** Creates the health domain and loads services and verifiers. Throws when the database is away. */
export async function createHealth(options: HealthOptions) {
  const { database, replicas, clock, log, metrics, world } = options
  const { findChain, canaries } = world
  const numbers = createHealthMetrics(metrics)
  const history = createHistory(database, clock, log, numbers.countLost)
  const catalogue = createCatalogue()
  const activeVerifiers = createActiveVerifiers()
  const known = { catalogue, activeVerifiers, findChain }
  const facts = createStoredFacts({ database, clock, log })
  const evaluation = createEvaluation({ ...known, history, metrics: numbers, facts, clock, log })
  const verifiers = createVerifiers({
    ...options,
    watched: { catalogue, findChain, canaries },
    activeVerifiers,
    evaluation,
    facts,
    countReport: numbers.countReport,
  })
  const services = createServices(
    { ...options, catalogue, ...world },
    {
      catalogueChanged({ put, removed }) {
        if (put) {
          facts.setAddress(put.service.id, put.service.endpoint, clock.now())
          evaluation.markDue(put)
        }
        if (removed) evaluation.forgetService(removed)
      },
      assignmentsChanged: verifiers.assignmentsChanged,
      dropped: history.discard,
      removed: (id) => Promise.all([history.forget(id), facts.remove(id)]),
    },
  )
  const list = createServiceList({ catalogue, services, evaluation, findChain })
  const live = createLiveServices({ ...list, everyMs: liveEveryMs })
  /** The chains of the file that is active. */
  let chains: readonly Chain[] = []

  await Promise.all([history.prepare(), facts.load()])
  await replicas.keySync.sync()

  return {
    verifiers,
    services: { ...services, summary: list.summary, summaries: list.summaries, live: live.follow },

    /** Returns the answer of `GET /health/{serviceId}`, from memory. */
    read: evaluation.read,
    isDecided: evaluation.isDecided,

    ...createReaders({ services, list, evaluation, activeVerifiers, clock, history, world }),

    /** Resolves to a service's history. Faults: `not_found`, and `unavailable` while the database is away. */
    history(serviceId: string, range: HistoryRange) {
      services.find(serviceId)
      return history.read(serviceId, range)
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
    async restore(): Promise<void> {
      evaluation.restore(await history.lastHealths())
    },

    start() {
      history.start()
      facts.start()
      evaluation.start()
      verifiers.start()
      numbers.start({ services: services.list, verifiers: activeVerifiers, decisions: evaluation, clock })
    },

    /** Stops all timers and stores what is in memory. */
    async stop() {
      numbers.stop()
      live.stop()
      await evaluation.stop()
      await verifiers.stop()
      await facts.stop()
      await history.stop()
    },
  }
}
