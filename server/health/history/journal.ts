import { isFault } from '../../platform/fault.ts'
import { randomId } from '../../platform/ids.ts'
import { LeaseLost } from '../../platform/leases/lease-store.ts'
import type { Log } from '../../platform/log.ts'
import { nextTurn } from '../../platform/turns.ts'
import { historyBatchSize, halveBatch, withoutService } from './divide-batch.ts'
import type { Recorder } from './recorder.ts'
import type { HistoryBatch, HistoryStore, SavedHealth } from './store.ts'
import type { Transition } from './transition.ts'
import { createUnsavedHealths } from './unsaved-healths.ts'

/**
 * Carries decisions and their history to the database behind the back of every request: what cannot be stored now
 * waits in memory and is sent again, unchanged and under the same id, until it is stored.
 */
export interface Journal {
  /** Stores a transition within milliseconds: a killed server loses what it decided in the last few of them. */
  transition(transition: Transition, health: SavedHealth): void
  /** Stores a health with a regular flush, once it differs or the stored one no longer suffices for a restart. */
  refresh(health: SavedHealth): void
  /** Discards what waits for a service. Nothing about it is stored after this has resolved. */
  forget(serviceId: string): Promise<void>
  /** Discards everything that waits, because another process writes history by now. */
  abandon(): void
  /** Stores everything that waits, unless the database does not answer. */
  flush(): Promise<void>
  start(): void
  /** Stops the timers and flushes a last time. */
  stop(): Promise<void>
}

interface JournalOptions {
  store: Pick<HistoryStore, 'save'>
  recorder: Pick<Recorder, 'take'>
  now: () => number
  log: Log
  refreshEveryMs: number
  rollupEveryMs: number
  retryMs?: number
  /** Is called with the number of transitions that were dropped. */
  lost: (rows: number) => void
}

/** Transitions beyond this are dropped, oldest first, while the database is away: about a day of wild flapping. */
const waitingLimit = 100_000

const everything = { refreshes: true, rollups: true } as const

export function createJournal(options: JournalOptions): Journal {
  const { recorder, now, log, refreshEveryMs, rollupEveryMs, lost, retryMs = 1_000 } = options
  let transitions: Transition[] = []
  const healths = createUnsavedHealths(now)
  let unsent: HistoryBatch | null = null
  let isDue = { refreshes: false, rollups: false }
  let flushing: Promise<void> | null = null
  let isUrgent = false
  let isStopped = false
  let isStoring = true
  let retry: Timer | undefined
  const timers: Timer[] = []

  async function nextBatch(): Promise<HistoryBatch> {
    const refreshes = isStopped ? 'everything' : 'refreshes'
    const parts = healths.take(isDue.refreshes ? refreshes : 'changes')
    const taken = { transitions, rollups: isDue.rollups ? recorder.take() : [] }
    transitions = []
    isDue = { refreshes: false, rollups: false }
    /** The newest health of each service: one may be both changed and refreshed, and a statement cannot store a row twice. */
    const newest = new Map<string, SavedHealth>()
    for (const part of parts) {
      for (const health of part) newest.set(health.serviceId, health)
      await nextTurn()
    }
    return { id: randomId('batch'), healths: [...newest.values()], ...taken }
  }

  /** Saves what is left from a failed attempt, then what was added since. */
  async function saveAll(): Promise<void> {
    if (unsent !== null) await saveDivided(options, unsent)
    unsent = await nextBatch()
    await saveDivided(options, unsent)
    unsent = null
  }

  async function saveOrRetry(): Promise<void> {
    try {
      await saveAll()
      if (!isStoring) log.info('history is stored again')
      isStoring = true
    } catch (error) {
      if (error instanceof LeaseLost) {
        unsent = null // it is another process's to store
        return
      }
      if (isStoring) log.warn('history waits in memory: the database does not answer', { error })
      isStoring = false
      clearTimeout(retry)
      if (!isStopped) retry = setTimeout(hurry, retryMs)
    }
  }

  /** Runs one flush at a time. What is added during a flush is stored by the next one. */
  function flush({ refreshes = false, rollups = false }): Promise<void> {
    isDue = { refreshes: isDue.refreshes || refreshes, rollups: isDue.rollups || rollups }
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
      if (!isStopped) await flush({})
    })
  }

  function abandon(): void {
    transitions = []
    unsent = null
    healths.clear()
    recorder.take()
  }

  function drop(serviceId: string): void {
    healths.forget(serviceId)
    transitions = transitions.filter((transition) => transition.serviceId !== serviceId)
    if (flushing === null && unsent !== null) unsent = withoutService(unsent, serviceId)
  }

  return {
    transition(transition, health) {
      transitions.push(transition)
      if (transitions.length > waitingLimit) {
        transitions.shift()
        lost(1)
      }
      healths.change(health)
      hurry()
    },
    refresh: healths.refresh,
    async forget(serviceId) {
      drop(serviceId)
      await flushing
      drop(serviceId)
    },
    abandon,
    flush: () => flush(everything),
    start() {
      timers.push(setInterval(() => void flush({ refreshes: true }), refreshEveryMs))
      timers.push(setInterval(() => void flush(everything), rollupEveryMs))
    },
    async stop() {
      isStopped = true
      for (const timer of timers) clearInterval(timer)
      clearTimeout(retry)
      await flushing
      await flush(everything)
    },
  }
}

/** Saves a batch. One that the database itself refuses is divided until the row is found, which must not hold up the others. */
async function saveDivided(to: Pick<JournalOptions, 'store' | 'log'>, batch: HistoryBatch): Promise<void> {
  if (historyBatchSize(batch) === 0) return
  try {
    await to.store.save(batch)
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    if (isFault(error, 'unavailable')) throw error
    const halves = halveBatch(batch)
    if (halves === null) to.log.error('a row of history is dropped: the database refuses it', { error })
    for (const half of halves ?? []) await saveDivided(to, half)
  }
}
