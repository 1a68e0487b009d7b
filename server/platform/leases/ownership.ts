/**
 * Ownership of work that one process does for all: a lease in the database, taken and renewed every second for three.
 *
 * `lease-store.ts` claims it in one statement by the clock of the database, and refuses what is written under an older epoch
 * (`requireLease`). `lease-state.ts` is pure: what the answers say, what to do next, and whether this process may act now.
 *
 * Failure: a process that dies or stands still loses the lease within 3 s, and the next takes it within another half. One whose
 * wall clock is more than 5 s from that of the database gives it up, and takes it only when nobody else does for 10 s. While the
 * database is away whoever has the lease goes on, because nobody can take it from there; when it is back, processes that still
 * hear from the owner leave it 3 s to renew, so that an outage moves nothing. What the loser of a lease still writes is rolled
 * back, and what it still says has a lower epoch.
 */
import type { Clock } from '../clock.ts'
import type { Database } from '../database.ts'
import type { DatabaseClock } from '../database-clock.ts'
import { Fault } from '../fault.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { createSerialRuns } from '../serial-runs.ts'
import {
  type LeaseState,
  afterClaim,
  afterFailure,
  afterNews,
  afterRead,
  afterRelease,
  decidingEpoch,
  epochOf,
  nextLeaseStep,
  nextLeaseStepMs,
  unknownLease,
} from './lease-state.ts'
import { type HeldLease, type LeaseName, LeaseLost, createLeaseStore, requireLease } from './lease-store.ts'

export interface Ownership {
  /** Returns the epoch under which this process owns the work now; null where it does not. */
  epoch(): number | null
  /** Returns who owns it as far as is known; null where nobody is known to. */
  owner(): HeldLease | null
  /** Takes the word of another process for who owns it now. Returns false where that is out of date. */
  learn(held: HeldLease): boolean
  /** As that of the database, but rolled back with `LeaseLost` unless the work is still this process's, under the epoch of its begin. */
  readonly transaction: Database['transaction']
  /** Calls back when this process has become the owner, and when it is no longer. Before `start`. */
  onChange(listener: OwnershipListener): void
  /** Claims it for the first time, and resolves when it is known who owns it, or that the database is away. */
  start(): Promise<void>
  /** Gives it up, so that another process takes over at once. */
  stop(): Promise<void>
}

interface OwnershipListener {
  gained(): Promise<void>
  lost(): Promise<void>
}

/** Ownership where there can be no other process: it costs nothing. */
export function createSoleOwnership({ transaction }: Pick<Database, 'transaction'>): Ownership {
  const listeners: OwnershipListener[] = []
  return {
    epoch: () => 0,
    owner: () => null,
    learn: () => true,
    transaction,
    onChange: (listener) => void listeners.push(listener),
    async start() {
      for (const { gained } of listeners) await gained()
    },
    stop: () => Promise.resolve(),
  }
}

export interface OwnershipOptions {
  readonly database: Database
  readonly lease: LeaseName
  /** The id of this process. */
  readonly nodeId: string
  readonly clock: Clock
  /** Is told what the database says the time is. */
  readonly databaseClock: Pick<DatabaseClock, 'follow' | 'isWallClockWrong'>
  readonly log: Log
  readonly metrics: Metrics
}

