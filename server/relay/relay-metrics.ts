import type { Metrics } from '../platform/metrics.ts'

/** What became of a request. */
export type RequestOutcome =
  | 'answered'
  | 'unanswered'
  | 'unreadable'
  | 'unauthorized'
  | 'restricted'
  | 'rate_limited'
  | 'credits_exhausted'
  | 'limits_unavailable'

export interface RelayMetrics {
  countRequest(outcome: RequestOutcome): void
  countFailure(reason: string): void
  countShared(): void
  countCached(): void
}

export function createRelayMetrics(metrics: Metrics, openBreakers: () => number): RelayMetrics {
  const requests = metrics.counter('relay_requests_total', 'HTTP requests and WebSocket frames with calls', [
    'outcome',
  ])
  const failures = metrics.counter(
    'relay_upstream_failures_total',
    'Attempts that an upstream did not answer',
    ['reason'],
  )
  const saved = metrics.counter('relay_calls_saved_total', 'Calls that needed no upstream of their own', [
    'by',
  ])
  metrics.observedGauge('relay_open_breakers', 'Upstreams that are left alone after failures', openBreakers)
  return {
    countRequest: (outcome) => requests.add({ outcome }),
    countFailure: (reason) => failures.add({ reason }),
    countShared: () => saved.add({ by: 'sharing' }),
    countCached: () => saved.add({ by: 'cache' }),
  }
}
