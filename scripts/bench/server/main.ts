/** The server under test, in a process of its own: the real composition, and what a bench has to know of it. */
import { Elysia } from 'elysia'

import { startGatehouse } from '../../../server/compose.ts'
import type { Gatehouse } from '../../../server/compose.ts'
import { readConfig } from '../../../server/config/config.ts'
import type { Config } from '../../../server/config/config.ts'
import { badgeRoutes, decisionLookUp, healthRoutes } from '../../../server/health/routes.ts'
import { createRefusedSenders } from '../../../server/health/verifiers/refused-senders.ts'
import { verifierRoutes } from '../../../server/health/verifiers/routes.ts'
import { createAddressLimit } from '../../../server/platform/http/address-limit.ts'
import { createHttpApp } from '../../../server/http/app.ts'
import { parseTrustedProxies } from '../../../server/platform/http/caller.ts'
import type { Listener } from '../../../server/http/listen.ts'
import { createOwnHosts } from '../../../server/http/own-hosts.ts'
import { publicAddress } from '../../../server/platform/http/public-address.ts'
import { systemClock } from '../../../server/platform/clock.ts'
import { createLog } from '../../../server/platform/log.ts'
import type { Log } from '../../../server/platform/log.ts'
import { createMetrics } from '../../../server/platform/metrics.ts'
import type { BenchAnswer, BenchQuestion, BenchServerSettings, ProcessUsage } from './messages.ts'
import { beginUsage } from './usage.ts'

/** As many characters as a health answer has. */
const constantText = 'x'.repeat(190)

/** As many as a status page of twelve services has, with its style. */
const constantPage = 'x'.repeat(16_000)

const host = '127.0.0.1'

function configOf({ dataDir, filePath }: BenchServerSettings): Config {
  const reading = readConfig(
    {
      GATEHOUSE_HOST: host,
      GATEHOUSE_PORT: '0',
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_FILE: filePath,
      GATEHOUSE_ALLOW_PRIVATE: '127.0.0.0/8',
      GATEHOUSE_LOG_LEVEL: 'error',
    },
    () => '',
  )
  if (reading.kind === 'problems') throw new Error(reading.problems.join('; '))
  return reading.config
}

/** Nothing here is ever refused. */

/** The same hooks and routes as the server itself has, and one that answers a constant text. */
function listenForComparison({ health }: Gatehouse, log: Log): Listener {
  const constant = new Elysia({ name: 'constant' })
    .get('/constant', () => constantText)
    .get('/constant-page', () => constantPage)
  const own = () => publicAddress(`http://${host}:3000`)
  const app = createHttpApp({
    hotRoutes: [decisionLookUp(health)],
    plugins: [
      constant,
      healthRoutes(health),
      badgeRoutes(health),
      verifierRoutes(
        health.verifiers,
        createRefusedSenders({
          limit: createAddressLimit(1, systemClock.monotonic),
          clock: systemClock,
          log,
        }),
        async () => undefined,
      ),
    ],
    log,
    metrics: createMetrics(),
    clock: systemClock,
    trustedProxies: parseTrustedProxies([]),
    ownHosts: createOwnHosts({ address: own, listening: own, allowed: [] }),
    unnamedProxies: { note: () => undefined },
    readiness: () => ({ database: 'ok' }),
    metricsToken: null,
    isTls: false,
  })
  return app.listen({ host, port: 0 })
}

const settings: BenchServerSettings = JSON.parse(process.argv[2] ?? '{}')
const log = createLog({ level: 'error' })
const gatehouse = await startGatehouse(configOf(settings), log)
const comparison = listenForComparison(gatehouse, log)
const { reports } = gatehouse.health.verifiers
const { receive } = reports
let reportsMs = 0
reports.receive = (...given) => {
  const startedAt = performance.now()
  try {
    return receive(...given)
  } finally {
    reportsMs += performance.now() - startedAt
  }
}
let endUsage: (() => ProcessUsage) | null = null
let isStopping = false

const say = (answer: BenchAnswer): void => void process.send?.(answer)

async function stop(): Promise<void> {
  if (isStopping) return
  isStopping = true
  await comparison.stop(0)
  await gatehouse.stop()
  process.exit(0)
}

async function respond(question: BenchQuestion): Promise<void> {
  const { health } = gatehouse
  switch (question.kind) {
    case 'token':
      return say({
        kind: 'token',
        token: (await health.verifiers.createToken('bench', async () => undefined)).token,
      })
    case 'decided': {
      const decided = health.services.list().filter(({ id }) => health.read(id).decision !== 'UNKNOWN')
      return say({ kind: 'decided', count: decided.length })
    }
    case 'begin':
      endUsage = beginUsage(question.watchesTicks, () => reportsMs)
      return say({ kind: 'begun' })
    case 'end':
      if (endUsage === null) throw new Error('nothing was begun')
      return say({ kind: 'usage', usage: endUsage() })
    case 'stop':
      return stop()
  }
}

process.on('message', (question: BenchQuestion) => void respond(question))
// The bench has ended, in whatever way.
process.on('disconnect', () => void stop())
const { port } = gatehouse.listener
say({ kind: 'started', url: `http://${host}:${port}`, comparisonUrl: `http://${host}:${comparison.port}` })
