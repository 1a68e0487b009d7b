import { adminRoutes } from '../admin-api/admin-api.ts'
import type { Alerts } from '../alerts/alerts.ts'
import {
  type SessionOf,
  createContextOf,
  createEndOf,
  createOwnerOf,
  createSessionOf,
} from '../accounts/call-context.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { accountRoutes } from '../accounts/routes.ts'
import type { AgentAccess } from '../agent-access/agent-access.ts'
import type { ApiKeyGuard, ApiKeys } from '../api-keys/api-keys.ts'
import { type KeyAuthority, createGuard } from '../api-keys/guard.ts'
import { apiKeyRoutes } from '../api-keys/routes.ts'
import type { Audit } from '../audit/audit.ts'
import type { Backup } from '../backup/backup.ts'
import type { Config, WorkerPlace } from '../config/config.ts'
import { type InstallationSecrets, privateFolder } from '../config/data-folder.ts'
import type { Health } from '../health/health.ts'
import { serviceMetricsRoute } from '../health/metrics-route.ts'
import { badgeRoutes, decisionLookUp, healthRoutes } from '../health/routes.ts'
import { createRefusedSenders } from '../health/verifiers/refused-senders.ts'
import { verifierRoutes } from '../health/verifiers/routes.ts'
import { createAddressLimit } from '../platform/http/address-limit.ts'
import { createReturnRoutes } from '../connections/oauth/return-routes.ts'
import type { DirectRoute } from '../platform/http/direct-routes.ts'
import { createHttpApp, type HttpApp } from '../http/app.ts'
import { createPublicReads } from '../http/byte-limit.ts'
import { consoleFiles } from '../http/console-files.ts'
import { askControlSocket, type ControlSocket, serveControlSocket } from '../platform/http/control-socket.ts'
import { createCookies } from '../platform/http/cookies.ts'
import { type PublicAddress, publicAddress } from '../platform/http/public-address.ts'
import { requestLimits } from '../platform/http/request-limits.ts'
import { createStreamPlaces } from '../http/stream-places.ts'
import { trpcRoutes } from '../http/trpc-routes.ts'
import { systemClock } from '../platform/clock.ts'
import { Fault } from '../platform/fault.ts'
import { randomId } from '../platform/ids.ts'
import { sharedSecret } from '../platform/shared-secrets.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { QueryKeys } from '../query-keys/query-keys.ts'
import { queryKeyChangeRoutes, queryKeyReadRoutes } from '../query-keys/resource-routes.ts'
import { queryKeyRoutes } from '../query-keys/routes.ts'
import { createStatusRoutes } from '../status-pages/routes.ts'
import type { StatusPages } from '../status-pages/status-pages.ts'
import { type CallContext, commandLineContext } from '../trpc/init.ts'
import type { AppRouter } from './router.ts'
import { serveRepeatableTrpc, serveTrpc } from './serve-trpc.ts'
import { rootRoute } from '../relay/root-route.ts'
import { toolStatisticsRoutes } from '../tool-calls/routes.ts'
import { usageRoutes } from '../usage/routes.ts'
import { splitUsageRoutes } from '../usage/split-routes.ts'
import { badKeysPerMinute } from './bad-keys.ts'
import type { Calls } from './calls.ts'
import type { EdgeParts } from './edge.ts'
import type { Agents } from './gateway.ts'
import type { CoreServices } from './core-services.ts'
import { readinessOf } from './readiness.ts'
import { createWarmUp } from './warm-up.ts'
import { productPath } from '../platform/product-folder.ts'

/** The folder that `vite build console` writes. */
const consoleFolder = productPath('console/dist')
/** The most refused reports of one address in a minute. A revoked verifier tries a few times; more are an attack. */
const refusedReportsPerMinute = 60
/** How long (ms) running requests may still take. With the drain delay and the rest it stays below the limit in `main.ts`. */
const stopGraceMs = 15_000
const drainLimitMs = 22_000

interface HttpParts {
  readonly health: Health
  readonly audit: Audit
  readonly alerts: Alerts
  readonly accounts: Accounts
  readonly statusPages: StatusPages
  readonly apiKeys: ApiKeys
  readonly queryKeys: QueryKeys
  readonly calls: Calls
  readonly callers: KeyAuthority
  readonly agentAccess: AgentAccess
  readonly agents: Agents
  readonly router: AppRouter
  readonly address: () => PublicAddress
  readonly edge: EdgeParts
}