export function createOwnership(options: OwnershipOptions): Ownership {
  const { database, lease, nodeId, log, metrics } = options
  const follower = createLeaseFollower(options)
  const { epoch } = follower
  const listeners: OwnershipListener[] = []
  /** The epoch for which listeners have begun, and whether all of them have. */
  let begun: { readonly epoch: number; isWhole: boolean } | null = null
  let isStopped = false
  let timer: Timer | undefined
  let running: Promise<void> = Promise.resolve()

  /** The lease is renewed while listeners do what they have to: to take over may take longer than it lasts. */
  const { run: tell, settled } = createSerialRuns(async () => {
    const now = follower.heldEpoch()
    if (begun !== null && begun.epoch !== now) {
      log.info('another process decides from now on', { work: lease.name, epoch: begun.epoch })
      for (const { lost } of listeners) await lost()
      begun = null
    }
    if (now === null || begun?.isWhole === true) return
    log.info('this process decides from now on', { work: lease.name, epoch: now })
    const beginning = { epoch: now, isWhole: false }
    begun = beginning
    for (const { gained } of listeners) await gained()
    beginning.isWhole = true
  })

  function tellSoon(): void {
    tell().catch((error: unknown) => {
      log.error('work could not be taken over; it will be tried again', { work: lease.name, error })
    })
  }

  async function turn(): Promise<void> {
    try {
      await follower.step()
    } catch (error) {
      log.error('the lease could not be looked after; it will be tried again', { work: lease.name, error })
    }
    tellSoon()
    if (!isStopped) timer = setTimeout(begin, follower.nextStepMs())
  }

  function begin(): void {
    running = turn()
  }

  metrics.observedGauge(
    `${lease.name}_owned`,
    `Whether this process does the work of ${lease.name} for all processes: 1 or 0`,
    () => (epoch() === null ? 0 : 1),
  )

  return {
    epoch,
    owner: follower.owner,
    learn(held) {
      const isNews = follower.learn(held)
      if (begun !== null && follower.heldEpoch() === null) tellSoon()
      return isNews
    },
    async transaction(work, deadlineMs) {
      const mine = begun?.epoch
      if (mine === undefined) throw new LeaseLost('another process does this work')
      return await database.transaction(async (sql) => {
        const result = await work(sql)
        await requireLease(sql, lease, { holder: nodeId, epoch: mine })
        return result
      }, deadlineMs)
    },
    onChange: (listener) => void listeners.push(listener),
    async start() {
      begin()
      await running
      await settled()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
      clearTimeout(timer)
      await settled()
      await follower.release()
    },
  }
}

/** Follows the lease step by step. */
function createLeaseFollower(options: OwnershipOptions) {
  const { database, lease, nodeId, clock, databaseClock, log } = options
  const store = createLeaseStore(database)
  let state: LeaseState = unknownLease

  async function release(): Promise<void> {
    if (state.kind !== 'own') return
    const { epoch } = state
    state = afterRelease(epoch, clock.monotonic())
    await store.release(lease, { holder: nodeId, epoch }).catch((error: unknown) => {
      log.debug('the lease ends by itself', { error })
    })
  }

  async function look(step: 'claim' | 'read', isClockWrong: boolean): Promise<void> {
    const [sentAt, wallAt] = [clock.monotonic(), clock.now()]
    try {
      const epoch = state.kind === 'own' ? state.epoch : null
      const answer = await (step === 'claim'
        ? store.claim(lease, nodeId, epoch, epochOf(state))
        : store.read(lease))
      const receivedAt = clock.monotonic()
      if (answer) databaseClock.follow({ databaseTime: answer.databaseTime, sentAt, wallAt, receivedAt })
      state =
        step === 'claim'
          ? afterClaim(state, answer, { self: nodeId, sentAt, isClockWrong })
          : afterRead(state, answer, sentAt)
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'unavailable') throw error
      state = afterFailure(state, sentAt, clock.monotonic())
    }
  }

  return {
    epoch: (): number | null => decidingEpoch(state, clock.monotonic()),
    /** Returns the epoch of this process's lease, be it over or not, until it is known that another has taken it. */
    heldEpoch: (): number | null => (state.kind === 'own' ? state.epoch : null),
    owner: (): HeldLease | null =>
      state.kind === 'own' ? { holder: nodeId, epoch: state.epoch } : state.held,
    learn(held: HeldLease): boolean {
      state = afterNews(state, held, nodeId, clock.monotonic())
      return held.epoch >= epochOf(state)
    },
    async step(): Promise<void> {
      const isClockWrong = databaseClock.isWallClockWrong()
      const step = nextLeaseStep(state, isClockWrong, clock.monotonic())
      await (step === 'release' ? release() : look(step, isClockWrong))
    },
    nextStepMs: (): number => nextLeaseStepMs(state, clock.monotonic()),
    release,
  }
}
