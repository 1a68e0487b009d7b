import type { Metrics } from '../platform/metrics.ts'

/** The outcome of a request, as metrics count it. */
export type RequestOutcome =
  | 'answered'
  | 'unanswered'
  | 'unreadable'
  | 'unauthorized'
  | 'restricted'
  | 'rate_limited'
  | 'credits_exhausted'
  | 'limits_unavailable'
  | 'unavailable'

export interface RelayMetrics {
  countRequest(outcome: RequestOutcome): void
  /** Counts an attempt without an answer. */
  countFailure(reason: string): void
  /** Counts a call that shared the upstream request of another one. */
  countShared(): void
  /** Counts a call that was answered from the cache. */
  countCached(): void
}

/** Counts in plain numbers, which metrics read when they are scraped, because it is on the path of every call. */
export function createRelayMetrics(metrics: Metrics, openBreakers: () => number): RelayMetrics {
  const requests = new Map<string, number>()
  const failures = new Map<string, number>()
  const saved = new Map<string, number>()
  observe(
    metrics,
    'relay_requests_total',
    'HTTP requests and WebSocket frames with calls',
    'outcome',
    requests,
  )
  observe(metrics, 'relay_upstream_failures_total', 'Attempts without an answer', 'reason', failures)
  observe(metrics, 'relay_calls_saved_total', 'Calls that needed no upstream of their own', 'by', saved)
  metrics.observedGauge('relay_open_breakers', 'Upstreams that are left alone after failures', openBreakers)
  return {
    countRequest: (outcome) => addOne(requests, outcome),
    countFailure: (reason) => addOne(failures, reason),
    countShared: () => addOne(saved, 'sharing'),
    countCached: () => addOne(saved, 'cache'),
  }
}

type Counts = Map<string, number>

const addOne = (counts: Counts, value: string): void => void counts.set(value, (counts.get(value) ?? 0) + 1)

function observe(metrics: Metrics, name: string, help: string, label: string, counts: Counts): void {
  metrics.observedCounter(name, help, [label], () =>
    Array.from(counts, ([value, count]) => ({ labels: { [label]: value }, count })),
  )
}
