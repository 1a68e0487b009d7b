/**
 * The composition root: the one place where domains meet. Elsewhere they know each other only as types.
 *
 * The order of creation, which is also the reverse order of stopping (`platform/cleanups.ts`):
 * 1. The core services (`compose/core-services.ts`): data folder, secrets, database, clock, vault, metrics.
 * 2. Small ports, for parts that need each other: the address of the installation, which endpoints use a service, and
 *    the activity of query keys. A port is created first and connected once its source exists.
 * 3. What the installation's file configures (`compose/domains.ts`): health, endpoints, the registry and the built-in
 *    verifier. `compose/active-file.ts` checks the file as a whole and applies it to all of them, or to none.
 * 4. Accounts, API keys and query keys; then the relay with usage and limits (`compose/calls.ts`), and the gateway with
 *    its connections (`compose/gateway.ts`).
 * 5. The tRPC router (`compose/router.ts`), the HTTP server (`compose/http-server.ts`), and the control socket.
 *
 * Nothing here names a part before it is created, not even in a closure: a gate (`tests/gates/creation-order.ts`) fails
 * on it, because such a ring works only until somebody calls it earlier.
 *
 * Failure: when any step throws, everything that was started is stopped again and the error goes to `main.ts`, which
 * prints one sentence; where the database did not answer in time, the start begins anew first (`compose/begin-anew.ts`). A file with mistakes refuses the start; while running, the file applied last stays active.
 *
 * Known limitation: a domain is created whole or not at all. There is no way to run only the relay or the gateway.
 */

import manifest from '../package.json' with { type: 'json' }
import type { Accounts } from './accounts/accounts.ts'
import { type Audit, createAudit } from './audit/audit.ts'
import { openUpstreamBudgets } from './relay/budgets/budgets.ts'
import { createAccountExport } from './compose/account-export.ts'
import { openAccounts } from './compose/account-parts.ts'
import { openCalls } from './compose/calls.ts'
import { openEndpoints, openHealth, openKeys, openRegistry, openReplicas } from './compose/domains.ts'
import { openControlSocket, openHttpServer } from './compose/http-server.ts'
import { createAlertFacts } from './compose/alert-facts.ts'
import { connectAlerts, openAlerts } from './compose/alerts.ts'
import { applyFile, createActiveFile } from './compose/active-file.ts'
import { beginAnew } from './compose/begin-anew.ts'
import { openCustomChains } from './compose/custom-chains.ts'
import { openUpkeep } from './compose/upkeep.ts'
import { openAgents } from './compose/gateway.ts'
import { type CoreServices, observeCore } from './compose/core-services.ts'
import { openEdge } from './compose/edge.ts'
import { createStoredChains } from './chains/stored-chains.ts'
import type { Config } from './config/config.ts'
import { installationSecrets, privateFolder } from './config/data-folder.ts'
import { type WatchedFile, openConfigFile } from './config/watched-file.ts'
import { createEndpointUsage } from './endpoints/endpoint-usage.ts'
import type { Health } from './health/health.ts'
import type { Listener } from './http/listen.ts'
import { type Installation, createInstallation } from './installation/installation.ts'
import type { Cleanups } from './platform/cleanups.ts'
import { systemClock } from './platform/clock.ts'
import { openDatabase } from './platform/database.ts'
import { randomHex } from './platform/ids.ts'
import { createInternalHttp } from './platform/internal-http/internal-http.ts'
import type { Log } from './platform/log.ts'
import { admitMasterKeys } from './platform/master-keys.ts'
import { createMetrics } from './platform/metrics.ts'
import { lockInstance } from './platform/postgres/instance-lock.ts'
import { createSteadyClock } from './platform/steady-clock.ts'
import { createVault } from './platform/vault.ts'
import { type KeyActivity, createKeyActivity } from './query-keys/key-activity.ts'
import { openGlobalSearch } from './compose/search-sources.ts'
import { createRouter } from './compose/router.ts'
import { openPlanViews, openPlans } from './compose/plan-views.ts'
import { openStatements } from './compose/statements.ts'
import { openStatusPages } from './compose/status-pages.ts'
import { openTraces } from './compose/traces.ts'
import { openWays } from './compose/ways-out.ts'
import { gatherLeft, untilWorkersEnded } from './workers/worker-folders.ts'
import { createBuiltInVerifier } from './verifier/built-in.ts'
import { productPath } from './platform/product-folder.ts'

