/**
 * Usage: counts every call with a query key, and answers statistics. No SQL runs on the path of a call, and no counted
 * call is lost when the process is killed.
 *
 * A call takes these steps:
 * 1. Before anything is sent upstream, the relay calls `admit` of `counting/meter.ts`, which finds the slot of the key,
 *    method and minute (`counting/key-slots.ts`) and counts in it. Slots lie in mapped files
 *    (`counting/counter-files.ts`, `counting/counter-file.ts`).
 * 2. When the call has ended, `settle` adds its outcome, bytes, latency and returned credits.
 * 3. Each second `flushing/flusher.ts` writes changed slots to PostgreSQL (`store.ts`). Counts are cumulative for each
 *    writer (one start of a process), so that a repeated write changes nothing.
 *    The difference is added to the sums over everybody, which are those of an account without an id, in the same
 *    transaction: an overview of the installation reads as little as that of one account.
 * 4. A closed minute is final. `rollup/rollup-job.ts` moves it into five minutes (`rollup/move-minutes.ts`), and when an hour
 *    or a day is over it is closed: its rows are made from those of five minutes or of hours (`rollup/close-units.ts`).
 *    Each transaction takes at most about 50,000 rows and stores how far it got (`rollup/progress.ts`); a part that is too
 *    much for its deadline is halved. What comes for a closed hour is added to it. Rows of five minutes are kept for two
 *    days, of hours for 90, of days for two years. Hours in which a day begins somewhere are divided (`hour-parts.ts`).
 * 5. `statistics/` answers the Account API and the console after flushing the account's counts: from days and hours that are
 *    closed, five minutes of hours that are not, and minutes that were not moved yet.
 *    Days of a time zone (`shared/zone-days.ts`) are added up from hours.
 * 6. Requests to upstreams are summed up by key, endpoint, upstream and class (`counting/attempt-counts.ts`) and
 *    written each second (`flushing/attempt-writer.ts`, `attempt-store.ts`), for two days.
 *
 * What a key makes: of each method it calls in a stretch of time one row, and one for itself. That is at most 576 for
 * five minutes (864 until the third day is dropped), 3,330 for hours, and 730 for days, times methods + 1.
 *
 * Calls of tools are counted alike, in tables of their own (`table-names.ts`, `statistics/grouped-statistics.ts`): for them
 * this domain is created a second time.
 *
 * Failures: without room to count, a call is refused rather than served for free. While the database is away counts
 * stay in the files, for hours of usual load; the next start adopts files that a process left (`flushing/orphans.ts`):
 * calls that were under way are errors then, and get their credits back. Requests to upstreams are in memory only until
 * they are written: nothing is charged by them.
 *
 * Known limitations: a power cut loses at most the last second; calls of other processes appear after a second; beyond
 * 200 methods of an endpoint calls are counted as `other`; latencies are exact to 10 %. Days of time zones are right to
 * the hour for what was counted before version 0020 of the database.
 */
import { mkdirSync } from 'node:fs'

import { systemClock } from '../platform/clock.ts'
import type { Database, Sql } from '../platform/database.ts'
import { randomId } from '../platform/ids.ts'
import { type FailingSince, createFailingSince } from '../platform/failing-since.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { lockInstance } from '../platform/postgres/instance-lock.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { type CounterFiles, createCounterFiles } from './counting/counter-files.ts'
import { createKeySlots } from './counting/key-slots.ts'
import { settledByEnd } from './counting/read-slot.ts'
import { createMeter, type Meter } from './counting/meter.ts'
import { createUnwrittenSlots } from './counting/unwritten-slots.ts'
import { type AttemptWriter, createAttemptWriter } from './flushing/attempt-writer.ts'
import { createFlusher } from './flushing/flusher.ts'
import { findOrphans } from './flushing/orphans.ts'
import { createKeyLabels, type KeysOf } from './key-labels.ts'
import { createRollupJob } from './rollup/rollup-job.ts'
import { createAccountSums } from './statistics/account-sums.ts'
import { createAccountStatistics } from './statistics/account-statistics.ts'
import { createConsoleStatistics } from './statistics/console-statistics.ts'
import { createGroupedStatistics } from './statistics/grouped-statistics.ts'
import type { Sources } from './statistics/sources.ts'
import { createSplitStatistics } from './statistics/split-statistics.ts'
import { createStatisticsStore } from './statistics/store.ts'
import { createUsageStore, readLastUses } from './store.ts'
import type { CountedTables } from './table-names.ts'

export type { MeasuredCalls, MeteredKey } from './counting/meter.ts'
export type { CallGroup, CallCounts } from './statistics/grouped-statistics.ts'
export type { KeyLabel } from './store.ts'
export type { KeysOf } from './key-labels.ts'

