import { Fault } from '../../platform/fault.ts'
import { randomId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import { batchSize, halveBatch, withoutService } from './divide-batch.ts'
import type { Recorder } from './recorder.ts'
import type { HistoryBatch, HistoryStore, SavedHealth } from './store.ts'
import type { Transition } from './transition.ts'

/**
 * Carries decisions and their history to the database behind the back of every request: what cannot be stored now
 * waits in memory and is sent again, unchanged and under the same id, until it is stored.
 */
export interface Journal {
  /** Stored within milliseconds: a killed server loses what it decided in the last few of them. */
  transition(transition: Transition, health: SavedHealth): void
  /** Stored with the next regular flush. */
  refresh(health: SavedHealth): void
  /** Nothing about the service is stored after this has resolved. */
  forget(serviceId: string): Promise<void>
  /** Stores everything there is, unless the database does not answer. */
  flush(): Promise<void>
  start(): void
  /** Flushes a last time. */
  stop(): Promise<void>
}

interface JournalOptions {
  store: Pick<HistoryStore, 'save'>
  recorder: Pick<Recorder, 'take'>
  log: Log
  refreshEveryMs: number
  rollupEveryMs: number
  retryMs?: number
}

/** Transitions beyond this are dropped, oldest first, while the database is away: about a day of wild flapping. */
const waitingLimit = 100_000

export function createJournal(options: JournalOptions): Journal {
  const { store, recorder, log, refreshEveryMs, rollupEveryMs, retryMs = 1_000 } = options
  let transitions: Transition[] = []
  let healths = new Map<string, SavedHealth>()
  let unsent: HistoryBatch | null = null
  let areRollupsDue = false
  let flushing: Promise<void> | null = null
  let isUrgent = false
  let isStopped = false
  let isStoring = true
  let retry: Timer | undefined
  const timers: Timer[] = []

  function nextBatch(): HistoryBatch {
    const batch: HistoryBatch = {
      id: randomId('batch'),
      healths: [...healths.values()],
      transitions,
      rollups: areRollupsDue ? recorder.take() : [],
    }
    healths = new Map()
    transitions = []
    areRollupsDue = false
    return batch
  }

  /** A batch that the database itself refuses is divided until the row is found, which must not hold up the others. */
  async function save(batch: HistoryBatch): Promise<void> {
    if (batchSize(batch) === 0) return
    try {
      await store.save(batch)
    } catch (error) {
      if (error instanceof Fault && error.code === 'unavailable') throw error
      const halves = halveBatch(batch)
      if (halves === null) log.error('a row of history is dropped: the database refuses it', { error })
      for (const half of halves ?? []) await save(half)
    }
  }

  /** What waits from a failed attempt, then what has come since. */
  async function saveAll(): Promise<void> {
    if (unsent !== null) await save(unsent)
    unsent = nextBatch()
    await save(unsent)
    unsent = null
  }

  async function saveOrRetry(): Promise<void> {
    try {
      await saveAll()
      if (!isStoring) log.info('history is stored again')
      isStoring = true
    } catch (error) {
      if (isStoring) log.warn('history waits in memory: the database does not answer', { error })
      isStoring = false
      clearTimeout(retry)
      if (!isStopped) retry = setTimeout(hurry, retryMs)
    }
  }

  /** One flush at a time. Rollups that one under way has left behind go with the next. */
  function flush(withRollups: boolean): Promise<void> {
    areRollupsDue ||= withRollups
    flushing ??= saveOrRetry().finally(() => {
      flushing = null
    })
    return flushing
  }

  function hurry(): void {
    if (isUrgent) return
    isUrgent = true
    setImmediate(async () => {
      await flushing
      isUrgent = false
      if (!isStopped) await flush(false)
    })
  }

  function drop(serviceId: string): void {
    healths.delete(serviceId)
    transitions = transitions.filter((transition) => transition.serviceId !== serviceId)
    if (flushing === null && unsent !== null) unsent = withoutService(unsent, serviceId)
  }

  return {
    transition(transition, health) {
      transitions.push(transition)
      if (transitions.length > waitingLimit) transitions.splice(0, transitions.length - waitingLimit)
      healths.set(health.serviceId, health)
      hurry()
    },
    refresh(health) {
      healths.set(health.serviceId, health)
    },
    async forget(serviceId) {
      drop(serviceId)
      await flushing
      drop(serviceId)
    },
    flush: () => flush(true),
    start() {
      timers.push(setInterval(() => void flush(false), refreshEveryMs))
      timers.push(setInterval(() => void flush(true), rollupEveryMs))
    },
    async stop() {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      clearTimeout(retry)
      await flushing
      await flush(true)
    },
  }
}
