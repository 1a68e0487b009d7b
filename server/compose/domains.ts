import { createApiKeys } from '../api-keys/api-keys.ts'
import type { Audit } from '../audit/audit.ts'
import type { Config } from '../config/config.ts'
import { createEndpoints } from '../endpoints/endpoints.ts'
import type { Endpoints } from '../endpoints/endpoints.ts'
import { createHealth } from '../health/health.ts'
import type { Health } from '../health/health.ts'
import { refusalOfEndpoint } from '../health/services/private-endpoint.ts'
import { createLimits } from '../limits/limits.ts'
import type { Limits } from '../limits/limits.ts'
import { createMemoryLanes } from '../limits/memory-lanes.ts'
import { systemClock } from '../platform/clock.ts'
import type { StreamingEgress } from '../platform/egress.ts'
import { createKeyReplicas } from '../platform/keys/key-replicas.ts'
import { sharedSecret } from '../platform/shared-secrets.ts'
import type { FileInForce } from './file-in-force.ts'
import type { Ground } from './ground.ts'

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
  address: () => string,
): Promise<Endpoints> {
  const endpoints = await createEndpoints({
    database,
    vault,
    clock: systemClock,
    log,
    world: {
      findChain: (key) => inForce.chains.get(key),
      services: {
        find: health.findService,
        version: health.servicesVersion,
        decisionOf: (serviceId) => health.read(serviceId).decision,
      },
      egress,
      refusalOf: (endpoint) => refusalOfEndpoint(egress, endpoint),
      countKeys: async () => 0,
      address,
    },
  })
  endpoints.start()
  return endpoints
}

/** Keys of every kind, in memory and in step with the other processes. */
export async function openKeys(ground: Ground, { record }: Audit, canReveal: boolean) {
  const { database, vault } = ground
  const replicas = createKeyReplicas(ground)
  const shared = { ...ground, replicas, record, canReveal }
  const apiKeys = createApiKeys({ ...shared, hashKey: await sharedSecret(database, vault, 'api-key-hash') })
  await replicas.follower.load()
  replicas.follower.start()
  apiKeys.start()
  return { apiKeys, replicas }
}

/** Counted in the shared store where there is one, because other processes may then serve the same keys. */
export function openLimits({ redisUrl, limitsWhenStoreLost }: Config, { log, metrics }: Ground): Limits {
  const counting =
    redisUrl === null
      ? ({ kind: 'alone', lanes: createMemoryLanes(), originMicros: 0 } as const)
      : ({ kind: 'shared', url: redisUrl, whenStoreLost: limitsWhenStoreLost } as const)
  return createLimits({ clock: systemClock, log, metrics, counting })
}
