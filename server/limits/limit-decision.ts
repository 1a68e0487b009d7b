import type { Limit, LimitName } from '../../shared/limits.ts'
import type { Oversized, Quota } from './admit.ts'

/** One HTTP request, or WebSocket frame, with a query key: a batch is one of several calls. */
export interface LimitedCall {
  /** Id of the query key: what its counters are kept under. */
  readonly keyId: string
  /**
   * Null: none. A changed limit begins with an empty window, in the shared store only when its period changed. Nobody
   * gains by changing limits to and fro: who may edit a key may create as many keys as they like.
   */
  readonly rate: Limit | null
  readonly credits: Limit | null
  /** Units of the rate limit, a whole number from 1. */
  readonly calls: number
  /** What the calls cost together: a whole number from 0. */
  readonly cost: number
}

/** Both limits together, all calls of a batch or none. A call that is not admitted consumes nothing. */
export type LimitDecision = Admitted | RefusedByLimit | Oversized | LimitsUnavailable

export interface Admitted {
  readonly kind: 'admitted'
  readonly quotas: readonly Quota[]
  /** By which clock reading it was admitted, in ms of the monotonic clock: for logs and tests. */
  readonly admittedAt: number
  /** For calls that no upstream answered: returns credits to where they were counted. The rate limit keeps its units. */
  giveBack(credits: number): void
}

export interface RefusedByLimit {
  readonly kind: 'refused'
  readonly limit: LimitName
  /** Asking again after it succeeds, if nobody else used the key. */
  readonly retryAfterMs: number
  readonly quotas: readonly Quota[]
}

/** Nobody can say whether the call is within its limits: the shared store does not answer, or memory is used up. */
export interface LimitsUnavailable {
  readonly kind: 'unavailable'
  readonly retryAfterMs: number
}

/** Units taken in the period that ends now, leased ones included; null: the key has no such limit. */
export interface LimitsUse {
  readonly rateUsed: number | null
  readonly creditsUsed: number | null
}

/** A limit of the key, and what the call costs in it. */
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
