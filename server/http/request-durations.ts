import { latencyBounds, type Metrics } from '../platform/metrics.ts'
import { BoundCounts, type ObservedSeries } from '../platform/observed-histogram.ts'

/** Counts one request when its response is made; `seconds`: the time until then. */
export type ObserveRequest = (route: string, method: string, status: number, seconds: number) => void

/** Clients may invent methods; labels and texts hold only those that exist. */
export const knownMethod = (method: string): string => (methods.has(method) ? method : 'other')

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const statusClasses = ['0xx', '1xx', '2xx', '3xx', '4xx', '5xx'] as const

/** Of one route: by method, and then by the first digit of the status. */
type RouteCounts = Map<string, (BoundCounts | undefined)[]>

/** Times of all requests, kept as plain numbers: it is on the path of each. */
export function createRequestDurations(metrics: Metrics): ObserveRequest {
  const routes = new Map<string, RouteCounts>()

  function countsOf(route: string, method: string): (BoundCounts | undefined)[] {
    let ofRoute = routes.get(route)
    if (ofRoute === undefined) routes.set(route, (ofRoute = new Map()))
    let ofMethod = ofRoute.get(method)
    if (ofMethod === undefined) ofRoute.set(method, (ofMethod = []))
    return ofMethod
  }

  metrics.observedHistogram('http_request_duration_seconds', 'Time until the response was made', () =>
    [...routes].flatMap(([route, ofRoute]) =>
      [...ofRoute].flatMap(([method, byClass]) => seriesOf(route, method, byClass)),
    ),
  )
  return (route, method, status, seconds) => {
    const byClass = countsOf(route, knownMethod(method))
    const counts = (byClass[Math.floor(status / 100)] ??= new BoundCounts(latencyBounds))
    counts.add(seconds)
  }
}

function seriesOf(
  route: string,
  method: string,
  byClass: readonly (BoundCounts | undefined)[],
): ObservedSeries[] {
  return statusClasses.flatMap((status_class, place) => {
    const counted = byClass[place]
    if (counted === undefined) return []
    return [{ labels: { route, method, status_class }, counts: counted.counts, sum: counted.sum }]
  })
}
