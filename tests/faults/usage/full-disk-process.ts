import { fileURLToPath } from 'node:url'

import { openDurableWindows } from '../../../server/limits/durable/durable-windows.ts'
import { systemClock } from '../../../server/platform/clock.ts'
import { openDatabase } from '../../../server/platform/database.ts'
import { createMetrics } from '../../../server/platform/metrics.ts'
import { createSteadyClock } from '../../../server/platform/steady-clock.ts'
import { createUsage } from '../../../server/usage/usage.ts'
import { silentLog as log } from '../../../scripts/world/database.ts'

/*
 * Counts calls of ever new keys in a folder whose disk becomes full, without writing to the database, until no call is
 * counted any more; then frees the disk by a flush and goes on. Prints what it counted, what was refused, and why.
 */
const [url = '', folder = ''] = process.argv.slice(2)
const migrationsFolder = fileURLToPath(new URL('../../../server/migrations', import.meta.url))
const database = await openDatabase({ url, dataDir: '', log, migrationsFolder })
const usage = createUsage({
  database,
  clock: createSteadyClock(systemClock),
  log,
  metrics: createMetrics(),
  folder,
  keysOf: () => Promise.resolve([]),
})
let counted = 0
let lastRefusal = ''

function count(key: string): boolean {
  try {
    const owner = { id: key, accountId: 'acc_full', endpoint: 'testnet' }
    usage.meter
      .admit(owner, [{ method: 'eth_call', credits: 1 }], 1)
      .settle(['ok'], { bytesOut: 1, tookMs: 1, creditsBack: [] })
    counted++
    return true
  } catch (error) {
    lastRefusal = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return false
  }
}

let keys = 0
while (count(`key_${keys}`)) keys++
const known = count('key_0')
const storage = openDurableWindows({ folder, clock: systemClock, refused: () => undefined })
const window = { keyId: 'key_0', name: 'rate', limit: { units: 5_000, period: 'minute' } } as const
const cells = storage.allocate(window, 63)
await usage.flush()
process.stdout.write(JSON.stringify({ keys, counted, lastRefusal, known, hasWindow: cells !== null }))
await usage.stop()
await database.close()
