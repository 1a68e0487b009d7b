import type { Chain } from '../../shared/chains.ts'
import type {
  CreditPrices,
  EndpointDetails,
  EndpointLine,
  EndpointPrices,
  EndpointSpec,
  EndpointUpdate,
  QueryKeyChoices,
  UpstreamTest,
} from '../../shared/endpoints.ts'
import type { InvalidField } from '../../shared/faults.ts'
import type { Decision } from '../../shared/health.ts'
import type { Limit } from '../../shared/limits.ts'
import { defaultQueryKeyType } from '../../shared/query-keys.ts'
import type { QueryKeyDefaults } from '../../shared/query-keys.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, TransactionSql } from '../platform/database.ts'
import type { Egress } from '../platform/egress.ts'
import { fault } from '../platform/fault.ts'
import type { Log } from '../platform/log.ts'
import type { Vault } from '../platform/vault.ts'
import { checkEndpoint } from './check.ts'
import type { KnownService, References } from './check.ts'
import { createConsoleEndpoints } from './console-endpoints.ts'
import type { RecordEndpointChange } from './console-endpoints.ts'
import type { Endpoint } from './endpoint.ts'
import { createFollower } from './follower.ts'
import { createInForce } from './in-force.ts'
import type { EndpointInForce } from './in-force.ts'
import { createLines, pricesOf } from './lines.ts'
import { createEndpointStore } from './store.ts'
import type { StoredEndpoint } from './store.ts'
import { testUpstream } from './test-upstream.ts'

export type { EndpointChange, RecordEndpointChange } from './console-endpoints.ts'
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
}

export interface MonitoredServices {
  readonly find: (id: string) => KnownService | undefined
  /** Another one whenever a service came, went or changed. */
  readonly version: () => number
  readonly decisionOf: (id: string) => Decision
}

/** Sections of the declarative file. */
export interface EndpointSections {
  readonly endpoints: readonly EndpointSpec[]
  readonly queryKeyTypes: readonly string[]
  readonly creditPrices: CreditPrices
  readonly queryKeyDefaults: QueryKeyDefaults
}

export type Endpoints = Awaited<ReturnType<typeof createEndpoints>>

const noSections: EndpointSections = {
  endpoints: [],
  queryKeyTypes: [defaultQueryKeyType],
  creditPrices: {},
  queryKeyDefaults: {},
}

