import { createApiKeys } from '../api-keys/api-keys.ts'
import type { Audit } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import { createEndpoints } from '../endpoints/endpoints.ts'
import type { Endpoints, EndpointsWorld } from '../endpoints/endpoints.ts'
import { createHealth } from '../health/health.ts'
import type { Health } from '../health/health.ts'
import { refusalOfEndpoint } from '../health/services/private-endpoint.ts'
import { createAddressLimit } from '../http/address-limit.ts'
import { rateLimitHeaders } from '../limits/headers.ts'
import { createLimits } from '../limits/limits.ts'
import type { Limits } from '../limits/limits.ts'
import { lifeOfLanes } from '../limits/left-lanes.ts'
import { systemClock } from '../platform/clock.ts'
import type { StreamingEgress } from '../platform/egress.ts'
import { createKeyReplicas } from '../platform/keys/key-replicas.ts'
import { sharedSecret } from '../platform/shared-secrets.ts'
import { createQueryKeys } from '../query-keys/query-keys.ts'
import type { QueryKeys } from '../query-keys/query-keys.ts'
import { createRelay } from '../relay/relay.ts'
import type { Relay } from '../relay/relay.ts'
import { createUsage } from '../usage/usage.ts'
import type { Usage } from '../usage/usage.ts'
import type { FileInForce } from './file-in-force.ts'
import type { Ground } from './ground.ts'

/** Of an address that may be that of a whole company, with one wrong key in a job that runs often. */
export const badKeysPerMinute = 1_000

export function openHealth(ground: Ground, egress: StreamingEgress, inForce: FileInForce): Promise<Health> {
  return createHealth({
    ...ground,
    world: {
      findChain: (key) => inForce.chains.get(key),
      canaries: () => inForce.file.verifiers.canaries,
      refusalOf: (endpoint) => refusalOfEndpoint(egress, endpoint),
    },
  })
}

export async function openEndpoints(
  { database, vault, log }: Ground,
  egress: StreamingEgress,
  inForce: FileInForce,
  health: Health,
  { origin, countKeys }: { origin: () => string; countKeys: EndpointsWorld['countKeys'] },
): Promise<Endpoints> {
  const endpoints = await createEndpoints({
    database,
    vault,
    clock: systemClock,
    log,
    world: {
      findChain: (key) => inForce.chains.get(key),
      services: {
        ...health.services.access,
        decisionOf: (serviceId) => health.read(serviceId).decision,
      },
      egress,
      refusalOf: (endpoint) => refusalOfEndpoint(egress, endpoint),
      countKeys,
      address: origin,
    },
  })
  endpoints.start()
  return endpoints
}

interface KeySettings {
  readonly canReveal: boolean
  readonly endpoints: Endpoints
  /** `scheme://host[:port]` of this installation. */
  readonly origin: () => string
  readonly lastUses: () => ReadonlyMap<string, number>
}

/** Keys of every kind, in memory and in step with the other processes. */
export async function openKeys(
  ground: Ground,
  { recordAll: record }: Audit,
  { canReveal, endpoints, origin, lastUses }: KeySettings,
) {
  const { database, vault } = ground
  const replicas = createKeyReplicas(ground)
  const options = { ...ground, replicas, record, canReveal }
  const apiKeys = createApiKeys({ ...options, hashKey: await sharedSecret(database, vault, 'api-key-hash') })
  const queryKeys = createQueryKeys({
    ...options,
    hashKey: await sharedSecret(database, vault, 'query-key-hash'),
    world: { endpoints, origin, lastUses },
  })
  await replicas.follower.load()
  for (const part of [replicas.follower, apiKeys, queryKeys]) part.start()
  return {
    apiKeys,
    queryKeys,
    async stop() {
      queryKeys.stop()
      await apiKeys.stop()
      await replicas.follower.stop()
    },
  }
}

/** Counted in the shared store where there is one, because other processes may then serve the same keys. */
export function openLimits(
  { redisUrl, limitsWhenStoreLost }: Config,
  { log, metrics }: Ground,
  { lanes }: Usage,
): Limits {
  const counting =
    redisUrl === null
      ? ({ kind: 'alone', lanes, originMicros: lanes.originMicros } as const)
      : ({ kind: 'shared', url: redisUrl, whenStoreLost: limitsWhenStoreLost } as const)
  return createLimits({ clock: systemClock, log, metrics, counting })
}

/** `folder`: of this process alone, in its data folder. */
export function openUsage(ground: Ground, folder: string, queryKeys: QueryKeys): Usage {
  const usage = createUsage({ ...ground, folder, keysOf: queryKeys.list, lifeOfLanes })
  usage.start()
  return usage
}

interface RelayParts {
  readonly health: Health
  readonly endpoints: Endpoints
  readonly queryKeys: QueryKeys
  readonly limits: Limits
  readonly usage: Usage
}

/** Where all of them meet: calls with query keys. */
export function openRelay({ metrics }: Ground, egress: StreamingEgress, parts: RelayParts): Relay {
  const { health, endpoints, queryKeys, limits, usage } = parts
  return createRelay({
    keys: queryKeys,
    endpoints,
    limits,
    limitHeaders: rateLimitHeaders,
    meter: usage.meter,
    decisionOf: (serviceId) => health.read(serviceId).decision,
    wrongKeys: createAddressLimit(badKeysPerMinute, systemClock.monotonic),
    egress,
    clock: systemClock,
    metrics,
  })
}
