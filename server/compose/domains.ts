import type { Accounts } from '../accounts/accounts.ts'
import { createAgentAccess } from '../agent-access/agent-access.ts'
import { createApiKeys } from '../api-keys/api-keys.ts'
import type { Audit } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import { type Endpoints, type EndpointsWorld, createEndpoints } from '../endpoints/endpoints.ts'
import { type AmongProcesses, soleProcess } from '../health/fleet/among-processes.ts'
import { type Health, type HealthOptions, type HealthWorld, createHealth } from '../health/health.ts'
import { withoutCredentials } from '../platform/address-credentials.ts'
import { systemClock } from '../platform/clock.ts'
import { openDatabaseClock } from '../platform/database-clock.ts'
import { type StreamingEgress, createEgress } from '../platform/egress.ts'
import type { KeyCap } from '../keys/editing.ts'
import { type KeyReplicas, createKeyReplicas } from '../keys/key-replicas.ts'
import { privateAddressText } from '../platform/egress/private-address.ts'
import { createOwnership } from '../platform/leases/ownership.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import { sharedSecret } from '../platform/shared-secrets.ts'
import type { UpstreamBudgets } from '../relay/budgets/budgets.ts'
import { builtInPricesOf, knownMethodsOf } from '../relay/methods/known-methods.ts'
import { type QueryKeysOptions, createQueryKeys } from '../query-keys/query-keys.ts'
import { snapshotLimits } from '../registry/read/limits.ts'
import { keepLabelsIn } from '../usage/key-labels.ts'
import { countQueryKeys } from '../query-keys/store.ts'
import { type Registry, createRegistry } from '../registry/registry.ts'
import { createToolPolicies } from '../tool-policies/tool-policies.ts'
import type { Plans } from '../plans/plans.ts'
import type { ActiveFile } from './active-file.ts'
import { createCallers } from './callers.ts'
import type { CoreServices } from './core-services.ts'
import type { Reach } from './ways-out.ts'

/** Opens the change log, so that this process is waited for from now on. Domains add what they have in memory. */
export async function openReplicas(core: CoreServices): Promise<KeyReplicas> {
  const replicas = createKeyReplicas(core)
  await replicas.keySync.load()
  replicas.keySync.start()
  return replicas
}

/** Decides by a lease which process does the work of health for all; alone with an embedded database there is no question. */
async function openAmong(
  config: Config,
  core: CoreServices,
): Promise<AmongProcesses & Pick<CoreServices, 'clock'>> {
  const { internal, nodeId, database } = core
  if (config.databaseUrl === null) return { ...soleProcess(database), clock: core.clock }
  const clock = await openDatabaseClock(database, { ...core, clock: systemClock })
  const lease = { name: 'health', shard: 0 }
  const ownership = createOwnership({ ...core, lease, clock: systemClock, databaseClock: clock })
  const { send, handle, registry } = internal
  const link = { send, handle, others: registry.others }
  return { ownership, link, nodeId, clock, isClockWrong: clock.isWallClockWrong }
}

export async function openHealth(
  config: Config,
  core: CoreServices,
  replicas: KeyReplicas,
  egress: StreamingEgress,
  activeFile: ActiveFile,
  endpoints: Pick<HealthWorld, 'endpointsUsing' | 'endpointsOnHostOf'>,
  decisionListener: HealthOptions['decisionListener'],
): Promise<Health> {
  const { clock, ...among } = await openAmong(config, core)
  return await createHealth({
    ...core,
    clock,
    among,
    replicas,
    decisionListener,
    world: {
      findChain: (key) => activeFile.chains.get(key),
      canaries: () => activeFile.file.verifiers,
      refusalOf: (endpoint) => refusalOfEndpoint(egress, endpoint),
      pagesShowing: (id) =>
        activeFile.file.status
          .filter(({ groups }) => groups.some(({ services }) => services.some((one) => one.id === id)))
          .map(({ page }) => page),
      ...endpoints,
    },
  })
}

export async function openEndpoints(
  { database, vault, log }: CoreServices,
  egress: StreamingEgress,
  activeFile: ActiveFile,
  health: Health,
  {
    origin,
    usage,
    budgets,
  }: { origin: () => string; usage: EndpointsWorld['usage']; budgets: Pick<UpstreamBudgets, 'use'> },
): Promise<Endpoints> {
  const endpoints = await createEndpoints({
    database,
    vault,
    clock: systemClock,
    log,
    world: {
      findChain: (key) => activeFile.chains.get(key),
      services: {
        ...health.services.access,
        decisionOf: (serviceId) => health.read(serviceId).decision,
      },
      egress,
      refusalOf: (endpoint) => refusalOfEndpoint(egress, endpoint),
      countKeys: countQueryKeys,
      address: origin,
      methods: { knownMethodsOf, builtInPricesOf },
      budgetUse: budgets.use,
      usage,
    },
  })
  endpoints.start()
  return endpoints
}

