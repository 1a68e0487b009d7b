import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join, resolve } from 'node:path'

import manifest from '../package.json' with { type: 'json' }
import type { GatehouseFile } from '../shared/gatehouse-file.ts'
import { createAccounts } from './accounts/accounts.ts'
import type { Accounts } from './accounts/accounts.ts'
import { createContextOf, createEndOf, createSessionOf } from './accounts/call-context.ts'
import { accountRoutes } from './accounts/routes.ts'
import { createApiKeys } from './api-keys/api-keys.ts'
import type { ApiKeys } from './api-keys/api-keys.ts'
import { createGuard } from './api-keys/guard.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { createAudit } from './audit/audit.ts'
import type { Audit } from './audit/audit.ts'
import { createBackup } from './backup/backup.ts'
import type { Backup } from './backup/backup.ts'
import { createChains } from './chains/chains.ts'
import type { Config } from './config/config.ts'
import { installationSecrets, privateFolder } from './config/data-folder.ts'
import type { InstallationSecrets } from './config/data-folder.ts'
import type { FileProblem } from './config/declarative-file.ts'
import { createWatchedFile } from './config/watched-file.ts'
import type { ApplyFile, FileContent, WatchedFile } from './config/watched-file.ts'
import { createHealth } from './health/health.ts'
import type { Health } from './health/health.ts'
import { badgeRoutes, decisionLookUp, healthRoutes } from './health/routes.ts'
import { refusalOfEndpoint } from './health/services/private-endpoint.ts'
import { verifierRoutes } from './health/verifiers/routes.ts'
import { createAddressLimit } from './http/address-limit.ts'
import { createHttpApp } from './http/app.ts'
import { parseTrustedProxies } from './http/caller.ts'
import { consoleFiles } from './http/console-files.ts'
import { serveControlSocket } from './http/control-socket.ts'
import type { ControlSocket } from './http/control-socket.ts'
import { createCookies } from './http/cookies.ts'
import type { Listener } from './http/listen.ts'
import { listeningAddress, publicAddress } from './http/public-address.ts'
import type { PublicAddress } from './http/public-address.ts'
import { trpcRoutes } from './http/trpc-routes.ts'
import { createInstallation } from './installation/installation.ts'
import type { Installation } from './installation/installation.ts'
import { createCleanups } from './platform/cleanups.ts'
import type { Cleanups } from './platform/cleanups.ts'
import { systemClock } from './platform/clock.ts'
import { openDatabase } from './platform/database.ts'
import type { Database } from './platform/database.ts'
import { createEgress } from './platform/egress.ts'
import type { StreamingEgress } from './platform/egress.ts'
import { randomId } from './platform/ids.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import type { Metrics } from './platform/metrics.ts'
import { lockInstance } from './platform/postgres/instance-lock.ts'
import { sharedSecret } from './platform/shared-secrets.ts'
import { createSteadyClock } from './platform/steady-clock.ts'
import type { SteadyClock } from './platform/steady-clock.ts'
import { createVault } from './platform/vault.ts'
import type { Vault } from './platform/vault.ts'
import { commandLineContext } from './trpc/init.ts'
import { createRouter } from './trpc/router.ts'
import type { AppRouter } from './trpc/router.ts'
import { serveTrpc } from './trpc/serve.ts'
import { usageRoutes } from './usage/routes.ts'
import { createUsage } from './usage/usage.ts'
import type { Usage } from './usage/usage.ts'
import { createBuiltInVerifier } from './verifier/built-in.ts'

/** A running installation. */
export interface Gatehouse {
  readonly health: Health
  readonly accounts: Accounts
  readonly installation: Installation
  readonly listener: Listener
  readonly file: WatchedFile
  /** Lets requests finish, writes what is in memory, stops the database, and frees the data folder. */
  stop(): Promise<void>
}

/** Written by `vite build console`. */
const consoleFolder = join(import.meta.dir, '../console/dist')
const migrationsFolder = join(import.meta.dir, 'migrations')
/** A verifier that is revoked or whose key is wrong tries a few times; more are not meant well. */
const refusedReportsPerMinute = 60
/** Of an address that may be that of a whole company, with one wrong key in a job that runs often. */
const badKeysPerMinute = 1_000
/** Each of them is kept for ten minutes, and nobody needs so many. */
const signInAttemptsPerMinute = 60
const defaultFile = './gatehouse.yaml'
/** How long requests may still take; with the drain delay and the rest it stays below the limit in main.ts. */
const stopGraceMs = 15_000
const drainLimitMs = 22_000

