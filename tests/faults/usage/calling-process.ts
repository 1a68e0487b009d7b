import { writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { openDurableWindows } from '../../../server/limits/durable/durable-windows.ts'
import { createLimits } from '../../../server/limits/limits.ts'
import { systemClock } from '../../../server/platform/clock.ts'
import { openDatabase } from '../../../server/platform/database.ts'
import { createMetrics } from '../../../server/platform/metrics.ts'
import { createSteadyClock } from '../../../server/platform/steady-clock.ts'
import { createUsage } from '../../../server/usage/usage.ts'
import { silentLog as log } from '../../../scripts/world/database.ts'
import { readOrder, seenOrder } from './order.ts'

/*
 * A process that counts calls until it is killed, writing and rolling up as fast as it can. Each call is told to the
 * parent when an upstream would see it, and again when its caller would have the answer.
 */
const { url, folder, accountId, methods, limit } = readOrder(process.argv[2])
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
function refused(error: unknown): never {
  throw error
}
const storage = openDurableWindows({ folder, clock: systemClock, refused })
const counting = { kind: 'alone', storage } as const
const limits = createLimits({ clock: systemClock, log, metrics: createMetrics(), counting })
const key = { id: `${accountId}_key`, accountId, endpoint: 'testnet' }

async function writeAlways(): Promise<never> {
  for (let round = 1; ; round++) {
    await usage.flush()
    if (round % 3 === 0) await usage.rollUp()
  }
}

function callOnce(turn: number): void {
  const places = Array.from({ length: 1 + (turn % 3) }, (_, index) => (turn * 7 + index) % methods)
  const calls = places.map((place) => ({ method: `method_${place}`, credits: place + 1 }))
  const metered = usage.meter.admit(key, calls, 10)
  writeSync(1, places.map((place) => seenOrder.byUpstream(place)).join(''))
  metered.settle(
    places.map(() => 'ok' as const),
    { bytesOut: 20, tookMs: turn % 50, creditsBack: [] },
  )
  writeSync(1, places.map(() => seenOrder.byCaller).join(''))
}

async function takeOne(): Promise<void> {
  const admission = await limits.admit({ keyId: key.id, rate: limit, credits: null, calls: 1, cost: 0 })
  if (admission.kind === 'admitted') writeSync(1, seenOrder.admission)
}

void writeAlways()
for (let turn = 0; ; turn++) {
  callOnce(turn)
  if (turn % 20 === 0) await takeOne()
  if (turn % 50 === 0) await new Promise((resolve) => setImmediate(resolve))
}
