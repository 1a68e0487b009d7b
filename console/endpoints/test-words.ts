import type { EndpointListItem, UpstreamTest } from '../../shared/endpoints.ts'

/** What the calls to all upstreams came to, in a sentence. */
export function testSummary(results: readonly UpstreamTest[]): string {
  const answering = results.filter(({ ok }) => ok).length
  if (answering === results.length)
    return results.length === 1 ? 'The upstream answers.' : `All ${results.length} upstreams answer.`
  if (answering === 0)
    return results.length === 1
      ? 'The upstream does not answer as it should.'
      : `None of the ${results.length} upstreams answers as it should.`
  return `${answering} of ${results.length} upstreams answer as they should.`
}

/** What people call an upstream: its service, or the host of its address. */
export function upstreamName({ upstreams }: Pick<EndpointListItem, 'upstreams'>, id: string): string {
  const upstream = upstreams.find((known) => known.id === id)
  return upstream?.serviceId ?? upstream?.host ?? id
}
