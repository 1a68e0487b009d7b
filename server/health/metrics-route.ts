import { Elysia } from 'elysia'

import { requireMetricsToken } from '../platform/http/metrics-token.ts'
import type { Health } from './health.ts'

/** `/metrics/services`, apart from `/metrics`, so that scraping thousands of series is a choice. */
export function serviceMetricsRoute(health: Pick<Health, 'renderServiceMetrics'>, token: string | null) {
  return new Elysia({ name: 'service-metrics' }).get('/metrics/services', ({ request }) => {
    requireMetricsToken(request.headers, token)
    return new Response(streamOf(health.renderServiceMetrics()), {
      headers: { 'cache-control': 'no-store', 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    })
  })
}

/** Returns the chunks as a stream, which renders no further ahead than its reader reads. */
const streamOf = (chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { value } = await chunks.next()
      if (value === undefined) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return()
    },
  })
