import { randomBytes } from 'node:crypto'

import { soleProcess } from '../../server/health/fleet/among-processes.ts'
import { createHealth } from '../../server/health/health.ts'
import type { Health } from '../../server/health/health.ts'
import { decisionLookUp, healthRoutes } from '../../server/health/routes.ts'
import { createRefusedSenders } from '../../server/health/verifiers/refused-senders.ts'
import { verifierRoutes } from '../../server/health/verifiers/routes.ts'

import { createKeyReplicas } from '../../server/keys/key-replicas.ts'
import { createHttpApp } from '../../server/http/app.ts'
import { createAddressLimit } from '../../server/platform/http/address-limit.ts'
import { parseTrustedProxies } from '../../server/platform/http/caller.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { createMetrics } from '../../server/platform/metrics.ts'
import { createVault } from '../../server/platform/vault.ts'
import type { Chain } from '../../shared/chains.ts'
import { silentLog, testDatabase, unrecorded } from '../../scripts/world/database.ts'
import { loopbackHosts, noProxies } from './loopback-hosts.ts'

/** The health domain with its real parts behind a real port, except that time can be moved. */
export interface HealthInProcess {
  readonly url: string
  readonly health: Health
  /** Moves time ahead by so much. */
  pass(ms: number): void
  stop(): Promise<void>
}

export async function startHealthInProcess(chains: readonly Chain[]): Promise<HealthInProcess> {
  const database = await testDatabase()
  const metrics = createMetrics()
  let aheadMs = 0
  const now = () => systemClock.now() + aheadMs
  const clock = { now, earliest: now, latest: now }
  const replicas = createKeyReplicas({ database: database.database, clock, log: silentLog })
  const health = await createHealth({
    database: database.database,
    among: soleProcess(database.database),
    replicas,
    vault: createVault([randomBytes(32)]),
    clock,
    log: silentLog,
    metrics,
    world: {
      findChain: (key) => chains.find((chain) => chain.key === key),
      canaries: () => ({ canaries: [], defaultCanaries: false }),
      endpointsUsing: () => [],
      endpointsOnHostOf: () => [],
      pagesShowing: () => [],
      refusalOf: () => Promise.resolve(null),
    },
  })
  health.applyFile([], chains)
  await health.restore()
  health.start()
  const limit = createAddressLimit(60, systemClock.monotonic)
  const refusedSenders = createRefusedSenders({ limit, clock: systemClock, log: silentLog })
  const app = createHttpApp({
    hotRoutes: [decisionLookUp(health)],
    plugins: [healthRoutes(health), verifierRoutes(health.verifiers, refusedSenders, unrecorded)],
    log: silentLog,
    metrics,
    clock: systemClock,
    trustedProxies: parseTrustedProxies([]),
    ownHosts: loopbackHosts,
    unnamedProxies: noProxies,
    readiness: () => ({}),
    metricsToken: null,
    isTls: false,
  })
  const listener = app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url: `http://127.0.0.1:${listener.port}`,
    health,
    pass(ms) {
      aheadMs += ms
    },
    async stop() {
      await health.stop()
      await listener.stop(0)
      await database.drop()
    },
  }
}
