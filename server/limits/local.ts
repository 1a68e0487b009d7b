import { minuteMs } from '../../shared/durations.ts'
import type { Limit, LimitName, LimitScope } from '../../shared/limits.ts'
import type { Clock } from '../platform/clock.ts'
import type { LimitDecision, Admitted, LimitedCall, LimitsUse } from './limit-decision.ts'
import { type Demand, admit, requireWhole, withReturned } from './admit.ts'
import type { WindowStorage } from './window/window-storage.ts'
import { type Window, giveBack, cellsFor, repair, take, used, windowOver } from './window/window.ts'

interface LocalLimitsOptions {
  readonly clock: Clock
  readonly storage: WindowStorage
  /** Called when a call was refused for want of storage, and none was within the minute before. */
  readonly onFull?: () => void
}

/** The limits of an installation of one process. */
interface LocalLimits {
  admit(call: LimitedCall): LimitDecision
  peek(keyId: string, rate: Limit | null, credits: Limit | null): LimitsUse
  /** Whether a call was refused for want of storage within the last minute. */
  isFull(): boolean
}

export function createLocalLimits({ clock, storage, onFull }: LocalLimitsOptions): LocalLimits {
  let lastFullAt = Number.NEGATIVE_INFINITY
  const isFull = (): boolean => clock.monotonic() - lastFullAt < minuteMs
  const windows = createKeyWindows(storage)
  // From 1: in a window a stamp of 0 is a unit that was never taken.
  const instantAt = (monotonicMs: number): number =>
    storage.originMicros + 1 + Math.floor(monotonicMs * 1_000)

  function admitCall(call: LimitedCall): LimitDecision {
    const admittedAt = clock.monotonic()
    const now = instantAt(admittedAt)
    const demands = demandsOf(call, windows, now)
    if (demands === null) {
      if (!isFull()) onFull?.()
      lastFullAt = admittedAt
      return { kind: 'unavailable', retryAfterMs: sweepEveryMs }
    }
    const decision = admit(demands, now)
    if (decision.kind !== 'admitted') return decision
    const { quotas, takenAt } = decision
    return new LocalAdmitted(quotas, admittedAt, demands, takenAt)
  }

  /** A class instead of closures, which would be created for each call. */
  class LocalAdmitted implements Admitted {
    readonly kind = 'admitted'
    quotas: Admitted['quotas']
    readonly admittedAt: number
    readonly #demands: readonly Demand[]
    readonly #takenAt: readonly number[]
    /** Credits that were returned of each demand. */
    readonly #returned: number[] = []

    constructor(
      quotas: Admitted['quotas'],
      admittedAt: number,
      demands: readonly Demand[],
      takenAt: readonly number[],
    ) {
      this.quotas = quotas
      this.admittedAt = admittedAt
      this.#demands = demands
      this.#takenAt = takenAt
    }

    giveBack(credits: number): void {
      requireWhole(credits)
      const units = this.#demands.map((demand, index) => this.#returnTo(demand, index, credits))
      this.quotas = withReturned(this.quotas, units)
    }

    /** Returns how many units were returned: together no more than the call took. */
    #returnTo({ ownerId, name, window, cost }: Demand, index: number, credits: number): number {
      if (name !== 'credits' || !windows.isCurrent(ownerId, 'credits', window)) return 0
      const before = this.#returned[index] ?? 0
      const returned = Math.min(credits, cost - before)
      this.#returned[index] = before + returned
      giveBack(window, returned, this.#takenAt[index] ?? 0, instantAt(clock.monotonic()))
      return returned
    }
  }

  function peek(keyId: string, rate: Limit | null, credits: Limit | null): LimitsUse {
    const now = instantAt(clock.monotonic())
    return {
      rateUsed: rate === null ? null : windows.usedIn(keyId, 'rate', rate, now),
      creditsUsed: credits === null ? null : windows.usedIn(keyId, 'credits', credits, now),
    }
  }

  return { admit: admitCall, peek, isFull }
}

/** Returns null when there is no storage for the window of a new key or account. */
function demandsOf(call: LimitedCall, windows: KeyWindows, now: number): Demand[] | null {
  const demands: Demand[] = []
  const { keyId, further } = call
  if (!addDemands(demands, keyId, 'key', call, call, windows, now)) return null
  if (further === undefined) return demands
  for (const limits of further)
    if (!addDemands(demands, limits.id, limits.scope, limits, call, windows, now)) return null
  return demands
}

