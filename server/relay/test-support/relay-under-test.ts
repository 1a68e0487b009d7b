import type { FinishedRequest } from '../../../shared/request-log.ts'
import { defaultCache } from '../../../shared/cache-settings.ts'
import { isDomainAllowed } from '../../../shared/allowed-domains.ts'
import { bodyBoundsOf } from '../../../shared/call-settings.ts'
import type { Chain } from '../../../shared/chains.ts'
import { familyDefaults } from '../../chains/family-defaults.ts'
import type { Endpoint, Upstream } from '../../endpoints/endpoints.ts'
import { hasPaths } from '../../../shared/path-pattern.ts'
import type { Limit } from '../../../shared/limits.ts'
import { createAddressLimit } from '../../platform/http/address-limit.ts'
import { publicAddress } from '../../platform/http/public-address.ts'
import { createHttpApp } from '../../http/app.ts'
import { rateLimitPolicy, rateLimitState } from '../../limits/headers.ts'
import { createLimits } from '../../limits/limits.ts'
import { createMemoryWindowStorage } from '../../limits/window/window-storage.ts'
import { systemClock } from '../../platform/clock.ts'
import { createEgress } from '../../platform/egress.ts'
import { type Log, createLog } from '../../platform/log.ts'
import { type Metrics, createMetrics } from '../../platform/metrics.ts'
import type { SettledOutcome, DecisionOf, NodeBoundsOf, RelayKey, RelayKeys, RelayMeter } from '../ports.ts'
import { CountedBudget, LearnedBudget } from '../budgets/budget.ts'
import type { UpstreamBudgets } from '../budgets/budgets.ts'
import { type Relay, createRelay } from '../relay.ts'
import { rootRoute } from '../root-route.ts'
import type { ServiceHeads } from '../tip/service-heads.ts'
import type { RelaySettings } from '../settings.ts'
import { loopbackHosts, noProxies } from '../../../tests/support/loopback-hosts.ts'

/** The key of the test, whose value is `keyValue`. */
export interface TestKey extends RelayKey {
  readonly allowedIps: readonly string[]
}

/** The counts of one request, as the meter received them. */
export interface MeteredRequest {
  readonly keyId: string
  readonly calls: readonly { readonly method: string; readonly credits: number }[]
  readonly bytesIn: number
  outcomes: readonly SettledOutcome[] | null
  creditsBack: readonly number[]
  /** What became of each request to a node. */
  attempts: readonly string[]
}

export interface RelayScenario {
  readonly upstreams: readonly (Partial<Upstream> & { readonly url: string })[]
  readonly endpoint?: Partial<Endpoint>
  readonly rate?: Limit | null
  readonly credits?: Limit | null
  readonly settings?: Partial<RelaySettings>
  readonly decisionOf?: DecisionOf
  readonly serviceHeads?: Partial<ServiceHeads>
  readonly nodeBounds?: NodeBoundsOf
  readonly budgets?: Pick<UpstreamBudgets, 'of'>
  readonly key?: Partial<TestKey>
  readonly denied?: readonly string[]
  readonly wrongKeysPerMinute?: number
  /** The configured address of the installation. */
  readonly publicUrl?: string
  /** Authorizes in place of the one key. */
  readonly authorize?: RelayKeys['authorize']
  /** Is called with the one endpoint, and returns what to find in its place. */
  readonly findEndpoint?: (endpoint: Endpoint) => Endpoint | undefined
  /** The certificates in PEM with which upstreams over TLS are trusted. */
  readonly ca?: string
}

/** The chain of the endpoint. */
export const relayedChain: Chain = {
  key: 'testnet',
  name: 'testnet',
  family: 'evm',
  chainId: 31_337,
  genesisHash: null,
  ...familyDefaults.evm,
  anchors: [],
}

export const testPrice = 20
export const keyValue = 'test-key'

interface RefusedByLimit {
  readonly calls: number
  readonly limit: string
}

/** Returns a meter that stores what it receives. */
function meterInto(metered: MeteredRequest[], refused: RefusedByLimit[]): RelayMeter {
  return {
    admit({ id }, calls, bytesIn) {
      const request: MeteredRequest = {
        keyId: id,
        calls: calls.map(({ method, credits }) => ({ method, credits })),
        bytesIn,
        outcomes: null,
        creditsBack: [],
        attempts: [],
      }
      metered.push(request)
      return {
        settle(outcomes, { creditsBack, attempts = [] }) {
          request.outcomes = outcomes
          request.creditsBack = creditsBack
          request.attempts = attempts.map((attempt) => attempt.class)
        },
      }
    },
    refuse: (_key, calls, limit) => void refused.push({ calls: calls.length, limit }),
  }
}

const appOf = (relay: Relay, log: Log, metrics: Metrics) =>
  createHttpApp({
    plugins: [rootRoute(relay)],
    directRoutes: [relay.route],
    log,
    metrics,
    clock: systemClock,
    trustedProxies: [],
    ownHosts: loopbackHosts,
    unnamedProxies: noProxies,
    readiness: () => ({}),
    metricsToken: 'metrics',
    isTls: false,
  })

