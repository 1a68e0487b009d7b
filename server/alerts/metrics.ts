import type { Metrics } from '../platform/metrics.ts'
import type { DeliverySenderOptions } from './outbox/sender.ts'

/** Counts attempts by type of channel and outcome. */
export function createAlertMetrics(metrics: Metrics): Pick<DeliverySenderOptions, 'count'> {
  const attempts = metrics.counter(
    'alert_deliveries_total',
    'Attempts to deliver a message, by type of channel and outcome (sent, failed, dead)',
    ['channel', 'outcome'],
  )
  return { count: (channel, outcome) => attempts.add({ channel, outcome }) }
}

/** Shows how many messages wait, as it was when it was looked last. */
export function observeOutbox(
  metrics: Metrics,
  length: () => { readonly waiting: number; readonly dead: number },
): void {
  metrics.observedGauge('alert_outbox_waiting', 'Messages that wait to be delivered', () => length().waiting)
  metrics.observedGauge(
    'alert_outbox_dead',
    'Messages that were given up in the last 30 days',
    () => length().dead,
  )
}