export interface UsageOptions {
  readonly database: Database
  /** Which calls are counted. */
  readonly tables?: CountedTables
  readonly clock: SteadyClock
  readonly log: Log
  readonly metrics: Metrics
  /** The folder of this process alone, which holds counts until the database has them. */
  readonly folder: string
  /** Returns the query keys that an account has now. */
  readonly keysOf: KeysOf
}

export type Usage = ReturnType<typeof createUsage>

/**
 * Allows 5.9 million slots: 100,000 keys with 50 methods each in one minute, or hours of usual load without the
 * database.
 */
const maxFiles = 360

/**
 * Makes the usage domain. From `meter.admit` on a call is counted, however this process ends; from the next flush on,
 * within a second, even when the machine loses power. Throws InstanceLockedError when another process counts in the
 * folder.
 */
export function createUsage(options: UsageOptions) {
  const { database, tables = 'usage', clock, log, metrics, folder, keysOf } = options
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockInstance(folder, tables)
  const now = (): number => Math.floor(clock.now())
  const store = createUsageStore(database, tables)
  const labels = createKeyLabels(store, keysOf)
  const orphans = findOrphans(folder, store, log)
  const files = filesIn(folder, log)
  const unwritten = createUnwrittenSlots()
  const keySlots = createKeySlots(files, clock.now)
  const meter = createMeter({ files, keySlots, unwritten })
  const noted = { database, tables, metrics, meter, writer: files.writer }
  const attempts = createAttemptWriter({ ...noted, currentMinute: keySlots.currentMinute })
  const writing = createWriting(metrics, tables, now)
  const flusher = createFlusher({
    writeAttempts: attempts.write,
    files,
    unwritten,
    meter,
    keySlots,
    orphans,
    store,
    labels,
    log,
    outcome: writing,
  })
  const rollingUp = createFailingSince(now)
  const rollupJob = createRollupJob({ database, tables, now, log, outcome: rollingUp })
  const sources = { store: createStatisticsStore(database, tables), labels, flushFor: flusher.flushFor, now }
  metrics.observedGauge(`${tables}_unflushed`, 'Counts that are not in the database yet', () =>
    unwritten.size(),
  )

  return {
    /** Returns the calls that each key made at this process, by endpoint; forgotten when it was not used for an hour. */
    callsOfKeys: keySlots.callsOfKeys,
    meter: meter as Pick<Meter, 'admit' | 'refuse'>,
    statistics: statisticsFrom(sources, attempts),
    accountSums: createAccountSums(database, tables),

    /**
     * Returns the last use of keys by id: epoch ms, to the minute. It is known a second later, whichever process counted it.
     */
    lastUses: (sql: Sql, ids: readonly string[]) => readLastUses(sql, tables, ids),
    /** Returns the ids of the keys that were used last, at most so many. */
    lastUsed: store.lastUsed,

    /** Writes everything counted before the call to the database. Runs by itself each second. */
    flush: flusher.flush,
    /** Since when (epoch ms) counts cannot be written, or rolled up; null while they can. */
    failingSince: () => ({ writing: writing.since(), rollingUp: rollingUp.since() }),

    /** Rolls final minutes up into hours and days. Runs by itself. */
    rollUp: rollupJob.run,

    start() {
      flusher.start()
      rollupJob.start()
    },
    /**
     * Writes the remaining counts. Where the database does not answer the files stay, and the next start adopts them.
     */
    async stop() {
      await rollupJob.stop()
      if (await flusher.stop()) await giveUpFiles()
      lock.release()
    },
  }

  async function giveUpFiles(): Promise<void> {
    if (files.count() === 0) return
    try {
      // Calls that were under way to the last are errors, as those of a process that was killed.
      const open = files.openSlots()
      if (open.length > 0) await store.write(files.writer, open.map(settledByEnd))
      await store.close(files.writer, null)
      files.removeAll()
    } catch (error) {
      log.warn('the files of usage stay until the next start', { error })
    }
  }
}

/** Whether counts are written, also as a metric. */
function createWriting(metrics: Metrics, tables: CountedTables, now: () => number): FailingSince {
  const failures = metrics.counter(
    `${tables}_flush_failures_total`,
    'Counts could not be written to the database',
  )
  const state = createFailingSince(now)
  return {
    ...state,
    failed() {
      failures.add()
      state.failed()
    },
  }
}

const filesIn = (folder: string, log: Log): CounterFiles =>
  createCounterFiles({
    folder,
    writer: randomId('writer'),
    maxFiles,
    refused: (error) => log.error('calls cannot be counted: there is no room for their counts', { error }),
    now: systemClock.monotonic,
  })

const statisticsFrom = (sources: Sources, attempts: AttemptWriter) => ({
  ...createAccountStatistics(sources),
  ...createConsoleStatistics(sources),
  ...createSplitStatistics(sources, attempts),
  ...createGroupedStatistics(sources, attempts),
})
