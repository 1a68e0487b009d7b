import { toolCallBounds } from '../../../shared/tool-calls.ts'
import { usageRetention } from '../../../shared/usage.ts'
import type { Database } from '../../platform/database.ts'
import type { Log } from '../../platform/log.ts'
import { type PeriodicJob, createPeriodicJob } from '../../platform/periodic-job.ts'
import { dayStart, dropPartitions } from '../../platform/postgres/partitions.ts'
import { type CountedTables, tableOf } from '../table-names.ts'
import { createRollupStore } from './store.ts'
import { dayMs } from '../../../shared/durations.ts'

/**
 * The period of the job: short enough that a query sums few minutes, long enough that each hour's row is written only
 * a dozen times.
 */
const runEveryMs = 300_000
/**
 * The period of ANALYZE. The numbers of keys and methods change slowly, and plans of queries over a year depend on
 * them.
 */
const analyzeEveryMs = dayMs
/**
 * A writer that was silent for so long will not return; what the database has of it is rolled up as it is.
 */
const lostAfterDays = 35
/** How long it is kept what became of what was sent: to upstreams, and to tool servers. */
const attemptDays = { usage: usageRetention.fivesDays, tool_usage: toolCallBounds.outcomeDays }
/**
 * Partitions of minutes are dropped after this time. By then they contain nothing but rows of processes that are away.
 */
const minutesDays = lostAfterDays + 2

/**
 * Creates the maintenance job that rolls minutes up into hours and days, and drops what is too old. Its `run` does
 * everything that is due, which is safe at any time and from several processes.
 */
export function createRollupJob(options: {
  database: Database
  tables?: CountedTables
  now: () => number
  log: Log
}): PeriodicJob {
  const { database, tables = 'usage', now, log } = options
  const store = createRollupStore(database, tables)
  let isStopped = false

  async function runAll(): Promise<void> {
    const today = dayStart(now())
    await store.closeLostWriters(today - lostAfterDays * dayMs)
    // A part at a time: the first run after a long outage has much to move.
    let isMore = true
    while (isMore) isMore = (await store.moveSome()) && !isStopped
    const dropped = [
      ...(await dropPartitions(database, tableOf(tables, 'minutes'), today - minutesDays * dayMs)),
      ...(await dropPartitions(database, tableOf(tables, 'fives'), today - usageRetention.fivesDays * dayMs)),
      ...(await dropPartitions(database, tableOf(tables, 'attempts'), today - attemptDays[tables] * dayMs)),
      ...(await dropPartitions(database, tableOf(tables, 'hours'), today - usageRetention.hoursDays * dayMs)),
      ...(await dropPartitions(
        database,
        tableOf(tables, 'days'),
        today - usageRetention.daysDays * dayMs,
        'month',
      )),
    ]
    if (dropped.length > 0) log.info('dropped old usage', { tables: dropped })
    if (!isStopped) await store.analyzeUnlessSince(now() - analyzeEveryMs)
  }

  const job = createPeriodicJob(runEveryMs, runAll, (error) =>
    log.warn('usage was not rolled up; it will be tried again', { error }),
  )

  return {
    ...job,
    stop() {
      isStopped = true
      return job.stop()
    },
  }
}
