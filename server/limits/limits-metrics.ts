import type { Metrics } from '../platform/metrics.ts'
import type { LimitDecision } from './limit-decision.ts'

/**
 * Counts decisions, and reports whether the shared store is away. `note` uses plain numbers and returns its argument,
 * because every call passes through it.
 */
export function createLimitsMetrics(
  metrics: Metrics,
  backend: 'alone' | 'shared',
  isStoreReady: () => boolean,
) {
  const counts: Record<LimitDecision['kind'], number> = {
    admitted: 0,
    refused: 0,
    oversized: 0,
    unavailable: 0,
  }
  metrics.observedCounter(
    'limiter_decisions_total',
    'Requests with a query key, by what its limits said',
    ['outcome', 'backend'],
    () => Object.entries(counts).map(([outcome, count]) => ({ labels: { outcome, backend }, count })),
  )
  metrics.observedGauge('limiter_degraded', '1 while the shared store of the limits is away', () =>
    isStoreReady() ? 0 : 1,
  )
  return {
    note(decision: LimitDecision): LimitDecision {
      counts[decision.kind]++
      return decision
    },
  }
}