/** Starts the relay behind a real server, with parts around it that hold everything in memory. */
export function startTestRelay(scenario: RelayScenario) {
  const endpoint = endpointOf(scenario)
  const key = keyOf(scenario)
  const metered: MeteredRequest[] = []
  const refused: RefusedByLimit[] = []
  const suspected: string[] = []
  const logged: FinishedRequest[] = []
  const metrics = createMetrics()
  const log = createLog({ level: 'silent' })
  const egress = createEgress({
    clock: systemClock,
    allowPrivate: ['127.0.0.0/8'],
    schemes: ['http', 'https'],
    ...(scenario.ca === undefined ? {} : { ca: scenario.ca }),
  })
  const relay = createRelay({
    origin: () => 'https://gatehouse.example',
    publicAddress: scenario.publicUrl === undefined ? null : publicAddress(scenario.publicUrl),
    keys: { ...keysOf(key), ...(scenario.authorize && { authorize: scenario.authorize }) },
    endpoints: {
      find(name) {
        if (name !== endpoint.name) return undefined
        return scenario.findEndpoint === undefined ? endpoint : scenario.findEndpoint(endpoint)
      },
    },
    limits: createLimits({
      clock: systemClock,
      log,
      metrics,
      counting: { kind: 'alone', storage: createMemoryWindowStorage() },
    }),
    limitHeaders: { policyOf: rateLimitPolicy, stateOf: rateLimitState },
    meter: meterInto(metered, refused),
    decisionOf: scenario.decisionOf ?? (() => 'UP'),
    serviceHeads: { of: () => null, ofChain: () => null, ...scenario.serviceHeads },
    budgets: scenario.budgets ?? { of: budgetInMemory },
    sharedTips: null,
    nodeBounds: scenario.nodeBounds ?? (() => ({ lowestState: () => null, logBlocks: () => null })),
    cache: { settings: () => defaultCache, store: null },
    suspect: (serviceId) => void suspected.push(serviceId),
    requestLog: { add: (request) => void logged.push(request) },
    wrongKeys: createAddressLimit(scenario.wrongKeysPerMinute ?? 1_000, systemClock.monotonic),
    egress,
    clock: systemClock,
    log,
    metrics,
    ...(scenario.settings === undefined ? {} : { settings: scenario.settings }),
  })
  const app = appOf(relay, log, metrics)
  const listener = app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${listener.port}`
  return {
    key,
    origin,
    webSocketUrl: `ws://127.0.0.1:${listener.port}/rpc/testnet/${keyValue}`,
    url: `${origin}/rpc/testnet/${keyValue}`,
    port: listener.port,
    relay,
    metered,
    refused,
    suspected,
    /** The requests that the request log received. */
    logged,
    metrics,
    drain: app.drain,
    async stop() {
      relay.close()
      egress.close()
      await listener.stop(0)
    },
  }
}

const budgetInMemory: UpstreamBudgets['of'] = (_endpoint, { budget }) => {
  if (budget === null) return null
  return budget === 'auto' ? new LearnedBudget() : new CountedBudget(budget)
}

export type TestRelay = ReturnType<typeof startTestRelay>

function endpointOf({ upstreams, endpoint, denied = [] }: RelayScenario): Endpoint {
  return {
    name: 'testnet',
    chain: relayedChain,
    family: 'evm',
    upstreams: upstreams.map((upstream, index) => ({
      id: `upstream-${index + 1}`,
      identity: `upstream-${index + 1}`,
      headers: {},
      webSocketUrl: upstream.url.replace(/^http/, 'ws'),
      weight: 1,
      tier: 0,
      budget: null,
      compression: false,
      serviceId: null,
      ...upstream,
    })),
    methods: { allow: [], deny: [...denied], unknown: 'refuse' },
    settings: { byMethod: {} },
    bodyBounds: bodyBoundsOf(endpoint?.settings ?? { byMethod: {} }),
    priceOf: () => testPrice,
    conditionalPrices: { cached: null, logsPer1000Blocks: 0 },
    pricesVersion: '1',
    isRest: hasPaths(endpoint?.methods ?? { allow: [] }),
    ...endpoint,
  }
}

function keyOf({ rate = null, credits = null, key }: RelayScenario): TestKey {
  return {
    id: 'key-1',
    accountId: 'account-1',
    endpoint: 'testnet',
    moreEndpoints: [],
    debugEndsAt: null,
    rate,
    credits,
    allowedDomains: [],
    allowedMethods: [],
    further: [],
    allowedContracts: [],
    allowedIps: [],
    ...key,
  }
}

function keysOf(key: TestKey): RelayKeys {
  return {
    authorize(value, endpoint, caller) {
      if (value !== keyValue || endpoint !== key.endpoint) return { kind: 'invalid' }
      if (key.allowedIps.length > 0 && !key.allowedIps.includes(caller.address ?? '')) {
        return { kind: 'ip_not_allowed', key }
      }
      return isDomainAllowed(key.allowedDomains, caller.origin)
        ? { kind: 'allowed', key }
        : { kind: 'domain_not_allowed', key }
    },
    findByValue: (value) => (value === keyValue ? key : null),
  }
}