/** A running installation, as `main.ts` and tests start it. */
export interface Gatehouse {
  readonly health: Health
  readonly accounts: Accounts
  readonly installation: Installation
  readonly listener: Listener
  readonly file: WatchedFile
  /** Has callers turn to the process that has taken over, before `stop`. */
  retire(): void
  /** Lets requests finish, writes what is in memory, stops the database, and releases the data folder. */
  stop(): Promise<void>
}

const { version } = manifest

/**
 * Creates every part and starts to serve. Throws with one sentence for the operator when the data folder or the port
 * is taken, or the file in `GATEHOUSE_FILE` has mistakes; whatever was started by then is stopped again. `signal` ends the
 * wait for the database.
 */
export async function startGatehouse(
  config: Config,
  log: Log,
  signal = new AbortController().signal,
): Promise<Gatehouse> {
  return await beginAnew(log, signal, async (cleanups) =>
    compose(config, await openCoreServices(config, log, cleanups, signal), cleanups),
  )
}

/** Opens the data folder, the secrets and the database first, because only one process may have them. */
async function openCoreServices(config: Config, log: Log, cleanups: Cleanups, signal: AbortSignal) {
  const { dataDir } = config
  const lock = lockInstance(dataDir)
  cleanups.add(() => lock.release())
  if (config.worker === null) {
    await untilWorkersEnded(dataDir)
    gatherLeft(dataDir, dataDir)
  }
  const secrets = await installationSecrets(dataDir, config)
  const database = await openDatabase({
    url: config.databaseUrl,
    directUrl: config.databaseDirectUrl,
    dataDir,
    log,
    migrationsFolder: productPath('server/migrations'),
    maxConnections: config.databasePool,
    canMigrate: config.canMigrate,
    signal,
  })
  cleanups.add(() => database.close())
  const clock = createSteadyClock(systemClock)
  const nodeId = randomHex(8)
  const vault = createVault(secrets.masterKeys)
  const hasOthers = config.databaseUrl !== null
  await admitMasterKeys({ database, vault, nodeId, clock: systemClock, hasOthers })
  const metrics = createMetrics()
  observeCore(metrics, database, version)
  const traces = openTraces(config, { log, metrics, nodeId })
  if (traces !== null) cleanups.add(traces.stop)
  const internal = createInternalHttp({
    database,
    clock: systemClock,
    log,
    metrics,
    nodeId,
    version,
    masterKeys: secrets.masterKeys,
    keyIds: vault.keyIds,
    url: config.internalUrl,
    hasOthers,
  })
  cleanups.add(() => internal.stop())
  const core: CoreServices = { log, metrics, traces, database, vault, clock, internal, nodeId }
  return { core, secrets }
}

/** Creates the domains that the installation's file configures, and applies the file. */
async function openMonitored(
  config: Config,
  core: CoreServices,
  audit: Audit,
  origin: () => string,
  cleanups: Cleanups,
) {
  const { log, clock } = core
  const { dataDir } = config
  const activeFile = createActiveFile()
  const usage = createEndpointUsage()
  const replicas = await openReplicas(core)
  const storedChains = createStoredChains({ ...core, replicas })
  cleanups.add(() => replicas.keySync.stop())
  const ways = await openWays(config, core, replicas, audit.record, cleanups)
  const { egress, strangers } = ways
  const ofAlerts = { replicas, egress, strangers, origin, declared: activeFile, record: audit.record }
  const opened = openAlerts(core, ofAlerts)
  const health = await openHealth(config, core, replicas, egress, activeFile, usage, opened.feed)
  cleanups.add(() => health.stop())
  const budgets = await openUpstreamBudgets(core)
  cleanups.add(() => budgets.stop())
  const endpoints = await openEndpoints(core, egress, activeFile, health, { origin, usage, budgets })
  cleanups.add(() => endpoints.stop())
  const registry = await openRegistry(core, ways.reach, activeFile, health)
  cleanups.add(() => registry.stop())
  const verifier = createBuiltInVerifier({ health, egress, clock, log, folder: privateFolder(dataDir) })
  cleanups.add(() => verifier.stop())
  health.onDeciding(verifier.allow)
  health.onSuspect(verifier.suspect)
  const hasRedis = config.redisUrl !== null
  const parts = { ...core, ...replicas, ...opened, storedChains, health, endpoints, registry, hasRedis }
  const file = await openConfigFile(config.file, log, async (content, problemAt) => {
    const problems = await applyFile(content, problemAt, activeFile, parts)
    if (problems.length === 0) await verifier.switchTo(content.verifiers.builtIn)
    return problems
  })
  cleanups.add(() => file.close())
  const monitored = { activeFile, replicas, health, budgets, endpoints, registry, verifier, file }
  const chains = openCustomChains(core, { ...monitored, storedChains }, audit)
  const alertFacts = createAlertFacts(health, clock.now)
  const alerts = connectAlerts(opened, health, alertFacts.facts)
  await health.restore()
  health.start()
  alerts.start()
  cleanups.add(() => alerts.stop())
  const ofPages = { health, alerts, replicas, activeFile, origin, strangers }
  const statusPages = await openStatusPages(core, ofPages)
  cleanups.add(statusPages.stop)
  await statusPages.start()
  return { ...monitored, ...ways, chains, watching: { alerts, statusPages, alertFacts } }
}

