import { ignoreLoss } from '../../platform/shared-store/store-failure.ts'
import type { Admitted, LimitDecision } from '../limit-decision.ts'
import { requireWhole, withReturned } from '../admit.ts'
import type { LeasedLimit, Portion } from './lease.ts'
import { type LeasedDemand, quotasOf, spendAll, spendShare, cachedRefusal } from './spending.ts'
import type { LimitStore } from './store-calls.ts'

/**
 * The behaviour for calls beyond the leases while the store is lost: refuse them (`closed`), or take from this node's
 * share (`share`).
 */
export type StoreLostMode = 'closed' | 'share'

/** Answers without a request to the store. `now` is in ms of the monotonic clock. */
export interface LocalAnswers {
  /** Answers from leases, or with a cached refusal; null when the store must be asked. */
  atOnce(demands: readonly LeasedDemand[], now: number): LimitDecision | null
  /** Answers while the store cannot be asked. */
  withoutStore(demands: readonly LeasedDemand[], now: number, retryAfterMs: number): LimitDecision
}

interface LocalAnswersOptions {
  readonly mode: StoreLostMode
  readonly calls: LimitStore
  /** Returns the number of nodes, or null while it is not known. */
  nodes(): number | null
}

export function createLocalAnswers({ mode, calls, nodes }: LocalAnswersOptions): LocalAnswers {
  function atOnce(demands: readonly LeasedDemand[], now: number): LimitDecision | null {
    const portions = spendAll(demands, now)
    if (portions !== null) return admittedFrom(demands, portions, now)
    const refusal = cachedRefusal(demands, now)
    return refusal === null ? null : { kind: 'refused', ...refusal }
  }

  function withoutStore(demands: readonly LeasedDemand[], now: number, retryAfterMs: number): LimitDecision {
    const leased = atOnce(demands, now)
    if (leased !== null) return leased
    const count = nodes()
    const quotas = mode === 'share' && count !== null ? spendShare(demands, count, now) : null
    if (quotas === null) return { kind: 'unavailable', retryAfterMs }
    // Units of a share are not given back: the store may already have been told of them.
    return { kind: 'admitted', quotas, admittedAt: now, giveBack: () => undefined }
  }

  function admittedFrom(
    demands: readonly LeasedDemand[],
    portions: readonly Portion[][],
    admittedAt: number,
  ): Admitted {
    let quotas: Admitted['quotas'] = quotasOf(demands, admittedAt)
    return {
      kind: 'admitted',
      get quotas() {
        return quotas
      },
      admittedAt,
      giveBack(credits) {
        requireWhole(credits)
        const units = demands.map(({ leased }, index) =>
          leased.name === 'credits' ? giveBackTo(leased, portions[index] ?? [], credits) : 0,
        )
        quotas = withReturned(quotas, units)
      },
    }
  }

  /** Returns how many units were given back: no more than the portions hold. */
  function giveBackTo(leased: LeasedLimit, portions: readonly Portion[], credits: number): number {
    leased.refusal = null
    let left = credits
    for (const portion of portions) {
      const units = Math.min(left, portion.units)
      if (units === 0) continue
      left -= units
      portion.units -= units
      // Lost on the way, it counts as spent: that refuses rather too early than too late.
      void calls.giveBack(leased, portion.lease, units).catch(ignoreLoss)
    }
    return credits - left
  }

  return { atOnce, withoutStore }
}