/** Adds what a call demands of one owner's limits. Returns false when there is no storage. */
function addDemands(
  demands: Demand[],
  ownerId: string,
  scope: LimitScope,
  { rate, credits }: Pick<LimitedCall, 'rate' | 'credits'>,
  { calls, cost }: LimitedCall,
  windows: KeyWindows,
  now: number,
): boolean {
  if (rate !== null) {
    const window = windows.find(ownerId, 'rate', rate, now)
    if (window === null) return false
    demands.push({ ownerId, scope, name: 'rate', window, cost: calls })
  }
  if (credits !== null) {
    const window = windows.find(ownerId, 'credits', credits, now)
    if (window === null) return false
    demands.push({ ownerId, scope, name: 'credits', window, cost })
  }
  return true
}

/** The windows of all keys and accounts that were used lately, in bounded memory. */
interface KeyWindows {
  /**
   * Returns the window of a limit, or null when all storage holds windows that still count: dropping one would open
   * its limit.
   */
  find(keyId: string, name: LimitName, limit: Limit, now: number): Window | null
  /** Returns the units in the window of a limit, without changing what counts. */
  usedIn(keyId: string, name: LimitName, limit: Limit, now: number): number
  /**
   * Returns true while a window that was found earlier is still in use; otherwise its cells may belong to another key.
   */
  isCurrent(keyId: string, name: LimitName, window: Window): boolean
  /** Returns the number of windows, including empty ones that were not swept yet. */
  size(): number
}

/** The shortest time between two sweeps for empty windows, which look at all windows and take a while. */
const sweepEveryMs = 1_000

interface StoredWindow {
  readonly limit: Limit
  readonly window: Window
}

function createKeyWindows(storage: WindowStorage): KeyWindows {
  const byName: Record<LimitName, Map<string, StoredWindow>> = { rate: new Map(), credits: new Map() }
  let nextSweepAt = 0

  function find(keyId: string, name: LimitName, limit: Limit, now: number): Window | null {
    const known = byName[name].get(keyId)
    if (known !== undefined) {
      if (isSame(known.limit, limit)) return known.window
      return replace(keyId, name, limit, known, now)
    }
    const own = allocate(keyId, name, limit) ?? allocateAfterSweep(keyId, name, limit, now)
    return own === null ? null : open(keyId, name, limit, own)
  }

  /**
   * Opens the window of a limit that was changed. With the same period it goes on with what was counted, as if that had
   * been taken now: otherwise whoever may change a limit could have all its units again at once.
   */
  function replace(
    keyId: string,
    name: LimitName,
    limit: Limit,
    before: StoredWindow,
    now: number,
  ): Window | null {
    const counted = countedFor(limit, before, now)
    drop(keyId, name, before)
    const own = allocate(keyId, name, limit) ?? allocateAfterSweep(keyId, name, limit, now)
    if (own === null) return null
    const window = open(keyId, name, limit, own)
    if (counted > 0) take(window, counted, now)
    return window
  }

  function open(keyId: string, name: LimitName, limit: Limit, own: Float64Array): Window {
    const window = windowOver(limit, own)
    repair(window)
    byName[name].set(keyId, { limit, window })
    return window
  }

  function usedIn(keyId: string, name: LimitName, limit: Limit, now: number): number {
    const known = byName[name].get(keyId)
    if (known !== undefined) return countedFor(limit, known, now)
    // An earlier process may have left lanes that still count something; empty ones are not kept for a look.
    const own = allocate(keyId, name, limit)
    if (own === null) return 0
    const window = open(keyId, name, limit, own)
    const units = used(window, now)
    if (units === 0) drop(keyId, name, { window })
    return units
  }

  const allocate = (keyId: string, name: LimitName, limit: Limit): Float64Array | null =>
    storage.allocate({ keyId, name, limit }, cellsFor(limit))

  function allocateAfterSweep(
    keyId: string,
    name: LimitName,
    limit: Limit,
    now: number,
  ): Float64Array | null {
    if (now < nextSweepAt) return null
    nextSweepAt = now + sweepEveryMs * 1_000
    sweep('rate', now)
    sweep('credits', now)
    return allocate(keyId, name, limit)
  }

  function sweep(name: LimitName, now: number): void {
    for (const [keyId, stored] of byName[name]) if (used(stored.window, now) === 0) drop(keyId, name, stored)
  }

  function drop(keyId: string, name: LimitName, { window }: Pick<StoredWindow, 'window'>): void {
    byName[name].delete(keyId)
    storage.release(window.cells)
  }

  return {
    find,
    usedIn,
    isCurrent: (keyId, name, window) => byName[name].get(keyId)?.window === window,
    size: () => byName.rate.size + byName.credits.size,
  }
}

/** Returns what a limit has of that which was counted for the one before it: with the same period, as much as it holds. */
const countedFor = (limit: Limit, before: StoredWindow, now: number): number =>
  before.limit.period === limit.period ? Math.min(used(before.window, now), limit.units) : 0

const isSame = (one: Limit, other: Limit): boolean =>
  one === other || (one.units === other.units && one.period === other.period)