/** Named routes to upstreams, of the file and of the console. What is in force is read from memory. */
export async function createEndpoints({ database, vault, clock, log, world }: EndpointsOptions) {
  const { findChain, services, egress, refusalOf, countKeys, address } = world
  const references: References = { findChain, findService: services.find }
  const store = createEndpointStore(database, vault)
  const inForce = createInForce({ ...references, servicesVersion: services.version })
  let sections = noSections
  let stored: readonly StoredEndpoint[] = []

  const follower = createFollower({
    database,
    store,
    log,
    apply(now) {
      stored = now
      putInForce()
    },
  })
  const findStored = (name: string) => stored.find(({ spec }) => spec.name === name)
  const isInFile = (name: string) => sections.endpoints.some((spec) => spec.name === name)
  const lines = createLines({
    address,
    decisionOf: services.decisionOf,
    revisionOf: (name) => findStored(name)?.revision ?? null,
  })
  const changes = createConsoleEndpoints({
    database,
    store,
    find: findStored,
    isInFile,
    countKeys,
    check: async (spec) => ({
      problems: await findProblems(spec, references, refusalOf),
      family: findChain(spec.chain)?.family ?? null,
    }),
  })

  function putInForce(): void {
    const ofFile = sections.endpoints.map((spec) => ({
      spec,
      managedBy: 'file' as const,
      family: familyOf(spec, findChain),
    }))
    const ofConsole = stored.map(({ spec, family }) => ({ spec, family, managedBy: 'operator' as const }))
    inForce.set([...ofFile, ...ofConsole], sections.creditPrices)
  }

  function existing(name: string): EndpointInForce {
    const found = inForce.find(name)
    if (found === undefined) throw fault('not_found', 'there is no such endpoint')
    return found
  }

  await follower.load()

  return {
    /** From memory. */
    find: (name: string): Endpoint | undefined => inForce.find(name)?.endpoint,
    names: (): string[] =>
      inForce
        .all()
        .map(({ endpoint }) => endpoint.name)
        .sort(),
    /** Never empty. */
    keyTypes: (): readonly string[] => sections.queryKeyTypes,
    /** Of a key of which none is given; null: no limit. */
    defaultLimits,

    choices: (): QueryKeyChoices => ({
      endpoints: inForce.all().map(lines.choice),
      keyTypes: sections.queryKeyTypes,
      defaultLimits: defaultLimits(),
    }),
    list: (): EndpointLine[] => inForce.all().map(lines.line),
    /** Fault: `not_found`, as for everything by name. */
    details: (name: string): EndpointDetails => lines.details(existing(name)),
    prices: (name: string): EndpointPrices => pricesOf(existing(name)),

    /** One harmless call to each upstream. */
    async test(name: string): Promise<UpstreamTest[]> {
      const { endpoint, upstreams } = existing(name)
      return await Promise.all(
        upstreams.map((resolved) =>
          resolved.kind === 'in'
            ? testUpstream(endpoint, resolved.upstream, { egress, clock })
            : { id: resolved.id, ok: false as const, latencyMs: null, message: resolved.why },
        ),
      )
    },

    /** Faults: `invalid_request` naming the field, `conflict`. */
    async create(spec: EndpointSpec, record: RecordEndpointChange): Promise<EndpointLine> {
      await changes.create(spec, record)
      await follower.sync()
      return lines.line(existing(spec.name))
    },
    /** Faults: `not_found`, `invalid_request` naming the field, `conflict`. */
    async update(change: EndpointUpdate, record: RecordEndpointChange): Promise<EndpointDetails> {
      await changes.update(change, record)
      await follower.sync()
      return lines.details(existing(change.name))
    },
    /** Faults: `not_found`, `conflict` while query keys use it. */
    async remove(name: string, record: RecordEndpointChange): Promise<void> {
      await changes.remove(name, record)
      await follower.sync()
    },

    /** What is wrong with the file's endpoints, given what the same file says of chains and services. */
    async checkFile(specs: readonly EndpointSpec[], ofFile: References): Promise<InvalidField[]> {
      const problems = await Promise.all(
        specs.map(async (spec, index) => {
          const isTwice = specs.findIndex(({ name }) => name === spec.name) < index
          const found = isTwice
            ? [{ path: ['name'], message: 'used twice in this file' }]
            : await findProblems(spec, ofFile, refusalOf)
          return found.map(({ path, message }) => ({ path: ['endpoints', index, ...path], message }))
        }),
      )
      return problems.flat()
    },

    /** Puts checked sections in force. */
    applyFile(now: EndpointSections): void {
      sections = now
      putInForce()
      for (const { name } of sections.endpoints) {
        if (findStored(name))
          log.warn('an endpoint of the file hides that of the console', { endpoint: name })
      }
    },

    start: follower.start,
    stop: follower.stop,
  }

  function defaultLimits(): QueryKeyChoices['defaultLimits'] {
    const { rateLimit, rateLimitPeriod, creditsLimit, creditsLimitPeriod } = sections.queryKeyDefaults
    return { rate: limitOf(rateLimit, rateLimitPeriod), credits: limitOf(creditsLimit, creditsLimitPeriod) }
  }
}

const limitOf = (units: number | undefined, period: Limit['period'] | undefined): Limit | null =>
  units === undefined || period === undefined ? null : { units, period }

/** The file is checked before it is put in force, so that its chains are there. */
function familyOf({ chain }: EndpointSpec, findChain: References['findChain']): Chain['family'] {
  const found = findChain(chain)
  if (found === undefined) throw new TypeError(`a checked endpoint of an unknown chain ${chain}`)
  return found.family
}

/** By meaning, and by where its addresses lead. */
async function findProblems(
  spec: EndpointSpec,
  references: References,
  refusalOf: (address: string) => Promise<string | null>,
): Promise<InvalidField[]> {
  const problems = checkEndpoint(spec, references)
  for (const [index, { url, ws }] of spec.upstreams.entries()) {
    for (const [field, address] of Object.entries({ url, ws })) {
      const message = address === undefined ? null : await refusalOf(address.replace(/^ws/, 'http'))
      if (message !== null) problems.push({ path: ['upstreams', index, field], message })
    }
  }
  return problems
}
