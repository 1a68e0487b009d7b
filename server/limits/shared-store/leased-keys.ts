import type { LimitDecision, LimitedCost } from '../limit-decision.ts'
import { ringUsed } from '../window/ring.ts'
import { available, type LeasedLimit, microsAt, newLeasedLimit, withUnits } from './lease.ts'
import type { LeasedDemand } from './spending.ts'

/**
 * A key on this node: its limits, and the calls queued for the store's answer. Another owner of limits, such as an account,
 * has a place here, too; its calls are in the queues of its keys.
 */
export interface LeasedKey {
  limits: LeasedLimit[]
  readonly queue: QueuedCall[]
  isRequesting: boolean
  /** The closure of its limits while their other grants are unknown; null while they are open. */
  closed: Closure | null
}

/** Instants in ms of the monotonic clock. */
export interface Closure {
  readonly until: number
  /**
   * The instant before which the store is not asked. The limit may open before `until`, when a missing node returns.
   */
  readonly askAgainAt: number
}

export interface QueuedCall {
  readonly demands: readonly LeasedDemand[]
  /** The instant, in ms of the monotonic clock, after which the call is answered without the store. */
  giveUpAt: number
  /** The time began anew once, because the process stood still. */
  waitsAnew: boolean
  resolve(admission: LimitDecision): void
}

export interface LeasedKeys {
  /** Finds a key, or another owner of limits, by its id. Returns null when there are too many whose grants still count. */
  find(ownerId: string, costs: readonly LimitedCost[], now: number): LeasedKey | null
  all(): Iterable<LeasedKey>
}

const sweepEveryMs = 1_000

/**
 * Stores at most so many keys. Keys whose grants have all left their windows are dropped when room is needed.
 */
export function createLeasedKeys(maxKeys: number): LeasedKeys {
  const keys = new Map<string, LeasedKey>()
  let nextSweepAt = 0

  function find(ownerId: string, costs: readonly LimitedCost[], now: number): LeasedKey | null {
    const known = keys.get(ownerId)
    if (known !== undefined) {
      if (!hasLimits(known, costs)) known.limits = limitsFor(known, costs, now)
      return known
    }
    if (keys.size >= maxKeys) sweep(now)
    if (keys.size >= maxKeys) return null
    const key: LeasedKey = { limits: [], queue: [], isRequesting: false, closed: null }
    key.limits = limitsFor(key, costs, now)
    keys.set(ownerId, key)
    return key
  }

  function sweep(now: number): void {
    if (now < nextSweepAt) return
    nextSweepAt = now + sweepEveryMs
    for (const [ownerId, key] of keys) if (isIdle(key, now)) keys.delete(ownerId)
  }

  return { find, all: () => keys.values() }
}

const isIdle = ({ limits, queue: waiting, isRequesting: isAsking }: LeasedKey, now: number): boolean =>
  waiting.length === 0 &&
  !isAsking &&
  limits.every(
    (leased) =>
      leased.requests === 0 && available(leased, now) === 0 && ringUsed(leased.record, microsAt(now)) === 0,
  )

const hasLimits = ({ limits }: LeasedKey, costs: readonly LimitedCost[]): boolean =>
  limits.length === costs.length && costs.every((cost, index) => isFor(limits[index], cost))

const isFor = (leased: LeasedLimit | undefined, { name, limit }: LimitedCost): boolean =>
  leased !== undefined &&
  leased.name === name &&
  leased.limit.units === limit.units &&
  leased.limit.period === limit.period

/** Returns the limits of a key; an unchanged limit keeps its leases. */
const limitsFor = ({ limits }: LeasedKey, costs: readonly LimitedCost[], now: number): LeasedLimit[] =>
  costs.map((cost) => limits.find((leased) => isFor(leased, cost)) ?? changedLimit(limits, cost, now))

function changedLimit(limits: readonly LeasedLimit[], cost: LimitedCost, now: number): LeasedLimit {
  const { name, limit } = cost
  const before = limits.find((leased) => leased.name === name && leased.limit.period === limit.period)
  return before === undefined ? newLeasedLimit(cost, now) : withUnits(before, limit, now)
}
