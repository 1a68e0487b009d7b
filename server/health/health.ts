import type { Chain } from '../../shared/chains.ts'
import type { Decision } from '../../shared/health.ts'
import type { HistoryRange } from '../../shared/health-details.ts'
import type { ChainChoice } from '../../shared/health-services.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Vault } from '../platform/vault.ts'
import { createDecisions } from './decisions.ts'
import type { Decisions } from './decisions.ts'
import { createExplanations } from './explanations.ts'
import { createHealthMetrics } from './health-metrics.ts'
import { createHistory } from './history/history.ts'
import { createServiceDesk } from './service-desk.ts'
import type { Service } from './services/service.ts'
import { createServices } from './services/services.ts'
import type { CatalogueChange } from './services/shelf.ts'
import { createVerifiers } from './verifiers/verifiers.ts'

export interface HealthOptions {
  readonly database: Database
  readonly vault: Vault
  readonly clock: SteadyClock
  readonly log: Log
  readonly metrics: Metrics
  readonly world: HealthWorld
}

/** What the installation's file says, asked anew whenever it matters, and what the guarded fetch allows. */
export interface HealthWorld {
  readonly findChain: (key: string) => Chain | undefined
  readonly canaries: () => readonly string[]
  /** Why the guarded fetch would refuse an address; null where it would not. */
  readonly refusalOf: (endpoint: string) => Promise<string | null>
  /** Names of the relay's endpoints that send calls to a service. */
  readonly endpointsUsing: (serviceId: string) => readonly string[]
  /** Names of those that the file keeps on the host of a service. */
  readonly endpointsOnHostOf: (serviceId: string) => readonly string[]
}

export type Health = Awaited<ReturnType<typeof createHealth>>

/** The health of registered services: who watches them, what they saw, what is decided from it, and what was. */
export async function createHealth({ database, vault, clock, log, metrics, world }: HealthOptions) {
  const { findChain, canaries } = world
  const numbers = createHealthMetrics(metrics)
  const history = createHistory(database, clock, log, numbers.countLost)
  const services = createServices({ database, vault, clock, ...world }, catalogueChanged)
  const { catalogue } = services
  const verifiers = createVerifiers({
    database,
    clock,
    log,
    watched: { catalogue, findChain, canaries },
    heard: {
      report: (verifier, batch, at) => decisions.accept(verifier, batch, at),
      counted: numbers.countReport,
      left: (verifier) => decisions.forgetVerifier(verifier),
      quorumChanged: () => decisions.touchedAll(),
    },
  })
  const { directory, assignmentsChanged } = verifiers
  const decisions: Decisions = createDecisions({
    catalogue,
    directory,
    history,
    metrics: numbers,
    findChain,
    clock,
    log,
  })
  const desk = createServiceDesk({ services, decisions, history, findChain, assignmentsChanged })
  /** As the file last said. */
  let chains: readonly Chain[] = []

  function catalogueChanged({ put, removed }: CatalogueChange): void {
    if (put) decisions.touched(put)
    if (removed) decisions.forgetService(removed)
  }

  await history.prepare()
  await services.load()
  await verifiers.load()

  return {
    verifiers,
    services: desk,

    /** The answer of `GET /health/{serviceId}`. Touches nothing but memory. */
    read: decisions.read,

    /** Fault: `not_found`. */
    details: createExplanations({ services, decisions, directory, clock }),

    /** Faults: `not_found`, `unavailable` while the database is away. */
    history(serviceId: string, range: HistoryRange) {
      services.find(serviceId)
      return history.read(serviceId, range)
    },

    /** Name and decision, for badges; an unregistered service has its id as its name. */
    label(serviceId: string): { name: string; decision: Decision } {
      const listed = catalogue.find(serviceId)
      return { name: listed?.service.name ?? serviceId, decision: decisions.read(serviceId).decision }
    },

    /** Of which services can be registered, by name. */
    chains: (): ChainChoice[] =>
      chains
        .map(({ key, name, family }) => ({ key, name, family }))
        .toSorted((one, other) => one.name.localeCompare(other.name, 'en')),

    checkFile: services.checkFile,

    /** Puts a checked file in force. */
    applyFile(fromFile: readonly Service[], fromNow: readonly Chain[]): void {
      chains = fromNow
      decisions.chainsChanged()
      services.applyFile(fromFile, chains)
      assignmentsChanged()
    },

    /** Goes on where the last run stopped: once, after the first file is in force and before `start`. */
    async restore(): Promise<void> {
      decisions.restore(await history.lastHealths())
    },

    start() {
      history.start()
      decisions.start()
      verifiers.start()
      numbers.start({ services: services.list, verifiers: directory, decisions, clock })
    },

    /** Stores what is in memory. */
    async stop() {
      numbers.stop()
      desk.stop()
      decisions.stop()
      await verifiers.stop()
      await history.stop()
    },
  }
}
