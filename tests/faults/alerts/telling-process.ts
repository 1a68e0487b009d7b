import { writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { openAlertsUnderTest } from '../../../scripts/world/alerts-under-test.ts'
import { silentLog as log } from '../../../scripts/world/database.ts'
import { systemClock } from '../../../server/platform/clock.ts'
import { openDatabaseClock } from '../../../server/platform/database-clock.ts'
import { type Database, openDatabase } from '../../../server/platform/database.ts'
import { randomHex } from '../../../server/platform/ids.ts'
import { createOwnership, createSoleOwnership } from '../../../server/platform/leases/ownership.ts'
import { createMetrics } from '../../../server/platform/metrics.ts'
import { readTellingOrder } from './order.ts'

/*
 * A process that tells people until it is killed: alerts with their outbox, alone or as one of several. It says `decides` when it
 * begins to.
 */
const { url, channels, rules, decisions, isOneOfMany, origin, speed } = readTellingOrder(process.argv[2])
const migrationsFolder = fileURLToPath(new URL('../../../server/migrations', import.meta.url))
const database = await openDatabase({ url, dataDir: '', log, migrationsFolder })

async function openOwnership(shared: Database) {
  if (!isOneOfMany) return createSoleOwnership(shared)
  const metrics = createMetrics()
  const databaseClock = await openDatabaseClock(shared, { log, metrics, clock: systemClock })
  const lease = { name: 'health', shard: 0 }
  return createOwnership({
    database: shared,
    lease,
    nodeId: randomHex(8),
    clock: systemClock,
    databaseClock,
    log,
    metrics,
  })
}

const ownership = await openOwnership(database)
const { alerts, feed } = openAlertsUnderTest({
  database,
  channels,
  rules,
  decisions: new Map(Object.entries(decisions)),
  deciding: { isDeciding: () => ownership.epoch() !== null, transaction: ownership.transaction },
  now: () => origin + (systemClock.now() - origin) * speed,
})
ownership.onChange({
  gained() {
    writeSync(1, 'decides\n')
    feed.stored()
    return Promise.resolve()
  },
  lost: () => Promise.resolve(),
})
alerts.start()
await ownership.start()
