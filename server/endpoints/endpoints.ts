import type { Chain } from '../../shared/chains.ts'
import type { EndpointSpec } from '../../shared/endpoints.ts'
import type { InvalidField } from '../../shared/faults.ts'
import type { Decision } from '../../shared/health.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import type { Egress } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/vault.ts'
import type { KnownService, References } from './check.ts'
import { createConsoleEndpoints } from './console-endpoints.ts'
import { createEndpointManagement } from './management.ts'
import type { Endpoint } from './endpoint.ts'
import type { EndpointUsage } from './endpoint-usage.ts'
import { createEndpointSync } from './endpoint-sync.ts'
import { createActiveEndpoints } from './active-endpoints.ts'
import { createEndpointViews } from './endpoint-views.ts'
import { findFileProblems, findProblems } from './problems.ts'
import { createFileSections } from './file-sections.ts'
import type { EndpointSections } from './file-sections.ts'
import { createEndpointStore } from './store.ts'
import type { StoredEndpoint } from './store.ts'

export type { RecordEndpointChange } from './console-endpoints.ts'
export type { Endpoint, Upstream } from './endpoint.ts'

export interface EndpointsOptions {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
  readonly world: EndpointsWorld
}

/** What other parts know. */
export interface EndpointsWorld {
  readonly findChain: (key: string) => Chain | undefined
  readonly services: MonitoredServices
  readonly egress: Pick<Egress, 'request'>
  /** Why the guarded fetch would refuse an http address; null where it would not. */
  readonly refusalOf: (address: string) => Promise<string | null>
  /** How many query keys are for an endpoint. */
  readonly countKeys: (sql: TransactionSql, endpoint: string) => Promise<number>
  /** `scheme://host[:port]` of this installation. */
  readonly address: () => string
  /** Learns which endpoints are active. */
  readonly usage: Pick<EndpointUsage, 'connect'>
}

export interface MonitoredServices {
  readonly find: (id: string) => KnownService | undefined
  /** Another one whenever a service came, went or changed. */
  readonly version: () => number
  readonly decisionOf: (id: string) => Decision
}

export type Endpoints = Awaited<ReturnType<typeof createEndpoints>>

/** Named routes to upstreams, of the file and of the console. What is in force is read from memory. */
export async function createEndpoints({ database, vault, clock, log, world }: EndpointsOptions) {
  const { findChain, services, egress, refusalOf, countKeys, address, usage } = world
  const references: References = { findChain, findService: services.find }
  const store = createEndpointStore(database, vault)
  const active = createActiveEndpoints({ ...references, servicesVersion: services.version })
  usage.connect(active.all)
  const sections = createFileSections()
  let stored: readonly StoredEndpoint[] = []

  function activate(): void {
    const ofConsole = stored.map(({ spec, family }) => ({ spec, family, managedBy: 'operator' as const }))
    active.set([...sections.declarations(findChain), ...ofConsole], sections.creditPrices())
  }

  const follower = createEndpointSync({
    database,
    store,
    log,
    apply(now) {
      stored = now
      activate()
    },
  })
  const findStored = (name: string) => stored.find(({ spec }) => spec.name === name)
  const views = createEndpointViews({
    address,
    decisionOf: services.decisionOf,
    revisionOf: (name) => findStored(name)?.revision ?? null,
  })
  const changes = createConsoleEndpoints({
    database,
    store,
    find: findStored,
    isInFile: sections.has,
    countKeys,
    check: async (spec) => ({
      problems: await findProblems(spec, references, refusalOf),
      family: findChain(spec.chain)?.family ?? null,
    }),
  })

  await follower.load()

  return {
    /** From memory. */
    find: (name: string): Endpoint | undefined => active.find(name)?.endpoint,
    /** In alphabetical order. */
    names: (): string[] => active.all().map(({ endpoint }) => endpoint.name),
    /** Kinds of query keys, never empty. */
    keyTypes: sections.keyTypes,
    /** Of a query key of which none is given; null: no limit. */
    defaultLimits: sections.defaultLimits,

    /** What people see of endpoints, and what operators do to them. */
    management: createEndpointManagement({
      active,
      views,
      sections,
      changes,
      applyChanges: follower.sync,
      means: { egress, clock },
    }),

    /** What is wrong with the file's endpoints, given what the same file says of chains and services. */
    checkFile: (specs: readonly EndpointSpec[], ofFile: References): Promise<InvalidField[]> =>
      findFileProblems(specs, ofFile, refusalOf),

    /** Puts checked sections in force. */
    applyFile(now: EndpointSections): void {
      sections.set(now)
      activate()
      for (const { name } of now.endpoints) {
        if (findStored(name))
          log.warn('an endpoint of the file hides that of the console', { endpoint: name })
      }
    },

    start: follower.start,
    stop: follower.stop,
  }
}
