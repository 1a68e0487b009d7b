import type { Chain } from '../../shared/chains.ts'
import type { Decision, ServiceSpec } from '../../shared/health.ts'
import type { HistoryRange, ServiceDetails } from '../../shared/health-details.ts'
import type { Database } from '../platform/database.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import type { Vault } from '../platform/vault.ts'
import { createDecisions } from './decisions.ts'
import type { Decisions } from './decisions.ts'
import { detailsOf } from './details.ts'
import { createHealthMetrics } from './health-metrics.ts'
import { createHistory } from './history/history.ts'
import type { Service } from './services/service.ts'
import { createServices } from './services/services.ts'
import type { CatalogueChange } from './services/registration.ts'
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
}

export type Health = Awaited<ReturnType<typeof createHealth>>

/** The health of registered services: who watches them, what they saw, what is decided from it, and what was. */
export async function createHealth({ database, vault, clock, log, metrics, world }: HealthOptions) {
  const { findChain, canaries, refusalOf } = world
  const numbers = createHealthMetrics(metrics)
  const history = createHistory(database, clock, log)
  const services = createServices({ database, vault, clock, findChain, refusalOf }, catalogueChanged)
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
  const { directory } = verifiers
  const decisions: Decisions = createDecisions({
    catalogue,
    directory,
    history,
    metrics: numbers,
    findChain,
    clock,
    log,
  })
  let isRestored = false

  function catalogueChanged({ put, removed }: CatalogueChange): void {
    if (put) decisions.touched(put)
    if (removed) decisions.forgetService(removed)
  }

  await history.prepare()
  await services.load()
  await verifiers.load()

  return {
    verifiers,

    services: {
      list: services.list,
      startMaintenance: services.startMaintenance,
      endMaintenance: services.endMaintenance,
      async add(spec: ServiceSpec): Promise<Service> {
        const service = await services.add(spec)
        verifiers.assignmentsChanged()
        return service
      },
      /** With its history. */
      async remove(id: string): Promise<void> {
        await services.remove(id)
        verifiers.assignmentsChanged()
        await history.forget(id)
      },
    },

    /** The answer of `GET /health/{serviceId}`. Touches nothing but memory. */
    read: decisions.read,

    /** Fault: `not_found`. */
    details(serviceId: string): ServiceDetails {
      const listed = services.find(serviceId)
      const { service } = listed
      return detailsOf({
        service,
        published: decisions.read(serviceId).decision,
        state: decisions.state(listed),
        reports: decisions.reports(listed),
        assigned: directory.assigned(service.family, clock.now() - service.policy.freshMs),
        view: service.chain === null ? null : decisions.view(service.chain),
        isInMaintenance: services.isInMaintenance(serviceId),
        findVerifier: directory.find,
        now: clock.now(),
      })
    },

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

    checkFile: services.checkFile,

    /** Puts a checked file in force. */
    async applyFile(fromFile: readonly Service[], chains: readonly Chain[]): Promise<void> {
      // Read first: nothing may be judged between putting services in force and restoring their decisions.
      const before = isRestored ? [] : await history.lastHealths()
      decisions.chainsChanged()
      services.applyFile(fromFile, chains)
      decisions.restore(before)
      isRestored = true
      verifiers.assignmentsChanged()
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
      decisions.stop()
      await verifiers.stop()
      await history.stop()
    },
  }
}
