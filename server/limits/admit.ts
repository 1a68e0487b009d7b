import type { LimitName, LimitScope } from '../../shared/limits.ts'
import { take, used, waitFor, waitForMore, type Window } from './window/window.ts'

/** One limit of a key or of its account, and the cost of the call in it. */
export interface Demand {
  /** The id of the key or of the account. */
  readonly ownerId: string
  readonly scope: LimitScope
  readonly name: LimitName
  readonly window: Window
  readonly cost: number
}

/** The state of a limit, for the `RateLimit` headers. */
export interface Quota {
  readonly scope: LimitScope
  readonly name: LimitName
  readonly units: number
  readonly periodMs: number
  readonly remaining: number
  /** The ms until the next units become free; null when all are free, or when it is not known. */
  readonly resetMs: number | null
}

export type WindowDecision =
  | { readonly kind: 'admitted'; readonly takenAt: readonly number[]; readonly quotas: readonly Quota[] }
  | {
      readonly kind: 'refused'
      /** The limit with the longest wait. */
      readonly limit: LimitName
      readonly scope: LimitScope
      /** The ms after which the call would be admitted, if nobody else used the key, or of an account any of its keys. */
      readonly retryAfterMs: number
      readonly quotas: readonly Quota[]
    }
  | Oversized

/** The result for a call that costs more than the whole limit: no wait would help. */
export interface Oversized {
  readonly kind: 'oversized'
  readonly limit: LimitName
  readonly scope: LimitScope
  readonly cost: number
  readonly units: number
}

/**
 * Checks all limits, then takes from all: either every demand is met, or nothing is taken. `now` is in whole µs of a
 * clock that never runs back. Throws RangeError on a cost that is no whole number from 0.
 */
export function admit(demands: readonly Demand[], now: number): WindowDecision {
  let longest = 0
  let refusing: Demand | null = null
  for (const demand of demands) {
    if (exceeds(demand.cost, demand.window.units)) return oversized(demand, demand.window.units)
    const wait = waitFor(demand.window, demand.cost, now)
    if (wait <= longest) continue
    longest = wait
    refusing = demand
  }
  if (refusing !== null) {
    return {
      kind: 'refused',
      limit: refusing.name,
      scope: refusing.scope,
      retryAfterMs: microsToMs(longest),
      quotas: quotasOf(demands, now),
    }
  }
  const takenAt: number[] = []
  for (const { window, cost } of demands) takenAt.push(take(window, cost, now))
  return { kind: 'admitted', takenAt, quotas: quotasOf(demands, now) }
}

/**
 * Returns true when a cost is more than the whole limit. Throws RangeError on a cost that is no whole number from 0.
 */
export function exceeds(cost: number, units: number): boolean {
  requireWhole(cost)
  return cost > units
}

export function requireWhole(cost: number): void {
  if (!Number.isSafeInteger(cost) || cost < 0) throw new RangeError(`a cost is a whole number, not ${cost}`)
}

export const oversized = (
  { name, scope, cost }: Pick<Demand, 'name' | 'scope' | 'cost'>,
  units: number,
): Oversized => ({
  kind: 'oversized',
  limit: name,
  scope,
  cost,
  units,
})

/** Returns the states of limits after so many units of each were returned. */
export const withReturned = (quotas: readonly Quota[], units: readonly number[]): Quota[] =>
  quotas.map((quota, index) => {
    const remaining = quota.remaining + (units[index] ?? 0)
    return { ...quota, remaining, resetMs: remaining === quota.units ? null : quota.resetMs }
  })

/** Converts µs to ms, rounded up: a shorter wait would not be enough. */
export const microsToMs = (micros: number): number => Math.ceil(micros / 1_000)

function quotasOf(demands: readonly Demand[], now: number): Quota[] {
  const quotas: Quota[] = []
  for (const { scope, name, window } of demands) {
    const taken = used(window, now)
    const wait = waitForMore(window, taken, now)
    quotas.push({
      scope,
      name,
      units: window.units,
      periodMs: window.periodMicros / 1_000,
      remaining: window.units - taken,
      resetMs: wait === null ? null : microsToMs(wait),
    })
  }
  return quotas
}
