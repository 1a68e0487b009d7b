import { systemClock } from '../clock.ts'
import { type Fault, fault } from '../fault.ts'
import type { Log } from '../log.ts'
import type { DatabaseAddress, ServerPlace } from './connection-address.ts'
import { isOfConnectionLimit, isOfPooler, isOfReadOnlyServer, isUnavailable } from './connection-loss.ts'
import { dataException } from './data-exception.ts'
import { Generation, type Sql, type TransactionSql } from './connections.ts'
import { DeadlinePassed, withinDeadline } from '../deadline.ts'
import { runTransaction } from './transaction.ts'

export interface RecyclingPoolOptions {
  address: DatabaseAddress
  /** The server of the address that was found to answer. */
  place: ServerPlace
  maxConnections: number
  log: Log
}

type Subscriber = (payload: string) => void

/** A time without the server. */
interface Outage {
  beganAt: number
  /** Resolves when the server is back, or the pool is closed. */
  over: Promise<void>
}

/** Within this, the control connection answers, or the server counts as away. */
const pulseDeadlineMs = 3000
/** Finds a connection that died without a word: TCP alone takes many minutes. */
const pulseIntervalMs = 10_000
/** A restart takes well under this, and callers do not notice it. A longer outage is told to them at once. */
const unnoticedOutageMs = 1000
const firstRetryMs = 50
const longestRetryMs = 1000
const closingPatienceMs = 5000
/** The least that GATEHOUSE_DATABASE_POOL may be, too: a statement that takes long must not keep all others waiting. */
const leastConnections = 2
const retryAfterSec = 2

const unavailable = (detail: unknown): Fault =>
  fault('unavailable', 'The database does not answer; try again shortly', { detail, retryAfterSec })

/** Connections to PostgreSQL that outlive the server's restarts, and follow it to the next one of its address. */
export class RecyclingPool {
  readonly #options: RecyclingPoolOptions
  readonly #subscribers = new Map<string, Set<Subscriber>>()
  readonly #resumeCallbacks = new Set<() => void>()
  readonly #pulse: Timer
  #address: DatabaseAddress
  #maxConnections: number
  #place: ServerPlace
  #generation: Generation
  #outage: Outage | null = null
  #pulseUnderWay: Promise<void> | null = null
  readonly #underWay = new Set<Promise<void>>()
  #isClosed = false

  constructor(options: RecyclingPoolOptions) {
    this.#options = options
    this.#address = options.address
    this.#maxConnections = options.maxConnections
    this.#place = options.place
    this.#generation = this.#openGeneration(this.#place)
    this.#pulse = setInterval(() => void this.#feelPulse(), pulseIntervalMs)
    this.#pulse.unref()
  }

  get sql(): Sql {
    return this.#generation.pool
  }

  /**
   * @throws Fault `unavailable` when the server is away or `deadlineMs` is over; it may have done the work.
   * @throws Fault `invalid_request` for a value that cannot be stored.
   */
  run<T>(work: (sql: Sql) => Promise<T>, deadlineMs: number): Promise<T> {
    return this.#perform((generation) => work(generation.pool), deadlineMs)
  }

  /** Does the same as `run`; a transaction whose deadline has passed is rolled back, unless it was already committing. */
  transaction<T>(work: (sql: TransactionSql) => Promise<T>, deadlineMs: number): Promise<T> {
    return this.#perform((generation) => runTransaction(generation, work, deadlineMs), deadlineMs)
  }

  async #perform<T>(work: (generation: Generation) => Promise<T>, deadlineMs: number): Promise<T> {
    if (this.#isClosed) throw unavailable('the connections were closed')
    const outcome = this.#performWhenUp(work, deadlineMs)
    this.#track(outcome)
    try {
      return await withinDeadline(outcome, deadlineMs)
    } catch (error) {
      if (error instanceof DeadlinePassed || isOfReadOnlyServer(error)) void this.#feelPulse()
      if (isOfPooler(error)) this.#noteSeenPooler(error)
      if (error instanceof DeadlinePassed || isUnavailable(error)) throw unavailable(error)
      throw this.#refusedValue(error) ?? error
    }
  }

  /** A pooler that was not recognised at the start: from now on nothing is expected of a connection. */
  #noteSeenPooler(error: unknown): void {
    if (this.#address.isPooled === true) return
    this.#options.log.warn('a pooler stands before the database; add ?pooler=true to its address', { error })
    this.#address = { ...this.#address, isPooled: true }
    void this.#recycle('statements cannot be prepared')
  }

