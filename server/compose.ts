import { hostname } from 'node:os'
import { join } from 'node:path'

import manifest from '../package.json' with { type: 'json' }
import { createAccounts } from './accounts/accounts.ts'
import type { Accounts } from './accounts/accounts.ts'
import { createAudit } from './audit/audit.ts'
import { createBackup } from './backup/backup.ts'
import { openCalls } from './compose/calls.ts'
import { openEndpoints, openHealth, openKeys, openRegistry } from './compose/domains.ts'
import { openControl, openDoors } from './compose/doors.ts'
import { applyFile, createFileInForce } from './compose/file-in-force.ts'
import { openAgents } from './compose/gateway.ts'
import type { Ground } from './compose/ground.ts'
import { sealedColumns } from './compose/sealed-columns.ts'
import type { Config } from './config/config.ts'
import { installationSecrets, privateFolder } from './config/data-folder.ts'
import { openConfigFile } from './config/watched-file.ts'
import type { WatchedFile } from './config/watched-file.ts'
import { createEndpointUsage } from './endpoints/endpoint-usage.ts'
import type { Health } from './health/health.ts'
import { createAddressLimit } from './http/address-limit.ts'
import type { Listener } from './http/listen.ts'
import { createInstallationAddress } from './http/public-address.ts'
import { createInstallation } from './installation/installation.ts'
import type { Installation } from './installation/installation.ts'
import { createCleanups } from './platform/cleanups.ts'
import type { Cleanups } from './platform/cleanups.ts'
import { systemClock } from './platform/clock.ts'
import { openDatabase } from './platform/database.ts'
import { createEgress } from './platform/egress.ts'
import type { Log } from './platform/log.ts'
import { createMetrics } from './platform/metrics.ts'
import { lockInstance } from './platform/postgres/instance-lock.ts'
import { startResealing } from './platform/resealing.ts'
import { createSteadyClock } from './platform/steady-clock.ts'
import { createVault } from './platform/vault.ts'
import { createKeyActivity } from './query-keys/key-activity.ts'
import { createRouter } from './compose/router.ts'
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

const { version } = manifest
const migrationsFolder = join(import.meta.dir, 'migrations')
/** Each of them is kept for ten minutes, and nobody needs so many. */
const signInAttemptsPerMinute = 60
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

/** The data folder, the secrets and the database: before anything else, because one process alone may have them. */
async function openGround(config: Config, log: Log, cleanups: Cleanups) {
  const { dataDir, databaseUrl: url } = config
  const lock = lockInstance(dataDir)
  cleanups.add(() => lock.release())
  const secrets = await installationSecrets(dataDir, config)
  const database = await openDatabase({ url, dataDir, log, migrationsFolder })
  cleanups.add(() => database.close())
  const clock = createSteadyClock(systemClock)
  const ground: Ground = {
    log,
    metrics: createMetrics(),
    database,
    vault: createVault(secrets.masterKeys),
    clock,
  }
  return { ground, secrets }
}

/** Creates what the installation's file speaks of, and applies the file. The address is not read before requests. */
async function openMonitored(config: Config, ground: Ground, origin: () => string, cleanups: Cleanups) {
  const { log, clock } = ground
  const { dataDir, allowPrivate } = config
  const egress = createEgress({ clock: systemClock, allowPrivate, schemes: ['http', 'https'] })
  cleanups.add(() => egress.close())
  const inForce = createFileInForce()
  const usage = createEndpointUsage()
  const health = await openHealth(ground, egress, inForce, usage)
  cleanups.add(() => health.stop())
  const endpoints = await openEndpoints(ground, egress, inForce, health, { origin, usage })
  cleanups.add(() => endpoints.stop())
  const registry = await openRegistry(ground, allowPrivate, inForce, health)
  cleanups.add(() => registry.stop())
  const verifier = createBuiltInVerifier({ health, egress, clock, log, folder: privateFolder(dataDir) })
  cleanups.add(() => verifier.stop())
  const file = await openConfigFile(config.file, log, async (content, problemAt) => {
    const problems = await applyFile(content, problemAt, inForce, { health, endpoints, registry })
    if (problems.length === 0) await verifier.switchTo(content.verifiers.builtIn)
    return problems
  })
  cleanups.add(() => file.close())
  await health.restore()
  health.start()
  return { egress, inForce, health, endpoints, registry, file }
}

async function compose(config: Config, log: Log, cleanups: Cleanups): Promise<Gatehouse> {
  const { ground, secrets } = await openGround(config, log, cleanups)
  const { database, vault, clock } = ground
  const address = createInstallationAddress(config.publicUrl, hostname())
  const keyActivity = createKeyActivity()
  const monitored = await openMonitored(config, ground, address.origin, cleanups)
  const { egress, inForce, health, endpoints, registry, file } = monitored

  const audit = createAudit({ database, clock })
  const attempts = createAddressLimit(signInAttemptsPerMinute, systemClock.monotonic)
  const world = { egress, record: audit.record, address: address.current, attempts }
  const accounts = createAccounts({ database, vault, clock, log, settings: config, world })
  const keys = await openKeys(ground, audit, {
    canReveal: config.canRevealKeys,
    endpoints,
    origin: address.origin,
    ...keyActivity,
  })
  cleanups.add(keys.stop)
  const { apiKeys, queryKeys } = keys
  const calls = openCalls(config, ground, { health, endpoints, queryKeys, egress })
  cleanups.add(calls.close)
  keyActivity.connect({
    lastUses: calls.usage.lastUses,
    limitsUse: (id, { rate, credits }) => calls.limits.peek(id, rate, credits),
  })
  const agents = await openAgents(config, ground, {
    registry,
    apiKeys,
    audit,
    address: address.current,
    version,
  })
  cleanups.add(agents.close)
  if (secrets.masterKeys.length > 1) cleanups.add(startResealing(ground, sealedColumns).stop)
  const installation = createInstallation({
    version,
    database,
    settings: config,
    world: { address: address.origin, chainCount: () => inForce.chains.all().length, file: () => file },
  })
  const parts = { health, audit, accounts, apiKeys, queryKeys }
  const seen = { ...parts, endpoints, installation, usage: calls.usage, registry }
  const router = createRouter({ ...seen, agents: { ...agents, address: address.current } })
  const doors = openDoors(config, secrets, ground, {
    ...parts,
    agents,
    calls,
    router,
    address: address.current,
  })
  cleanups.add(doors.close)
  address.listening(doors.listener)
  await accounts.start()
  cleanups.add(() => accounts.stop())
  const control = openControl(config.dataDir, router, createBackup(database, clock.now, log), log)
  cleanups.add(() => control.stop())
  return { health, accounts, installation, listener: doors.listener, file, stop: cleanups.run }
}
