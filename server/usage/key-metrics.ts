import type { Metrics } from '../platform/metrics.ts'
import type { CallsOfKey } from './counting/key-slots.ts'

/** The most series of keys, so that an installation with very many keys does not drown the one that scrapes it. */
export const mostKeySeries = 1_000

/**
 * Shows how often each query key was called at this process, by its id and never by its value. Keys come and go with the
 * accounts, so an operator asks for these series (`GATEHOUSE_METRICS_KEYS`); the busiest ones are shown.
 */
export function observeKeys(metrics: Metrics, callsOfKeys: () => readonly CallsOfKey[]): void {
  metrics.observedCounter(
    'key_calls_total',
    `Calls with a query key at this process, refused ones included, of the ${mostKeySeries} busiest keys of the last hour`,
    ['key', 'endpoint'],
    () =>
      callsOfKeys()
        .toSorted((one, other) => other.calls - one.calls)
        .slice(0, mostKeySeries)
        .map(({ keyId: key, endpoint, calls: count }) => ({ labels: { key, endpoint }, count })),
  )
  metrics.observedGauge(
    'key_series_left_out',
    'Series of keys that are not shown because there are too many',
    () => Math.max(0, callsOfKeys().length - mostKeySeries),
  )
}