  /** Logged as something to mend: the schema of an input let a value through that no column holds. */
  #refusedValue(error: unknown): Fault | null {
    const refused = dataException(error)
    if (refused !== null) this.#options.log.error('a schema let through what cannot be stored', { error })
    return refused
  }

  async #performWhenUp<T>(work: (generation: Generation) => Promise<T>, deadlineMs: number): Promise<T> {
    // No longer than the deadline: what the caller was refused must not be done afterwards.
    await this.#rideOutShortOutage(deadlineMs)
    const generation = this.#generation
    try {
      return await work(generation)
    } catch (error) {
      if (isOfConnectionLimit(error)) this.#noteConnectionLimit(generation, error)
      throw error
    }
  }

  /**
   * The next generation does with half as many connections: one that was refused a connection has lost it, and is replaced.
   * They stay fewer until the process ends, because whoever has the others is not expected to give them back.
   */
  #noteConnectionLimit(generation: Generation, error: unknown): void {
    const half = Math.max(leastConnections, Math.floor(generation.maxConnections / 2))
    if (half >= this.#maxConnections) return
    this.#maxConnections = half
    this.#options.log.warn(
      `the database refuses further connections: ${half} serve until the next start; lower GATEHOUSE_DATABASE_POOL, or have it allow more`,
      { error },
    )
  }

  #track(outcome: Promise<unknown>): void {
    const settled = outcome.then(
      () => undefined,
      () => undefined,
    )
    this.#underWay.add(settled)
    void settled.then(() => this.#underWay.delete(settled))
  }

  /** Resolves when the channel is being listened to. Restored after every outage, before the resume callbacks. */
  async listen(channel: string, onPayload: Subscriber): Promise<void> {
    const subscribers = this.#subscribers.get(channel) ?? new Set()
    this.#subscribers.set(channel, subscribers.add(onPayload))
    await this.#outage?.over
    try {
      await this.#generation.subscribe(channel)
    } catch (error) {
      if (this.#isClosed || !isUnavailable(error)) throw error
      await this.#recycle(error)
    }
  }

  onResume(callback: () => void): void {
    this.#resumeCallbacks.add(callback)
  }

  async isReachable(deadlineMs: number): Promise<boolean> {
    if (this.#isClosed || this.#outage !== null) return false
    return succeedsWithin(this.#generation.askWhetherAlive(), deadlineMs)
  }

  /** How many statements and transactions are under way or wait, and whether the server is away. */
  load(): { readonly underWay: number; readonly isAway: boolean } {
    return { underWay: this.#underWay.size, isAway: this.#outage !== null }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#pulse)
    await succeedsWithin(Promise.all(this.#underWay), closingPatienceMs)
    await Promise.all([this.#generation.retire(), this.#outage?.over])
  }

  #openGeneration(place: ServerPlace): Generation {
    return new Generation({
      address: this.#address,
      place,
      maxConnections: this.#maxConnections,
      onNotification: (channel, payload) => this.#notify(channel, payload),
      onLost: (generation) => {
        if (generation === this.#generation) void this.#recycle('a connection was closed')
      },
    })
  }

  /** @throws DeadlinePassed at once in an outage that has lasted. */
  async #rideOutShortOutage(deadlineMs: number): Promise<void> {
    if (this.#outage === null) return
    const leftMs = this.#outage.beganAt + unnoticedOutageMs - systemClock.monotonic()
    await withinDeadline(this.#outage.over, Math.min(deadlineMs, Math.max(0, leftMs)))
  }

  /** Replaces the connections when the server does not answer on the control connection. */
  #feelPulse(): Promise<void> {
    this.#pulseUnderWay ??= this.#checkGeneration().finally(() => {
      this.#pulseUnderWay = null
    })
    return this.#pulseUnderWay
  }

  async #checkGeneration(): Promise<void> {
    const generation = this.#generation
    if (
      this.#isClosed ||
      this.#outage !== null ||
      (await succeedsWithin(generation.askWhetherAlive(), pulseDeadlineMs))
    )
      return
    if (generation === this.#generation) void this.#recycle('the server does not answer, or can only be read')
  }

  /** Begins an outage, or joins the one that is on; resolves when it is over. */
  #recycle(reason: unknown): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    if (this.#outage !== null) return this.#outage.over
    this.#options.log.warn('the database is away', { reason })
    const beganAt = systemClock.monotonic()
    const over = this.#replaceGeneration(beganAt)
    this.#outage = { beganAt, over }
    return over
  }

  async #replaceGeneration(beganAt: number): Promise<void> {
    void this.#generation.retire()
    const next = await this.#reconnect()
    this.#outage = null
    if (next === null) return
    this.#generation = next
    this.#options.log.info('the database is back', {
      outageMs: Math.round(systemClock.monotonic() - beganAt),
    })
    for (const callback of this.#resumeCallbacks) this.#guarded(callback)
  }

  /**
   * New connections with all subscriptions in place, to the server as before or to the next of the address that can be
   * written to; null when the pool was closed meanwhile.
   */
  async #reconnect(): Promise<Generation | null> {
    for (let retryMs = firstRetryMs; !this.#isClosed; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
      const candidate = this.#openGeneration(this.#place)
      const isListening = await succeedsWithin(this.#subscribeToAll(candidate), pulseDeadlineMs)
      // What was refused to the lost generation may be known only now.
      const isSmallEnough = candidate.maxConnections <= this.#maxConnections
      if (isListening && isSmallEnough && !candidate.isLost && !this.#isClosed) return candidate
      void candidate.retire()
      this.#place = nextPlace(this.#address, this.#place)
      await Bun.sleep(retryMs)
    }
    return null
  }

  async #subscribeToAll(generation: Generation): Promise<void> {
    await generation.askWhetherAlive()
    for (const channel of this.#subscribers.keys()) await generation.subscribe(channel)
  }

  #notify(channel: string, payload: string): void {
    for (const subscriber of this.#subscribers.get(channel) ?? []) this.#guarded(() => subscriber(payload))
  }

  /** One subscriber's mistake must not keep the others from being told. */
  #guarded(callback: () => void): void {
    try {
      callback()
    } catch (error) {
      this.#options.log.error('a subscriber of the database failed', { error })
    }
  }
}

function nextPlace({ servers }: DatabaseAddress, place: ServerPlace): ServerPlace {
  return servers[(servers.indexOf(place) + 1) % servers.length] ?? place
}

/** Returns whether `work` succeeds in time. */
const succeedsWithin = (work: Promise<unknown>, deadlineMs: number): Promise<boolean> =>
  withinDeadline(work, deadlineMs).then(
    () => true,
    () => false,
  )
