import type { Limit, LimitName } from '../../shared/limits.ts'
import type { Oversized, Quota } from './admit.ts'

/** One HTTP request, or one WebSocket frame, with a query key. A batch contains several calls. */
export interface LimitedCall {
  /** The id of the query key, under which its windows are stored. */
  readonly keyId: string
  /**
   * The rate limit; null for none. A changed limit begins with an empty window (in the shared store only when its
   * period changed). Nobody gains by changing limits back and forth: whoever may edit a key may create any number of
   * keys.
   */
  readonly rate: Limit | null
  readonly credits: Limit | null
  /** The units of the rate limit, a whole number from 1. */
  readonly calls: number
  /** The cost of all calls together, a whole number from 0. */
  readonly cost: number
}

/**
 * The decision for both limits, and for all calls of a batch together. A call that is not admitted consumes nothing.
 */
export type LimitDecision = Admitted | RefusedByLimit | Oversized | LimitsUnavailable

export interface Admitted {
  readonly kind: 'admitted'
  readonly quotas: readonly Quota[]
  /** The clock reading at which the call was admitted, in ms of the monotonic clock, for logs and tests. */
  readonly admittedAt: number
  /** Returns the credits of calls that no upstream answered. Units of the rate limit are not returned. */
  giveBack(credits: number): void
}

export interface RefusedByLimit {
  readonly kind: 'refused'
  readonly limit: LimitName
  /** The ms after which the call would be admitted, if nobody else used the key. */
  readonly retryAfterMs: number
  readonly quotas: readonly Quota[]
}

/** The result when the decision cannot be made: the shared store does not answer, or the storage is full. */
export interface LimitsUnavailable {
  readonly kind: 'unavailable'
  readonly retryAfterMs: number
}

/**
 * The units taken in the period that ends now, leased ones included; null where the key has no such limit.
 */
export interface LimitsUse {
  readonly rateUsed: number | null
  readonly creditsUsed: number | null
}

/** A limit of the key, and the cost of the call in it. */
export interface LimitedCost {
  readonly name: LimitName
  readonly limit: Limit
  readonly cost: number
}

export function limitedCostsOf({ rate, credits, calls, cost }: LimitedCall): LimitedCost[] {
  const limits: LimitedCost[] = []
  if (rate !== null) limits.push({ name: 'rate', limit: rate, cost: calls })
  if (credits !== null) limits.push({ name: 'credits', limit: credits, cost })
  return limits
}
