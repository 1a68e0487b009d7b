import type { Limit, LimitName, LimitScope } from '../../shared/limits.ts'
import type { Oversized, Quota } from './admit.ts'

/** Limits besides those of the key, which a call has to fit into as well. */
export interface FurtherLimits {
  /** Under which their windows are stored: no key and no other owner of limits has the same id. */
  readonly id: string
  readonly scope: Exclude<LimitScope, 'key'>
  readonly rate: Limit | null
  readonly credits: Limit | null
}

/** One HTTP request, or one WebSocket frame, with a query key. A batch contains several calls. */
export interface LimitedCall {
  /** The id of the query key, under which its windows are stored. */
  readonly keyId: string
  /** The rate limit; null for none. What was counted stays counted when its units change; a changed period begins anew. */
  readonly rate: Limit | null
  readonly credits: Limit | null
  /** Absent: none. */
  readonly further?: readonly FurtherLimits[]
  /** The units of the rate limit, a whole number from 1. */
  readonly calls: number
  /** The cost of all calls together, a whole number from 0. */
  readonly cost: number
}

/**
 * The decision for all limits of the key and its account, and for all calls of a batch together. A call that is not
 * admitted consumes nothing of any of them.
 */
export type LimitDecision = Admitted | RefusedByLimit | Oversized | LimitsUnavailable

export interface Admitted {
  readonly kind: 'admitted'
  /** What the call has left of each limit, credits that were returned included. */
  readonly quotas: readonly Quota[]
  /** The clock reading at which the call was admitted, in ms of the monotonic clock, for logs and tests. */
  readonly admittedAt: number
  /** Returns the credits of calls that no upstream answered. Units of the rate limit are not returned. */
  giveBack(credits: number): void
}

export interface RefusedByLimit {
  readonly kind: 'refused'
  readonly limit: LimitName
  readonly scope: LimitScope
  /** The ms after which the call would be admitted, if nobody else used the key, or of an account any of its keys. */
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

/** A limit, and the cost of the call in it. */
export interface LimitedCost {
  /** The id under which its window is stored. */
  readonly ownerId: string
  readonly scope: LimitScope
  readonly name: LimitName
  readonly limit: Limit
  readonly cost: number
}

/** Returns the limits of one owner that the call needs units of. */
export function costsOf(
  ownerId: string,
  scope: LimitScope,
  { rate, credits }: Pick<LimitedCall, 'rate' | 'credits'>,
  { calls, cost }: Pick<LimitedCall, 'calls' | 'cost'>,
): LimitedCost[] {
  const limits: LimitedCost[] = []
  if (rate !== null) limits.push({ ownerId, scope, name: 'rate', limit: rate, cost: calls })
  if (credits !== null) limits.push({ ownerId, scope, name: 'credits', limit: credits, cost })
  return limits
}
