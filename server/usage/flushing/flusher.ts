import type { FailingSince } from '../../platform/failing-since.ts'
import type { Log } from '../../platform/log.ts'
import type { CounterFiles } from '../counting/counter-files.ts'
import type { KeySlots } from '../counting/key-slots.ts'
import type { Meter } from '../counting/meter.ts'
import type { UnwrittenSlots } from '../counting/unwritten-slots.ts'
import type { KeyLabels } from '../key-labels.ts'
import type { UsageStore } from '../store.ts'
import type { Orphans } from './orphans.ts'

/**
 * Writes counts from the mapped files to the database. Counts that cannot be written now stay in the files.
 */
export interface Flusher {
  /**
   * Writes everything counted before the call. Rejects with `unavailable` when the database does not answer.
   */
  flush(): Promise<void>
  /** Does the same for one account (null: for all), without waiting for the counts of others. */
  flushFor(accountId: string | null): Promise<void>
  start(): void
  /** Flushes a last time. Resolves to true when nothing is left in the files. */
  stop(): Promise<boolean>
}

export interface FlusherOptions {
  readonly files: CounterFiles
  readonly unwritten: UnwrittenSlots
  readonly meter: Pick<Meter, 'closeBefore'>
  readonly keySlots: Pick<KeySlots, 'forgetIdle'>
  readonly orphans: Orphans
  /** Writes what was sent upstream. */
  readonly writeAttempts: () => Promise<void>
  readonly store: UsageStore
  readonly labels: KeyLabels
  readonly log: Log
  /** Is told how each write ended: what was not written waits. */
  readonly outcome: Pick<FailingSince, 'failed' | 'worked'>
}

const flushEveryMs = 1_000
/**
 * Takes about 0.1 s of PostgreSQL's time, so that a query for statistics does not wait longer behind others.
 */
const rowsPerWrite = 5_000

export function createFlusher(options: FlusherOptions): Flusher {
  const { files, unwritten, meter, keySlots, orphans, store, labels, log, outcome } = options
  let timer: Timer | undefined
  let lastWrite: Promise<unknown> = Promise.resolve()
  let flushing: Promise<void> | null = null
  let adopting: Promise<void> | null = null
  let closedBefore = 0
  let isWriting = true

  /**
   * Runs one write at a time, so that nothing is between the queue and the database when the next one begins.
   */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = lastWrite.then(work)
    lastWrite = mine.catch(() => undefined)
    return mine
  }

  /** Writes some slots, and returns how many. */
  async function writeSome(accountId: string | null): Promise<number> {
    const slotIds = unwritten.take(rowsPerWrite, accountId)
    if (slotIds.length === 0) return 0
    const rows = slotIds.map((slotId) => ({ slotId, ...files.read(slotId) }))
    try {
      await store.write(files.writer, rows)
    } catch (error) {
      for (const { slotId, accountId: owner } of rows) unwritten.notWritten(slotId, owner)
      throw error
    }
    for (const row of rows) {
      unwritten.written(row.slotId, row.minute, row.accountId)
      labels.used(row)
    }
    return rows.length
  }

  async function writeAll(accountId: string | null): Promise<void> {
    // Not until nothing is left: while calls come in, there always is something.
    let left = unwritten.size()
    while (left > 0) {
      const written = await inTurn(() => writeSome(accountId))
      if (written < rowsPerWrite) return
      left -= written
    }
  }

  function adopt(): Promise<void> {
    adopting ??= orphans.adopt().finally(() => {
      adopting = null
    })
    return adopting
  }

  /** Closes minutes that are over, settled and written, and removes files that contain no other ones. */
  async function closeMinutes(): Promise<void> {
    const before = meter.closeBefore()
    if (before <= closedBefore || files.count() === 0) return
    await inTurn(() => store.close(files.writer, before))
    closedBefore = before
    files.removeBefore(before)
    keySlots.forgetIdle()
  }

  async function flushAll(): Promise<void> {
    await files.sync()
    await adopt()
    await writeAll(null)
    await closeMinutes()
    await options.writeAttempts()
    await labels.note()
  }

  function flush(): Promise<void> {
    flushing ??= flushAll().finally(() => {
      flushing = null
    })
    return flushing
  }

  async function flushRegularly(): Promise<boolean> {
    try {
      await flush()
      outcome.worked()
      if (!isWriting) log.info('usage is written again')
      isWriting = true
    } catch (error) {
      outcome.failed()
      if (isWriting) log.warn('usage waits in its files: it could not be written', { error })
      isWriting = false
    }
    return isWriting
  }

  return {
    async flush() {
      await flushing?.catch(() => undefined)
      await flush()
    },
    async flushFor(accountId) {
      await adopt()
      await writeAll(accountId)
    },
    start() {
      files.allocateAhead()
      timer = setInterval(() => {
        files.allocateAhead()
        void flushRegularly()
      }, flushEveryMs)
    },
    async stop() {
      clearInterval(timer)
      await flushing?.catch(() => undefined)
      return (await flushRegularly()) && unwritten.size() === 0 && orphans.count() === 0
    },
  }
}
