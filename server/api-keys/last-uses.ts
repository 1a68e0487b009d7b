import type { Log } from '../platform/log.ts'
import { createPeriodicJob } from '../platform/periodic-job.ts'
import type { ApiKey } from './api-key.ts'
import type { ApiKeyStore } from './store.ts'
import { minuteMs } from '../../shared/durations.ts'

/** When keys were used last, to the minute: noted in memory, written behind. */
export interface ApiKeyUses {
  /** `now` in epoch ms. */
  note(key: ApiKey, now: number): void
  /** What is not written yet; null when the database has it. */
  unwritten(id: string): number | null
  start(): void
  /** Writes what is left. */
  stop(): Promise<void>
}

const flushMs = 10_000
const batchSize = 5_000

export function createApiKeyUses(store: ApiKeyStore, log: Log): ApiKeyUses {
  const waiting = new Map<string, number>()

  /** What could not be written waits for the next time. */
  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      const uses = [...waiting.entries().take(batchSize)].map(([id, at]) => ({ id, at }))
      await store.keepLastUses(uses)
      for (const { id, at } of uses) if (waiting.get(id) === at) waiting.delete(id)
    }
  }

  const onFailed = (error: unknown) => log.warn('the last uses of API keys could not be written', { error })
  const flushing = createPeriodicJob(flushMs, flush, onFailed)

  return {
    note(key, now) {
      const minute = now - (now % minuteMs)
      if (key.lastUsedAt !== null && key.lastUsedAt >= minute) return
      key.lastUsedAt = minute
      waiting.set(key.id, minute)
    },
    unwritten: (id) => waiting.get(id) ?? null,
    start: flushing.start,
    async stop() {
      await flushing.stop()
      await flush().catch(onFailed)
    },
  }
}
