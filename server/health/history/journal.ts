import { randomId } from '../../platform/ids.ts'
import type { Log } from '../../platform/log.ts'
import type { Recorder } from './recorder.ts'
import type { HistoryBatch, HistoryStore, SavedHealth } from './store.ts'
import type { Transition } from './transition.ts'

/**
 * Carries decisions and their history to the database behind the back of every request: what cannot be stored now
 * waits in memory and is sent again, unchanged and under the same id, until it is stored.
 */
export interface Journal {
  /** Stored within milliseconds, so that a killed server has lost none that a caller saw. */
  transition(transition: Transition, health: SavedHealth): void
  /** Stored with the next regular flush. */
  refresh(health: SavedHealth): void
  forget(serviceId: string): void
  /** How many changes wait for the database. */
  readonly waiting: number
  flush(): Promise<void>
  start(): void
  /** Flushes a last time. */
  stop(): Promise<void>
}

interface JournalOptions {
  store: HistoryStore
  recorder: Recorder
  log: Log
  refreshEveryMs: number
  rollupEveryMs: number
}

/** Transitions beyond this are dropped, oldest first, while the database is away: about a day of wild flapping. */
const waitingLimit = 100_000
const retryMs = 1_000

export function createJournal({
  store,
  recorder,
  log,
  refreshEveryMs,
  rollupEveryMs,
}: JournalOptions): Journal {
  let transitions: Transition[] = []
  let healths = new Map<string, SavedHealth>()
  let unsent: HistoryBatch | null = null
  let flushing: Promise<void> | null = null
  let isUrgent = false
  let isStoring = true
  let retry: Timer | undefined
  const timers: Timer[] = []

  function nextBatch(withRollups: boolean): HistoryBatch {
    const batch: HistoryBatch = {
      id: randomId('batch'),
      healths: [...healths.values()],
      transitions,
      rollups: withRollups ? recorder.take() : [],
    }
    healths = new Map()
    transitions = []
    return batch
  }

  async function send(withRollups: boolean): Promise<void> {
    unsent ??= nextBatch(withRollups)
    if (unsent.healths.length + unsent.transitions.length + unsent.rollups.length > 0)
      await store.save(unsent)
    unsent = null
  }

  /** A failed batch is sent again, unchanged. */
  async function sendOrRetry(withRollups: boolean): Promise<void> {
    try {
      await send(withRollups)
      if (!isStoring) log.info('history is stored again')
      isStoring = true
    } catch (error) {
      if (isStoring) log.warn('history waits in memory: the database does not answer', { error })
      isStoring = false
      retry = setTimeout(hurry, retryMs)
    }
  }

  /** One flush at a time. */
  function flush(withRollups: boolean): Promise<void> {
    flushing ??= sendOrRetry(withRollups).finally(() => {
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
      await flush(false)
    })
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
    forget(serviceId) {
      healths.delete(serviceId)
      transitions = transitions.filter((transition) => transition.serviceId !== serviceId)
    },
    get waiting() {
      return transitions.length + (unsent?.transitions.length ?? 0)
    },
    flush: () => flush(true),
    start() {
      timers.push(setInterval(() => void flush(false), refreshEveryMs))
      timers.push(setInterval(() => void flush(true), rollupEveryMs))
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await flushing
      if (unsent !== null) await flush(false)
      await flush(true)
      clearTimeout(retry)
    },
  }
}
