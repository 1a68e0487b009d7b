import type { AgentAccess } from '../agent-access/agent-access.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Audit } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import { createConnections } from '../connections/connections.ts'
import type { Connections, DownstreamServices } from '../connections/connections.ts'
import { defaultConnectionSettings } from '../connections/settings.ts'
import { downstreamServiceOf } from '../gateway/service-of-entry.ts'
import { createGateway } from '../gateway/gateway.ts'
import { toolList } from '../gateway/run-tool.ts'
import { searchingDefinitions } from '../gateway/virtual-servers/searching-tools.ts'
import type { Gateway, GatewayOptions } from '../gateway/gateway.ts'
import { createAddressLimit } from '../platform/http/address-limit.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import { systemClock } from '../platform/clock.ts'
import type { Cleanups } from '../platform/cleanups.ts'
import { createEgress } from '../platform/egress.ts'
import { sharedSecret } from '../platform/shared-secrets.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { Limits } from '../limits/limits.ts'
import type { Registry } from '../registry/registry.ts'
import type { ToolPolicies } from '../tool-policies/tool-policies.ts'
import { badKeysPerMinute } from './bad-keys.ts'
import type { ToolCalls } from '../tool-calls/tool-calls.ts'
import { type VirtualServers, createVirtualServers } from '../virtual-servers/virtual-servers.ts'
import type { ActiveFile } from './active-file.ts'
import type { CoreServices } from './core-services.ts'
import { openToolCalls } from './tool-calls.ts'
import type { Reach } from './ways-out.ts'

/** The parts that agents use. */
export interface Agents {
  readonly gateway: Gateway
  readonly connections: Connections
  readonly virtualServers: VirtualServers
  /** The services of the registry that can be connected to. */
  readonly services: DownstreamServices
  /** The record of tool calls. */
  readonly toolCalls: ToolCalls
}

interface AgentParts {
  readonly registry: Registry
  readonly callers: GatewayOptions['keys']
  readonly audit: Audit
  readonly address: () => PublicAddress
  readonly version: string
  readonly apiKeys: ApiKeys
  readonly agentAccess: AgentAccess
  readonly toolPolicies: ToolPolicies
  readonly limits: Limits
  readonly activeFile: Pick<ActiveFile, 'file' | 'listeners'>
  readonly replicas: KeyReplicas
  readonly reach: Reach
}

/**
 * Streams of tool servers may stay open for as long as a session does. What one of them may cost is held by the
 * settings of connections.
 */
const streamLimits = { timeoutMs: 86_400_000, maxBytes: 2 ** 40 }

/**
 * Connects the registry, API keys, and connections to tool servers to the gateway. At the end every session is closed, then
 * every connection to tool servers.
 */
export async function openAgents(
  config: Config,
  core: CoreServices,
  parts: AgentParts,
  cleanups: Cleanups,
): Promise<Agents> {
  const { registry, callers, audit, address, version, toolPolicies, limits } = parts
  const { database, vault, log, metrics } = core
  const recorded = openToolCalls(config, core, parts)
  cleanups.add(recorded.close)
  const egress = createEgress({
    clock: systemClock,
    ...parts.reach,
    schemes: ['http', 'https'],
    streamLimits,
  })
  cleanups.add(() => egress.close())
  const services = servicesIn(registry)
  const connections = createConnections({
    database,
    vault,
    clock: systemClock,
    log,
    metrics,
    settings: defaultConnectionSettings,
    world: {
      services,
      toolCalls: recorded.hooksAround(toolPolicies.hooks(limits)),
      fetch: egress.fetch,
      record: audit.record,
      address,
      fileIssuers: () => parts.activeFile.file.oauthIssuers,
    },
  })
  cleanups.add(() => connections.stop())
  const virtualServers = await openVirtualServers(core, parts, connections, services)
  cleanups.add(() => virtualServers.stop())
  const gateway = createGateway({
    registry,
    connections,
    virtualServers,
    keys: callers,
    wrongKeys: createAddressLimit(badKeysPerMinute, systemClock.monotonic),
    vault,
    clock: systemClock,
    log,
    metrics,
    version,
    address,
    fleet: await fleetOf(config, core),
  })
  gateway.start()
  cleanups.add(() => gateway.stop())
  return {
    gateway,
    connections,
    virtualServers,
    services,
    toolCalls: recorded.toolCalls,
  }
}

/** The tool servers of the registry. */
const servicesIn = (registry: AgentParts['registry']): DownstreamServices => ({
  find(serviceId, chain) {
    const found = registry.find({ serviceId, chain: chain ?? undefined })
    return found.ok ? downstreamServiceOf(found.value) : null
  },
})

/** Opens the virtual servers with those that are stored. */
async function openVirtualServers(
  { database, log }: CoreServices,
  { audit, address, activeFile, replicas }: AgentParts,
  connections: Connections,
  services: DownstreamServices,
): Promise<VirtualServers> {
  const virtualServers = createVirtualServers({
    database,
    replicas,
    clock: systemClock,
    log,
    world: {
      connections,
      services,
      ownTools: toolList.tools,
      searchingTools: searchingDefinitions,
      record: audit.record,
      origin: () => address().origin,
    },
  })
  const applyFile = (): void => virtualServers.applyFile(activeFile.file.virtualServers)
  applyFile()
  activeFile.listeners.add(applyFile)
  await virtualServers.start()
  return virtualServers
}

/** What the processes of one installation share; null when this is the only process. */
async function fleetOf(
  { databaseUrl }: Config,
  { database, vault, internal }: CoreServices,
): Promise<GatewayOptions['fleet']> {
  if (databaseUrl === null) return null
  return { internal, database, secret: await sharedSecret(database, vault, 'gateway-sessions') }
}
