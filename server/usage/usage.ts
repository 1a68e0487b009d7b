import { mkdirSync } from 'node:fs'

import { systemClock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import { randomId } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { lockInstance } from '../platform/postgres/instance-lock.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { createCounterFiles } from './counting/counter-files.ts'
import { createKeySlots } from './counting/key-slots.ts'
import { createMeter, type Meter } from './counting/meter.ts'
import { createUnwrittenSlots } from './counting/unwritten-slots.ts'
import { createFlusher } from './flushing/flusher.ts'
import { findOrphans } from './flushing/orphans.ts'
import { createKeyLastUses } from './key-last-uses.ts'
import { createKeyLabels, type KeysOf } from './key-labels.ts'
import { createRollupJob } from './rollup/rollup-job.ts'
import { createAccountStatistics } from './statistics/account-statistics.ts'
import { createConsoleStatistics } from './statistics/console-statistics.ts'
import { createStatisticsStore } from './statistics/store.ts'
import { createUsageStore } from './store.ts'

export type { MeasuredCalls, MeteredKey } from './counting/meter.ts'
export type { KeyLabel } from './store.ts'
export type { KeysOf } from './key-labels.ts'

export interface UsageOptions {
  readonly database: Database
  readonly clock: SteadyClock
  readonly log: Log
  readonly metrics: Metrics
  /** Of this process alone: counts are kept in it until the database has them. */
  readonly folder: string
  /** Those that an account has now. */
  readonly keysOf: KeysOf
}

export type Usage = ReturnType<typeof createUsage>

/** 5.9 million slots: 100,000 keys with 50 methods each in one minute, or hours of a usual load without the database. */
const maxFiles = 360

/**
 * Counts what is called with query keys, and answers what was counted. From `meter.admit` on a call is counted, however
 * this process ends; from the next flush on, within a second, also when the machine loses power.
 *
 * @throws InstanceLockedError when another process counts in the folder.
 */
export function createUsage(options: UsageOptions) {
  const { database, clock, log, metrics, folder, keysOf } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockInstance(folder, 'usage')
  const now = (): number => Math.floor(clock.now())
  const refused = (error: unknown): void =>
    log.error('calls cannot be counted: there is no room for their counts', { error })
  const store = createUsageStore(database)
  const lastUses = createKeyLastUses(store, now)
  const labels = createKeyLabels(store, keysOf)
  const orphans = findOrphans(folder, store, log)
  const files = createCounterFiles({
    folder,
    writer: randomId('writer'),
    maxFiles,
    refused,
    now: systemClock.monotonic,
  })
  const unwritten = createUnwrittenSlots()
  const keySlots = createKeySlots(files, now)
  const meter = createMeter({ files, keySlots, unwritten })
  const failures = metrics.counter(
    'usage_flush_failures_total',
    'Counts could not be written to the database',
  )
  const flusher = createFlusher({
    files,
    unwritten,
    meter,
    keySlots,
    orphans,
    store,
    labels,
    lastUses,
    log,
    failed: () => failures.add(),
  })
  const rollupJob = createRollupJob({ database, now, log })
  const sources = { store: createStatisticsStore(database), labels, flushFor: flusher.flushFor, now }
  metrics.observedGauge('usage_unflushed', 'Counts that are not in the database yet', () => unwritten.size())

  return {
    meter: meter as Pick<Meter, 'admit' | 'refuse'>,
    statistics: { ...createAccountStatistics(sources), ...createConsoleStatistics(sources) },

    /** When keys were used last, by their ids: epoch ms, to the minute. Uses in other processes come a minute later. */
    lastUses: lastUses.all,

    /** Brings everything to the database that was counted before the call. Happens by itself each second. */
    flush: flusher.flush,
    /** Moves what is final to hours and days. Happens by itself. */
    rollUp: rollupJob.run,

    start() {
      flusher.start()
      rollupJob.start()
    },
    /** Writes what is in the files, which stay where the database does not answer: the next start takes them over. */
    async stop() {
      await rollupJob.stop()
      if (await flusher.stop()) await giveUpFiles()
      lock.release()
    },
  }

  async function giveUpFiles(): Promise<void> {
    if (files.count() === 0) return
    try {
      await store.close(files.writer, null)
      files.removeAll()
    } catch (error) {
      log.warn('the files of usage stay until the next start', { error })
    }
  }
}