/** Mounts all routes and starts to listen. */
export async function openHttpServer(
  config: Config,
  secrets: InstallationSecrets,
  core: CoreServices,
  parts: HttpParts,
) {
  const { log, metrics, database, clock } = core
  const { health, audit, accounts, statusPages, queryKeys, callers } = parts
  const { calls, agents, router, address, edge } = parts
  const isTls = config.publicUrl !== null && publicAddress(config.publicUrl).isTls
  const cookies = createCookies({ isTls })
  const sessionOf = createSessionOf(accounts, cookies)
  const streams = new AbortController()
  const places = createStreamPlaces()
  const limit = createAddressLimit(refusedReportsPerMinute, systemClock.monotonic)
  const refusedSenders = createRefusedSenders({ limit, clock: systemClock, log })
  const guard = createGuard(callers, createAddressLimit(badKeysPerMinute, systemClock.monotonic), address)
  const endOf = createEndOf(accounts)
  const { isDecided, isClockWrong } = health
  const isWarmingUp = createWarmUp({ ...calls.limits, clock: systemClock, isDecided })
  const reads = createPublicReads(systemClock.monotonic)
  const status = createStatusRoutes(statusPages, systemClock.monotonic)
  const app = createHttpApp({
    directRoutes: directRoutesOf(parts, sessionOf, log),
    hotRoutes: [decisionLookUp(health), status.lookUp],
    guests: status.guests,
    plugins: [
      healthRoutes(health),
      badgeRoutes(health),
      status.plugin,
      serviceMetricsRoute(health, secrets.metricsToken),
      verifierRoutes(health.verifiers, refusedSenders, audit.record),
      accountRoutes({ accounts, cookies, sessionOf, address }),
      consoleFiles(consoleFolder, reads),
      rootRoute(calls.relay),
      ...keyRoutes(parts, guard),
      ...(await openAdminApi(core, parts, guard)),
      ...statisticsRoutes(calls, agents, guard),
      trpcRoutes({
        answer: await serveRepeatableTrpc(router, core),
        contextOf: createContextOf(sessionOf, clock, accounts.teams),
        endOf,
        takePlace: ({ account }) => (account === null ? notCounted : places.take(account.id)),
        address,
        maxBodyBytes,
        refuseMutations: mutationRefusal(accounts),
        closing: streams.signal,
      }),
    ],
    reads,
    log,
    metrics: config.worker === null ? metrics : ofAllWorkers(config.worker, metrics),
    clock: systemClock,
    ...edge,
    readiness: () =>
      readinessOf({
        database,
        keys: queryKeys,
        limits: calls.limits,
        isWarmingUp,
        isClockWrong,
        dataDir: config.dataDir,
      }),
    metricsToken: secrets.metricsToken,
    isTls,
  })
  return await serve(app, config, { ...parts, streams })
}

interface ServedParts extends Pick<HttpParts, 'health' | 'agents' | 'calls'> {
  /** Ends the streams of the console. */
  readonly streams: AbortController
}

/** Listens. What never ends by itself is ended before requests are waited for. */
async function serve(app: HttpApp, config: Config, { health, agents, calls, streams }: ServedParts) {
  const { host, port, worker } = config
  const readiness = () => app.fetch(new Request('http://localhost/readyz'))
  if (worker !== null) await untilReady(readiness)
  let { drainDelayMs } = config
  const listener = app.listen({ host, port, isShared: worker !== null, isBalanced: drainDelayMs > 0 })
  return {
    listener,
    readiness,
    /** Another process has taken over: no balancer has to turn away. */
    retire() {
      drainDelayMs = 0
      app.retire()
    },
    async close() {
      app.drain()
      streams.abort()
      health.verifiers.endLongPolls()
      agents.gateway.hangUp()
      await Bun.sleep(drainDelayMs)
      const graceMs = Math.min(stopGraceMs, drainLimitMs - drainDelayMs)
      await Promise.all([calls.relay.drainSockets(), listener.stop(graceMs)])
    },
  }
}

