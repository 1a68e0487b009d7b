import { toolCallBounds } from '../../../shared/tool-calls.ts'
import { usageRetention } from '../../../shared/usage.ts'
import type { Database } from '../../platform/database.ts'
import type { FailingSince } from '../../platform/failing-since.ts'
import type { Log } from '../../platform/log.ts'
import { type PeriodicJob, createPeriodicJob } from '../../platform/periodic-job.ts'
import { type PartitionLength, dayStart, dropPartitions } from '../../platform/postgres/partitions.ts'
import { type CountedTables, type CountedUnit, tableOf } from '../table-names.ts'
import { beginningOf, type MinutesPlace } from './move-minutes.ts'
import { type Advance, createRollupStore, type RollupStep } from './store.ts'
import { dayMs, hourMs, minuteMs } from '../../../shared/durations.ts'

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

/** Of one transaction: about a second of PostgreSQL's time. */
const mostRowsOfPart = 50_000
const fewestRowsOfPart = 1_000
/** An hour is closed this long after its end. What comes later is added to it. */
const settlingMs = 5 * minuteMs

/**
 * Creates the maintenance job that rolls minutes up into hours and days, and drops what is too old. Its `run` does
 * everything that is due, which is safe at any time and from several processes.
 */
export function createRollupJob(options: {
  database: Database
  tables?: CountedTables
  now: () => number
  log: Log
  /** Is told how each run ended. */
  outcome?: Pick<FailingSince, 'failed' | 'worked'>
}): PeriodicJob {
  const { database, tables = 'usage', now, log, outcome } = options
  const store = createRollupStore(database, tables)
  let isStopped = false
  let limit = mostRowsOfPart

  async function advance(step: Omit<RollupStep, 'limit'>): Promise<Advance> {
    try {
      const advanced = await store.advance({ ...step, limit })
      limit = Math.min(mostRowsOfPart, limit * 2)
      return advanced
    } catch (error) {
      // Whatever made a part too much for its deadline, a smaller one gets through some time.
      limit = Math.max(fewestRowsOfPart, limit / 2)
      throw error
    }
  }

  /** Moves minutes that are final, and closes hours and days that are over, a part at a time. */
  async function rollUp(today: number): Promise<void> {
    const { hours: closedHours } = await store.closedBefore()
    const fivesSince = Math.min(today - usageRetention.fivesDays * dayMs, dayStart(closedHours))
    const days = await store.daysOfMinutes(fivesSince)
    const hoursUntil = hourStart(now() - settlingMs)
    let after = nextDay(days)
    for (;;) {
      const advanced = await advance({ after, fivesSince, hoursUntil })
      if (advanced.kind === 'finished' || isStopped) return
      if (advanced.kind === 'moved') after = advanced.next ?? nextDay(days)
    }
  }

  async function dropOld(today: number): Promise<void> {
    const { hours, days } = await store.closedBefore()
    const drop = async (what: CountedUnit | 'attempts', before: number, length?: PartitionLength) =>
      before === -Infinity ? [] : dropPartitions(database, tableOf(tables, what), before, length)
    const dropped = [
      ...(await drop('minutes', today - minutesDays * dayMs)),
      // Not what the next hours and days are still to be made from.
      ...(await drop('fives', Math.min(today - usageRetention.fivesDays * dayMs, dayStart(hours)))),
      ...(await drop('attempts', today - attemptDays[tables] * dayMs)),
      ...(await drop('hours', Math.min(today - usageRetention.hoursDays * dayMs, days))),
      ...(await drop('days', today - usageRetention.daysDays * dayMs, 'month')),
    ]
    if (dropped.length > 0) log.info('dropped old usage', { tables: dropped })
  }

  async function runAll(): Promise<void> {
    const today = dayStart(now())
    await store.closeLostWriters(today - lostAfterDays * dayMs)
    await rollUp(today)
    await dropOld(today)
    if (!isStopped) await store.analyzeUnlessSince(now() - analyzeEveryMs)
    outcome?.worked()
  }

  const job = createPeriodicJob(runEveryMs, runAll, (error) => {
    outcome?.failed()
    log.warn('usage was not rolled up; it will be tried again', { error })
  })

  return {
    ...job,
    stop() {
      isStopped = true
      return job.stop()
    },
  }
}

const hourStart = (at: number): number => Math.floor(at / hourMs) * hourMs

/** Takes the next of the days; null after the last. */
function nextDay(days: number[]): MinutesPlace | null {
  const day = days.shift()
  return day === undefined ? null : beginningOf(day)
}
