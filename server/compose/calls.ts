import { join } from 'node:path'

import type { Config } from '../config/config.ts'
import { privateFolder } from '../config/data-folder.ts'
import { isGap } from '../../shared/request-log.ts'
import type { Endpoints } from '../endpoints/endpoints.ts'
import type { Health } from '../health/health.ts'
import { createAddressLimit } from '../platform/http/address-limit.ts'
import { publicAddress } from '../platform/http/public-address.ts'
import { rateLimitPolicy, rateLimitState } from '../limits/headers.ts'
import { openDurableWindows } from '../limits/durable/durable-windows.ts'
import { type Limits, createLimits } from '../limits/limits.ts'
import { systemClock } from '../platform/clock.ts'
import type { StreamingEgress } from '../platform/egress.ts'
import type { StorePlace } from '../platform/shared-store/store-connection.ts'
import { sharedSecret } from '../platform/shared-secrets.ts'
import type { QueryKeys } from '../query-keys/query-keys.ts'
import type { UpstreamBudgets } from '../relay/budgets/budgets.ts'
import { type Relay, createRelay } from '../relay/relay.ts'
import type { NodeBoundsOf } from '../relay/ports.ts'
import { createSharedCache } from '../relay/cache/shared-cache.ts'
import { createServiceHeads } from '../relay/tip/service-heads.ts'
import { createSharedTips } from '../relay/tip/shared-tips.ts'
import { observeKeys } from '../usage/key-metrics.ts'
import { type Usage, createUsage } from '../usage/usage.ts'
import { type FleetRequests, createFleetRequests } from '../request-log/fleet-requests.ts'
import { type RequestLog, openRequestLog } from '../request-log/request-log.ts'
import { badKeysPerMinute } from './bad-keys.ts'
import type { ActiveFile } from './active-file.ts'
import type { CoreServices } from './core-services.ts'

/** The parts that a call with a query key passes through. */
export interface Calls {
  readonly usage: Usage
  readonly requests: FleetRequests
  readonly limits: Limits
  readonly relay: Relay
  /** Closes the relay and writes what was counted to the database. */
  close(): Promise<void>
}

interface CallParts {
  readonly health: Health
  readonly endpoints: Endpoints
  readonly queryKeys: QueryKeys
  readonly budgets: UpstreamBudgets
  readonly egress: StreamingEgress
  /** Returns `scheme://host[:port]` of this installation. */
  readonly origin: () => string
  readonly activeFile: Pick<ActiveFile, 'file'>
  /** Has a service probed that failed a call. */
  readonly suspect: (serviceId: string) => void
}

/** Connects health decisions, query keys, limits and usage to the relay. */
export async function openCalls(config: Config, core: CoreServices, parts: CallParts): Promise<Calls> {
  const { health, endpoints, queryKeys, egress, origin, suspect, activeFile, budgets } = parts
  const folder = join(privateFolder(config.dataDir), 'usage')
  // First: nothing is open yet when the database does not answer.
  const store = await sharedStoreOf(config, core)
  const requestLog = await openRequests(config, core, queryKeys)
  const { internal, clock, log } = core
  const requests = createFleetRequests({
    requestLog,
    internal,
    now: clock.now,
    monotonic: systemClock.monotonic,
    log,
  })
  const usage = createUsage({ ...core, folder, keysOf: queryKeys.list })
  usage.start()
  if (config.hasKeyMetrics) observeKeys(core.metrics, usage.callsOfKeys)
  const limits = openLimits(config, core, folder, store)
  const relay = createRelay({
    origin,
    publicAddress: config.publicUrl === null ? null : publicAddress(config.publicUrl),
    budgets,
    keys: queryKeys,
    endpoints,
    limits,
    limitHeaders: { policyOf: rateLimitPolicy, stateOf: rateLimitState },
    meter: usage.meter,
    requestLog,
    decisionOf: (serviceId) => health.read(serviceId).decision,
    serviceHeads: createServiceHeads({
      reported: health.heads,
      reference: health.reference,
      healthNow: core.clock.now,
      now: systemClock.monotonic,
    }),
    sharedTips:
      store === null ? null : createSharedTips({ store, now: systemClock.monotonic, log: core.log }),
    nodeBounds: nodeBoundsFrom(health),
    cache: {
      settings: () => activeFile.file.cache,
      store:
        store === null || config.redisUrl === null
          ? null
          : createSharedCache({ store, now: systemClock.monotonic, log: core.log }),
    },
    suspect,
    wrongKeys: createAddressLimit(badKeysPerMinute, systemClock.monotonic),
    egress,
    clock: systemClock,
    log: core.log,
    metrics: core.metrics,
  })
  return {
    usage,
    requests,
    limits,
    relay,
    async close() {
      requests.close()
      relay.close()
      limits.close()
      await usage.stop()
      await requestLog.stop()
    },
  }
}

/** Opens the request log, which learns from the query keys when one is deleted. */
async function openRequests(config: Config, core: CoreServices, queryKeys: QueryKeys): Promise<RequestLog> {
  const requestLog = await openRequestLog({
    folder: join(privateFolder(config.dataDir), 'requests'),
    now: core.clock.now,
    log: core.log,
    metrics: core.metrics,
    keyIdsOf: async (accountId) => new Set((await queryKeys.list(accountId)).map(({ id }) => id)),
  })
  queryKeys.onDelete(requestLog.keysDeleted)
  const { traces } = core
  if (traces !== null)
    requestLog.follow(null, {}, (requests) =>
      traces.requests(requests.flatMap((request) => (isGap(request) ? [] : [request]))),
    )
  requestLog.start()
  return requestLog
}

/** Services may be removed while calls to them are under way. */
const nodeBoundsFrom =
  ({ services, capabilities }: Health): NodeBoundsOf =>
  (serviceId) => {
    const service = services.access.find(serviceId)
    return {
      lowestState: () => (service === undefined ? null : capabilities(serviceId).lowestBlock),
      logBlocks: () => service?.capabilities?.logRange ?? null,
    }
  }

/**
 * Returns where the processes of this installation share what is hot; null when this is the only process. The keys begin
 * with something that follows from the database, so that two installations that share a store never see each other.
 */
async function sharedStoreOf(
  { redisUrl, worker, storePrefix }: Config,
  { database, vault }: CoreServices,
): Promise<StorePlace | null> {
  const url = redisUrl ?? worker?.storeUrl ?? null
  if (url === null) return null
  const secret = await sharedSecret(database, vault, 'store-prefix')
  return { url, prefix: `${storePrefix}:${secret.toString('hex').slice(0, 12)}` }
}

/**
 * Opens the limits. They are counted in the shared store where there is one, because other processes may then serve the
 * same keys; else in files in `folder`, which usage has locked for this process.
 */
function openLimits(
  { limitsWhenStoreLost }: Config,
  { log, metrics }: CoreServices,
  folder: string,
  store: StorePlace | null,
): Limits {
  const refused = (error: unknown): void =>
    log.error('limits of new keys cannot be counted: there is no room for their windows', { error })
  const counting =
    store === null
      ? ({ kind: 'alone', storage: openDurableWindows({ folder, clock: systemClock, refused }) } as const)
      : ({ kind: 'shared', store, whenStoreLost: limitsWhenStoreLost } as const)
  return createLimits({ clock: systemClock, log, metrics, counting })
}
