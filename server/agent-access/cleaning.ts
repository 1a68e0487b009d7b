import type { Log } from '../platform/log.ts'
import type { Metrics } from '../platform/metrics.ts'
import { type PeriodicJob, createPeriodicJob } from '../platform/periodic-job.ts'
import type { GrantStore } from './grant-store.ts'

const intervalMs = 3_600_000

/** Removes each hour what is over, and counts the living grants for the metrics. */
export function createAgentCleaning(store: GrantStore, metrics: Metrics, log: Log): PeriodicJob {
  let living = 0
  metrics.observedGauge('agent_grants', 'Living grants of agents, counted once an hour', () => living)

  async function clean(): Promise<void> {
    await store.clean()
    living = await store.count()
  }

  const onFailed = (error: unknown): void => log.warn('agents were not cleaned up', { error })
  const job = createPeriodicJob(intervalMs, clean, onFailed)
  return {
    ...job,
    start() {
      job.run().catch(onFailed)
      job.start()
    },
  }
}
