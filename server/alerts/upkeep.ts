import { minuteMs, secondMs } from '../../shared/durations.ts'
import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type PeriodicJob, createPeriodicJob } from '../platform/periodic-job.ts'
import type { AlertStore } from './alert-store.ts'
import { observeOutbox } from './metrics.ts'
import type { OutboxStore } from './outbox/outbox-store.ts'

interface UpkeepOptions {
  readonly alerts: Pick<AlertStore, 'dropOld'>
  readonly outbox: Pick<OutboxStore, 'dropOld' | 'length'>
  readonly metrics: Metrics
  /** Whether this process deletes; one is enough for all. */
  readonly isDue: () => boolean
  readonly now: () => number
  readonly log: Log
}

const countEveryMs = 10 * secondMs
const dropEveryMs = 10 * minuteMs

/** Counts what waits, for the metrics, and deletes what is older than 30 days. */
export function createUpkeep({ alerts, outbox, metrics, isDue, now, log }: UpkeepOptions): PeriodicJob {
  let length = { waiting: 0, dead: 0 }
  let dropAt = Number.NEGATIVE_INFINITY
  observeOutbox(metrics, () => length)

  async function work(): Promise<void> {
    length = await outbox.length()
    if (!isDue() || now() < dropAt) return
    dropAt = now() + dropEveryMs
    await alerts.dropOld(now())
    await outbox.dropOld(now())
  }

  return createPeriodicJob(countEveryMs, work, (error) =>
    log.debug('the outbox could not be looked after', { error }),
  )
}