/**
 * Builds everything and starts to serve. Throws with one sentence for the operator when the data folder or the port
 * is taken, or the file in `GATEHOUSE_FILE` has mistakes; whatever was started by then is stopped again.
 */
export async function startGatehouse(config: Config, log: Log): Promise<Gatehouse> {
  const cleanups = createCleanups(log)
  try {
    return await compose(config, log, cleanups)
  } catch (error) {
    await cleanups.run()
    throw error
  }
}

/** What every part stands on. */
interface Ground {
  readonly log: Log
  readonly metrics: Metrics
  readonly database: Database
  readonly vault: Vault
  readonly clock: SteadyClock
}

async function compose(config: Config, log: Log, cleanups: Cleanups): Promise<Gatehouse> {
  const { dataDir, allowPrivate, databaseUrl: url } = config
  const lock = lockInstance(dataDir)
  cleanups.add(() => lock.release())
  const secrets = await installationSecrets(dataDir, config)
  const metrics = createMetrics()
  const database = await openDatabase({ url, dataDir, log, migrationsFolder })
  cleanups.add(() => database.close())
  const clock = createSteadyClock(systemClock)
  const vault = createVault(secrets.masterKeys)
  const ground: Ground = { log, metrics, database, vault, clock }

  const egress = createEgress({ clock: systemClock, allowPrivate, schemes: ['http', 'https'] })
  cleanups.add(() => egress.close())
  const inForce = createFileInForce()
  const health = await openHealth(ground, egress, inForce)
  cleanups.add(() => health.stop())
  const verifier = createBuiltInVerifier({ health, egress, clock, log, folder: privateFolder(dataDir) })
  cleanups.add(() => verifier.stop())
  const file = await openFile(config, log, async (content, problemAt) => {
    const problems = await applyFile(content, problemAt, inForce, health)
    if (problems.length === 0) await verifier.switchTo(content.verifiers.builtIn)
    return problems
  })
  cleanups.add(() => file.close())
  await health.restore()
  health.start()

  const audit = createAudit({ database, clock })
  const given = config.publicUrl === null ? null : publicAddress(config.publicUrl)
  const address = () => given ?? listeningAddress(doors.listener, hostname())
  const attempts = createAddressLimit(signInAttemptsPerMinute, systemClock.monotonic)
  const world = { egress, record: audit.record, address, attempts }
  const accounts = createAccounts({ database, vault, clock, log, settings: config, world })
  const apiKeys = await openApiKeys(ground, audit, config.canRevealKeys)
  cleanups.add(() => apiKeys.stop())
  const usage = openUsage(ground, dataDir)
  cleanups.add(() => usage.stop())
  const installation = createInstallation({
    version: manifest.version,
    database,
    settings: config,
    world: {
      address: () => address().origin,
      chainCount: () => inForce.chains.all().length,
      file: () => file,
    },
  })
  const router = createRouter({ health, accounts, apiKeys, audit, installation, usage })

  const doors = openDoors(config, secrets, ground, { health, accounts, apiKeys, usage, router, address })
  cleanups.add(doors.close)
  await accounts.start()
  cleanups.add(() => accounts.stop())
  const control = openControl(dataDir, router, createBackup(database, clock.now, log), log)
  cleanups.add(() => control.stop())
  return { health, accounts, installation, listener: doors.listener, file, stop: cleanups.run }
}

function openHealth(ground: Ground, egress: StreamingEgress, inForce: FileInForce): Promise<Health> {
  return createHealth({
    ...ground,
    world: {
      findChain: (key) => inForce.chains.get(key),
      canaries: () => inForce.file.verifiers.canaries,
      refusalOf: (endpoint) => refusalOfEndpoint(egress, endpoint),
    },
  })
}

async function openApiKeys(ground: Ground, { record }: Audit, canReveal: boolean): Promise<ApiKeys> {
  const hashKey = await sharedSecret(ground.database, ground.vault, 'api-key-hash')
  const apiKeys = await createApiKeys({ ...ground, hashKey, record, canReveal })
  apiKeys.start()
  return apiKeys
}

function openUsage(ground: Ground, dataDir: string): Usage {
  const folder = join(privateFolder(dataDir), 'usage')
  const usage = createUsage({ ...ground, folder, keysOf: () => Promise.resolve([]) })
  usage.start()
  return usage
}

