import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { Metrics } from '../../platform/metrics.ts'
import type { UpstreamClient } from './upstream-client.ts'

/** The upstreams of one endpoint. */
interface EndpointUpstreams {
  readonly endpoint: Pick<Endpoint, 'name'>
  readonly clients: readonly UpstreamClient[]
}

type Value = (client: UpstreamClient) => number | null

const labelNames = ['endpoint', 'upstream'] as const
const breakerStates = ['closed', 'half-open', 'open'] as const

/**
 * Shows each upstream of the endpoints that were called since the start, as `upstreams` returns them at each scrape: four
 * series each and one for each class of attempts, of at most 20 upstreams an endpoint. Counters begin again at 0 when the endpoint is changed.
 */
export function observeUpstreams(
  metrics: Metrics,
  now: () => number,
  upstreams: () => readonly EndpointUpstreams[],
): void {
  const clients = () =>
    upstreams().flatMap(({ endpoint: { name: endpoint }, clients: ofEndpoint }) =>
      ofEndpoint.map((client) => ({ client, labels: { endpoint, upstream: client.id } })),
    )
  const gauge = (name: string, help: string, valueOf: Value) =>
    metrics.observedGauges(name, help, labelNames, () =>
      clients().flatMap(({ client, labels }) => {
        const value = valueOf(client)
        return value === null ? [] : [{ labels, value }]
      }),
    )

  metrics.observedCounter(
    'upstream_attempts_total',
    'HTTP attempts at an upstream that ended, by what their answer amounted to',
    [...labelNames, 'class'],
    () =>
      clients().flatMap(({ client, labels }) => [
        { labels: { ...labels, class: 'answer' }, count: client.answers },
        ...Array.from(client.failures, ([each, count]) => ({ labels: { ...labels, class: each }, count })),
      ]),
  )
  const budgetOf = ({ budget }: UpstreamClient) => budget?.use(now()) ?? null
  gauge(
    'upstream_budget_used',
    'What an upstream with a budget was asked in its period, in the unit of the budget',
    (client) => budgetOf(client)?.used ?? null,
  )
  gauge(
    'upstream_budget_limit',
    'What an upstream may be asked in the period of its budget; none while nothing was learned',
    (client) => budgetOf(client)?.amount ?? null,
  )
  gauge('upstream_in_flight', 'HTTP requests under way to an upstream', ({ pool }) => pool.inFlight)
  gauge('upstream_response_seconds', 'Moving average of the response time of an upstream', ({ latencyMs }) =>
    latencyMs === null ? null : latencyMs / 1000,
  )
  gauge(
    'upstream_breaker_state',
    'Circuit breaker of an upstream: 0 closed, 1 half-open, 2 open',
    ({ breaker }) => breakerStates.indexOf(breaker),
  )
}