type OpenedCore = Awaited<ReturnType<typeof openCoreServices>>

async function compose(config: Config, opened: OpenedCore, cleanups: Cleanups): Promise<Gatehouse> {
  const { core, secrets } = opened
  const { log, database, clock } = core
  const { address, edge } = openEdge(config, log)
  const { current } = address
  const keyActivity = createKeyActivity()
  const audit = createAudit({ database, clock })
  const monitored = await openMonitored(config, core, audit, address.origin, cleanups)
  const { activeFile, watching, health, endpoints, registry, verifier, file } = monitored
  const world = { ...monitored, plans: openPlans(core, monitored), address: current }
  const { accounts, connectUse } = openAccounts(config, core, audit, world)
  const ofKeys = { ...world, ...keyActivity, accounts, origin: address.origin }
  const keys = await openKeys(config, core, audit, ofKeys)
  cleanups.add(keys.stop)
  const ofCalls = { ...monitored, ...keys, suspect: verifier.suspect, origin: address.origin }
  const calls = await openCalls(config, core, ofCalls)
  cleanups.add(calls.close)
  const { usage, limits, requests } = calls
  connectUse(usage.accountSums)
  const limitsUse: KeyActivity['limitsUse'] = (id, { rate, credits }) => limits.peek(id, rate, credits)
  keyActivity.connect({ ...usage, limitsUse })
  const ofAgents = { ...keys, ...monitored, audit, address: current, version, limits }
  const agents = await openAgents(config, core, ofAgents, cleanups)
  watching.alertFacts.connect({ ...keys, ...agents, accounts, audit, limits, usage })
  cleanups.add(openStatements(core, { ...world, ...watching, accounts, audit, usage }))
  cleanups.add(() => core.internal.leave())
  await core.internal.start()
  const { backup, schedule } = openUpkeep(config, core, cleanups)
  const installation = createInstallation({
    version,
    database,
    settings: config,
    world: {
      address: address.origin,
      chainCount: () => activeFile.chains.all().length,
      file: () => file,
      providerProblem: accounts.providerProblem,
      unnamedProxy: edge.unnamedProxies.current,
      backups: schedule.state,
      isClockWrong: health.isClockWrong,
    },
  })
  const parts = { ...keys, health, audit, accounts, statusPages: watching.statusPages }
  const seen = { ...parts, ...watching, endpoints, installation, usage, requests, registry }
  const globalSearch = openGlobalSearch({ ...seen, ...agents }, log)
  const plans = openPlanViews(core, { ...world, ...keys, accounts, limits, audit })
  const exportAccount = createAccountExport({ ...seen, agents })
  const ofRouter = { ...monitored, ...seen, plans, globalSearch, exportAccount }
  const router = createRouter({ ...ofRouter, agents: { ...agents, address: current } })
  const served = { ...parts, alerts: watching.alerts, agents, calls, router, address: current, edge }
  const server = await openHttpServer(config, secrets, core, served)
  cleanups.add(server.close)
  address.listening(server.listener)
  const control = openControlSocket(config.dataDir, { ...server, router, backup, metrics: core.metrics }, log)
  cleanups.add(() => control.stop())
  await accounts.start()
  cleanups.add(() => accounts.stop())
  return { ...server, health, accounts, installation, file, stop: cleanups.run }
}
