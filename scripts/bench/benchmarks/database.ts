import { rmSync } from 'node:fs'

import type { SavedHealth } from '../../../server/health/history/store.ts'
import { createHistoryStore } from '../../../server/health/history/store.ts'
import { initial } from '../../../server/health/decide/state-machine.ts'
import { openDatabase } from '../../../server/platform/database.ts'
import type { Database } from '../../../server/platform/database.ts'
import { randomId } from '../../../server/platform/ids.ts'
import { silentLog, temporaryDataDir } from '../../world/database.ts'
import { benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark, Row } from '../benchmark.ts'
import { makeServices } from '../fixtures/services.ts'
import { watchTicks } from '../server/tick-watch.ts'

const decisionCount = 10_000
const migrationsFolder = new URL('../../../server/migrations', import.meta.url).pathname

export const database: Benchmark = {
  name: 'database',
  about: 'cold and warm start of the embedded PostgreSQL, and saving 10,000 decisions',

  async run({ rounds }) {
    const cold: number[] = []
    const warm: number[] = []
    const firstSaves: number[] = []
    const laterSaves: number[] = []
    const ticks: number[] = []
    for (let round = 0; round < rounds; round++) {
      const dataDir = temporaryDataDir()
      try {
        const first = await timeOf(() => open(dataDir))
        await first.result.close()
        const second = await timeOf(() => open(dataDir))
        cold.push(first.ms)
        warm.push(second.ms)
        const watch = watchTicks()
        firstSaves.push(await timeOfSaving(second.result, Date.now()))
        laterSaves.push(await timeOfSaving(second.result, Date.now() + 1_000))
        ticks.push(watch.stop().longestBusyMs)
        await second.result.close()
      } finally {
        rmSync(dataDir, { recursive: true, force: true })
      }
    }
    return {
      title: 'Database',
      rows: [
        row('embedded PostgreSQL, first start (files are made, tables too)', cold),
        row('embedded PostgreSQL, later start', warm),
        row(`saving ${decisionCount.toLocaleString('en-US')} decisions, new rows`, firstSaves),
        row(`saving ${decisionCount.toLocaleString('en-US')} decisions, over existing rows`, laterSaves),
        row('longest tick of the event loop while saving, computing', ticks),
      ],
      notes: ['Until a query is answered. Saved durably, in one transaction.'],
    }
  },
}

const row = (measure: string, values: readonly number[]): Row => benchmarkRowOf(measure, 'ms', values)

const open = (dataDir: string): Promise<Database> =>
  openDatabase({ url: null, dataDir, log: silentLog, migrationsFolder })

async function timeOf<Result>(work: () => Promise<Result>): Promise<{ ms: number; result: Result }> {
  const startedAt = performance.now()
  const result = await work()
  return { ms: performance.now() - startedAt, result }
}

async function timeOfSaving(opened: Database, at: number): Promise<number> {
  const healths = makeServices(decisionCount).services.map(({ id }): SavedHealth => ({
    serviceId: id,
    published: 'UP',
    state: { ...initial(at), published: 'UP' },
    cause: null,
    liveVerifiers: 20,
    avgBlocksLatency: 0,
    avgTimeLatency: 0,
    evaluatedAt: at,
    quorumExpiresAt: at + 30_000,
  }))
  const store = createHistoryStore(opened)
  const saving = await timeOf(() =>
    store.save({ id: randomId('bench'), healths, transitions: [], rollups: [] }),
  )
  return saving.ms
}