/** Everything that operators do, for programs. */
async function openAdminApi(
  { database, vault, clock, log }: CoreServices,
  { router, health, alerts }: Pick<HttpParts, 'router' | 'health' | 'alerts'>,
  guard: ApiKeyGuard,
) {
  return adminRoutes({
    router,
    guard,
    database,
    vault,
    secret: await sharedSecret(database, vault, 'admin-api'),
    whole: { service: (id) => health.services.find(id).service, channel: alerts.channels.whole },
    now: clock.now,
    log,
  })
}

/** How long a worker may wait until it is ready, before it listens nevertheless: what is away may be away for all. */
const readyLimitMs = 5_000
const readyEveryMs = 20

/** Other workers serve meanwhile, and a caller should not meet one that cannot answer yet. */
async function untilReady(readiness: () => Promise<Response>): Promise<void> {
  const endsAt = systemClock.monotonic() + readyLimitMs
  while (systemClock.monotonic() < endsAt) {
    const { status } = (await (await readiness()).json()) as { status: string }
    if (status === 'ready') return
    await Bun.sleep(readyEveryMs)
  }
}

/** Counts in its own, and shows those of all. */
const ofAllWorkers = ({ supervisorDataDir }: WorkerPlace, metrics: Metrics): Metrics => ({
  ...metrics,
  async render() {
    const response = await askControlSocket(privateFolder(supervisorDataDir), '/metrics')
    return response.text()
  },
})

const keyRoutes = ({ apiKeys, queryKeys, accounts }: HttpParts, guard: ApiKeyGuard) =>
  [
    apiKeyRoutes(apiKeys, guard),
    queryKeyRoutes(queryKeys, guard, accounts.countMutations),
    queryKeyReadRoutes(queryKeys, guard),
    queryKeyChangeRoutes(queryKeys, guard, accounts.countMutations),
  ] as const

const statisticsRoutes = ({ usage }: Calls, { toolCalls }: Agents, guard: ApiKeyGuard) =>
  [usageRoutes(usage, guard), splitUsageRoutes(usage, guard), toolStatisticsRoutes(toolCalls, guard)] as const

/** Whoever comes back from an authorization server of others comes before all else of `/oauth/`, which is our own one. */
const directRoutesOf = (
  { accounts, calls, agents, agentAccess }: HttpParts,
  sessionOf: SessionOf,
  log: Log,
): DirectRoute[] => [
  calls.relay.route,
  ...agents.gateway.routes,
  ...createReturnRoutes({
    oauth: agents.connections.oauth,
    ownerOf: createOwnerOf(sessionOf, accounts.teams),
    log,
  }),
  ...agentAccess.routes,
]

/** A caller whom every procedure refuses anyway is not counted. */
const mutationRefusal =
  ({ countMutations }: Pick<Accounts, 'countMutations'>) =>
  async (count: number, { account, isOperator }: CallContext): Promise<Fault | null> => {
    if (account?.isApproved !== true || isOperator) return null
    try {
      await countMutations(account.id, count)
      return null
    } catch (error) {
      if (error instanceof Fault) return error
      throw error
    }
  }

/** Streams of callers who are not signed in take no place, because they are refused at once. */
const notCounted = (): void => {}

/** Returns the largest body of a call: an operator imports a whole registry, and everything else is small. */
const maxBodyBytes = (procedures: string, { isOperator }: CallContext): number =>
  isOperator && procedures === 'registry.importArchive' ? requestLimits.archiveBytes : requestLimits.bodyBytes

interface ControlSocketParts {
  readonly router: AppRouter
  readonly backup: Backup
  readonly metrics: Metrics
  /** Answers as `/readyz` does. */
  readiness(): Promise<Response>
}

/** Serves the command line: whoever can open the socket is an operator. A backup is a stream, so it is not a procedure. */
export function openControlSocket(dataDir: string, parts: ControlSocketParts, log: Log): ControlSocket {
  const answer = serveTrpc(parts.router, log)
  return serveControlSocket(privateFolder(dataDir), (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/backup') return new Response(parts.backup.stream())
    if (pathname === '/readyz') return parts.readiness()
    if (pathname === '/metrics') return metricsResponse(parts.metrics)
    return answer(request, commandLineContext(randomId('cli')))
  })
}

const metricsResponse = async ({ render }: Metrics): Promise<Response> => new Response(await render())