const archiveTimeoutMs = 60_000

export async function openRegistry(
  { database, log }: CoreServices,
  reach: Reach,
  activeFile: ActiveFile,
  health: Health,
): Promise<Registry> {
  // Archives are fetched over https only: whoever can change a registry in transit sends agents elsewhere.
  const egress = createEgress({
    clock: systemClock,
    ...reach,
    schemes: ['https'],
    streamLimits: { timeoutMs: archiveTimeoutMs, maxBytes: snapshotLimits.archiveBytes },
  })
  const { list, version } = health.services.access
  const registry = await createRegistry({
    database,
    clock: systemClock,
    log,
    world: {
      chainName: (key) => activeFile.chains.get(key)?.name,
      services: { list, version, decisionOf: (serviceId) => health.read(serviceId).decision },
      fetch: egress.fetch,
    },
  })
  registry.start()
  return {
    ...registry,
    async stop() {
      egress.close()
      await registry.stop()
    },
  }
}

type KeyWorld = Omit<QueryKeysOptions['world'], 'plans'> & {
  readonly address: () => PublicAddress
  readonly plans: Plans
  readonly accounts: Pick<Accounts, 'isOperator' | 'planOf'>
  readonly replicas: KeyReplicas
  readonly activeFile: Pick<ActiveFile, 'file'>
}

/** Creates API keys, query keys, the access of agents and tool policies, which every process keeps in step. */
export async function openKeys(
  { canRevealKeys: canReveal, keysPerAccount, agents: agentSettings, allowPrivate }: Config,
  core: CoreServices,
  { recordAll: record }: Audit,
  { accounts, address, activeFile, plans, replicas, ...world }: KeyWorld,
) {
  const { database, vault } = core
  const options = { ...core, replicas, record, canReveal }
  const capOf =
    (most: number): KeyCap =>
    async (sql, accountId) =>
      (await accounts.isOperator(sql, accountId)) ? Number.POSITIVE_INFINITY : most
  const apiKeys = createApiKeys({
    ...options,
    hashKey: await sharedSecret(database, vault, 'api-key-hash'),
    keyCap: capOf(keysPerAccount.api),
    keepLabel: keepLabelsIn('tool_usage'),
    isOperator: accounts.isOperator,
  })
  const queryKeys = createQueryKeys({
    ...options,
    hashKey: await sharedSecret(database, vault, 'query-key-hash'),
    keyCap: capOf(keysPerAccount.query),
    keepLabel: keepLabelsIn('usage'),
    world: { ...world, plans: { ...plans, nameOf: accounts.planOf } },
  })
  // Documents of clients are read over https only: whoever can change one in transit could let itself in. Anybody may name
  // one, so that what operators allow for services of theirs is no reason to look for documents there.
  const egress = createEgress({ clock: systemClock, allowPrivate })
  const agentAccess = createAgentAccess({
    ...core,
    replicas,
    secret: await sharedSecret(database, vault, 'agent-token-hash'),
    processClock: systemClock,
    settings: agentSettings,
    world: { egress, recordAll: record, address },
  })
  const toolPolicies = createToolPolicies({
    database,
    replicas,
    record,
    clock: core.clock,
    declared: activeFile,
  })
  await replicas.keySync.sync()
  for (const part of [apiKeys, queryKeys, agentAccess]) part.start()
  return {
    apiKeys,
    queryKeys,
    agentAccess,
    toolPolicies,
    callers: createCallers(apiKeys, agentAccess, (accountId) =>
      database.run((sql) => accounts.isOperator(sql, accountId)),
    ),
    async stop() {
      await agentAccess.stop()
      egress.close()
      await queryKeys.stop()
      await apiKeys.stop()
    },
  }
}

/** Resolves to why an endpoint may not be probed, for the person who registers it; null when nothing forbids it. */
async function refusalOfEndpoint(egress: StreamingEgress, endpoint: string): Promise<string | null> {
  const { url } = withoutCredentials(endpoint.replace(/^ws/, 'http'))
  return (await egress.refusalOf(url)) === 'ADDRESS' ? privateAddressText(url) : null
}
