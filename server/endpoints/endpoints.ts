/**
 * Endpoints: named routes to upstream nodes, for which query keys are made and over which the relay sends calls. They
 * come from the configuration file and from the console.
 *
 *  1. File: `file-sections.ts` holds the sections of the file after `problems.ts` and `check.ts` found no mistake.
 *  2. Console: `management.ts` has the use cases of operators; `create-endpoint.ts`, `update-endpoint.ts` (with
 *     `change-spec.ts`) and `remove-endpoint.ts` make one change each, with its audit entry, in one transaction.
 *     `store.ts` seals upstream addresses and headers; `endpoint-sync.ts` applies changes of other processes within 2 s.
 *  3. Both: `active-endpoints.ts` resolves declarations into usable endpoints: upstreams from monitored services
 *     (`resolve.ts`), method rules, prices (`price.ts`). It resolves again when a service changes, and
 *     keeps the identity of an endpoint that did not change, so that the relay keeps its state.
 *  4. Reading: `find` serves the relay from memory; `endpoint-views.ts` makes what people see, and `test-upstream.ts`
 *     sends one harmless call to each upstream.
 *
 * An endpoint that lists patterns of paths (`GET /eth/v1/node/*`) in place of methods is called by paths (REST). Any family
 * can be called so.
 *
 * Failure: bad input is `invalid_request` and names the field. A service that disappears or no longer fits takes its
 * upstream out of use, with the reason in the list; the other upstreams go on.
 *
 * Limitations: an endpoint of the file hides one of the console with the same name. Addresses and headers of upstreams
 * cannot be read again, only replaced.
 */

import type { Chain } from '../../shared/chains.ts'
import type { EndpointSpec } from '../../shared/endpoints.ts'
import type { InvalidField } from '../../shared/faults.ts'
import type { Decision } from '../../shared/health.ts'
import type { BudgetUse } from '../../shared/upstream-budget.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import type { Egress } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/vault.ts'
import type { KnownService, References } from './check.ts'
import { createEndpointManagement } from './management.ts'
import type { EndpointUsage } from './endpoint-usage.ts'
import { createEndpointSync } from './endpoint-sync.ts'
import { createActiveEndpoints } from './active-endpoints.ts'
import type { EndpointMethods } from './endpoint.ts'
import type { EndpointChangeParts } from './endpoint-changes.ts'
import { createEndpointViews } from './endpoint-views.ts'
import { findFileProblems, findProblems } from './problems.ts'
import { type EndpointSections, createFileSections } from './file-sections.ts'
import { type StoredEndpoint, createEndpointStore } from './store.ts'

export type { RecordEndpointChange } from './endpoint-changes.ts'
export type { Endpoint, Upstream } from './endpoint.ts'

export interface EndpointsOptions {
  readonly database: Database
  readonly vault: Vault
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Log
  readonly world: EndpointsWorld
}

/** What endpoints need from other domains. */
export interface EndpointsWorld {
  readonly findChain: (key: string) => Chain | undefined
  readonly services: MonitoredServices
  readonly egress: Pick<Egress, 'request'>
  /** Returns why the guarded fetch would refuse an http address, or null when it would not. */
  readonly refusalOf: (address: string) => Promise<string | null>
  /** Returns how many query keys an endpoint has. */
  readonly countKeys: (sql: TransactionSql, endpoint: string) => Promise<number>
  /** Returns `scheme://host[:port]` of this installation. */
  readonly address: () => string
  /** What is known of the methods of nodes. */
  readonly methods: EndpointMethods
  /** Returns how far the budget of an upstream is used; null without one. */
  readonly budgetUse: (endpoint: string, upstream: string) => BudgetUse | null
  /** Learns which endpoints are active. */
  readonly usage: Pick<EndpointUsage, 'connect'>
}

export interface MonitoredServices {
  readonly find: (id: string) => KnownService | undefined
  /** Returns a number that changes whenever a service is added, removed or changed. */
  readonly version: () => number
  readonly decisionOf: (id: string) => Decision
}

export type Endpoints = Awaited<ReturnType<typeof createEndpoints>>

/** Creates the endpoints of the file and of the console. Active endpoints are read from memory. */
export async function createEndpoints({ database, vault, clock, log, world }: EndpointsOptions) {
  const { findChain, services, egress, refusalOf, countKeys, address, methods, usage, budgetUse } = world
  const references: References = { findChain, findService: services.find }
  const store = createEndpointStore(database, vault)
  const active = createActiveEndpoints({ ...references, servicesVersion: services.version, methods })
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
    budgetUse,
    decisionOf: services.decisionOf,
    revisionOf: (name) => findStored(name)?.revision ?? null,
  })
  const changes: EndpointChangeParts = {
    database,
    store,
    find: findStored,
    isInFile: sections.has,
    countKeys,
    check: async (spec) => ({
      problems: await findProblems(spec, references, refusalOf),
      family: findChain(spec.chain)?.family ?? null,
    }),
  }

  await follower.load()

  return {
    /** Returns an active endpoint from memory. */
    find: active.findEndpoint,
    /** Returns the names of all active endpoints in alphabetical order. */
    names: (): string[] => active.all().map(({ endpoint }) => endpoint.name),
    /** Returns the types of query keys, at least one. */
    keyTypes: sections.keyTypes,
    /** Returns the limits of query keys that set none. */
    defaultLimits: sections.defaultLimits,

    /** The use cases of people: lists, details, tests and changes. */
    management: createEndpointManagement({
      active,
      views,
      sections,
      changes,
      applyChanges: follower.sync,
      means: { egress, clock },
      methodsOf: (chain) => {
        const family = findChain(chain)?.family
        return family === undefined ? null : methods.knownMethodsOf(family)
      },
    }),

    /** Returns the mistakes in the file's endpoints, with the chains and services of the same file. */
    checkFile: (specs: readonly EndpointSpec[], ofFile: References): Promise<InvalidField[]> =>
      findFileProblems(specs, ofFile, refusalOf),

    /** Activates sections of the file, which were checked before. */
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