interface Inside {
  readonly health: Health
  readonly accounts: Accounts
  readonly apiKeys: ApiKeys
  readonly usage: Usage
  readonly router: AppRouter
  readonly address: () => PublicAddress
}

/** Everything that is reached by HTTP. */
function openDoors(config: Config, secrets: InstallationSecrets, ground: Ground, inside: Inside) {
  const { log, metrics, database, clock } = ground
  const { health, accounts, apiKeys, usage, router, address } = inside
  const isTls = config.publicUrl !== null && publicAddress(config.publicUrl).isTls
  const cookies = createCookies({ isTls })
  const sessionOf = createSessionOf(accounts, cookies)
  const streams = new AbortController()
  const refusedReports = createAddressLimit(refusedReportsPerMinute, systemClock.monotonic)
  const guard = createGuard(apiKeys, createAddressLimit(badKeysPerMinute, systemClock.monotonic))
  const contextOf = createContextOf(sessionOf, clock)
  const endOf = createEndOf(accounts)
  const app = createHttpApp({
    hotRoutes: [decisionLookUp(health)],
    plugins: [
      healthRoutes(health),
      badgeRoutes(health),
      verifierRoutes(health.verifiers, refusedReports),
      accountRoutes({ accounts, cookies, sessionOf, address }),
      consoleFiles(consoleFolder),
      apiKeyRoutes(apiKeys, guard),
      usageRoutes(usage, guard),
      trpcRoutes({ answer: serveTrpc(router, log), contextOf, endOf, address, closing: streams.signal }),
    ],
    log,
    metrics,
    clock: systemClock,
    trustedProxies: parseTrustedProxies(config.trustedProxies),
    readiness: async () => ({ database: (await database.isReachable()) ? 'ok' : 'failed' }),
    metricsToken: secrets.metricsToken,
    isTls,
  })
  const listener = app.listen({ host: config.host, port: config.port })
  return {
    listener,
    async close() {
      app.drain()
      streams.abort()
      health.verifiers.hangUp()
      await Bun.sleep(config.drainDelayMs)
      await listener.stop(Math.min(stopGraceMs, drainLimitMs - config.drainDelayMs))
    },
  }
}

/** Reads the declarative file and follows it. Throws when it has mistakes, or is named but not there. */
async function openFile(config: Config, log: Log, apply: ApplyFile): Promise<WatchedFile> {
  const path = resolve(config.file ?? defaultFile)
  if (config.file !== null && !existsSync(path)) throw new Error(`GATEHOUSE_FILE: there is no ${path}`)
  const file = createWatchedFile(path, log, apply)
  if (!(await file.reload())) throw new Error(`the file has mistakes:\n  ${file.problems.join('\n  ')}`)
  file.watch()
  return file
}

/** The way in for the command line: whoever can open the socket is an operator. A backup is a stream, so no procedure. */
function openControl(dataDir: string, router: AppRouter, backup: Backup, log: Log): ControlSocket {
  const answer = serveTrpc(router, log)
  return serveControlSocket(privateFolder(dataDir), (request) => {
    if (new URL(request.url).pathname === '/backup') return new Response(backup.stream())
    return answer(request, commandLineContext(randomId('cli')))
  })
}

/** What the file says now. */
interface FileInForce {
  file: GatehouseFile
  chains: Extract<ReturnType<typeof createChains>, { ok: true }>['chains']
}

function createFileInForce(): FileInForce {
  const created = createChains()
  if (!created.ok) throw new TypeError('the built-in chains have mistakes')
  return {
    file: { chains: {}, services: [], verifiers: { builtIn: true, canaries: [] } },
    chains: created.chains,
  }
}

/** Checks the file by meaning, and puts it in force when all of it is right. */
async function applyFile(
  content: GatehouseFile,
  problemAt: FileContent['problemAt'],
  inForce: FileInForce,
  health: Health,
): Promise<FileProblem[]> {
  const created = createChains(content.chains)
  if (!created.ok) return created.issues.map(({ path, message }) => problemAt(path.split('.'), message))
  const { services, problems } = await health.checkFile(content.services, created.chains.get)
  if (problems.length > 0) {
    return problems.map(({ index, field, message }) => problemAt(['services', index, field], message))
  }
  inForce.file = content
  inForce.chains = created.chains
  health.applyFile(services, created.chains.all())
  return []
}
