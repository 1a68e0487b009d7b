import { Elysia } from 'elysia'

import {
  ClassStatisticsAnswer,
  ClassStatisticsQuery,
  UpstreamStatisticsAnswer,
  UpstreamStatisticsQuery,
} from '../../shared/usage-splits.ts'
import type { ApiKeyGuard } from '../api-keys/api-keys.ts'
import { statisticsIn, statisticsRoute } from '../platform/http/statistics-route.ts'
import { countsWhat } from './routes.ts'
import { classColumns, upstreamColumns } from './statistics-csv.ts'
import type { Usage } from './usage.ts'

const holds = 'The numbers of each class. With `Accept: text/csv` the items alone as CSV'

/** What became of calls, and of the requests to upstreams, over REST. */
export function splitUsageRoutes({ statistics }: Pick<Usage, 'statistics'>, guard: ApiKeyGuard) {
  return new Elysia({ name: 'usage-splits' })
    .use(guard)
    .get(
      '/account/statistics/classes',
      async ({ apiKey, query, request }) =>
        statisticsIn(request, await statistics.classes(apiKey.accountId, query), classColumns),
      statisticsRoute({
        query: ClassStatisticsQuery,
        answer: ClassStatisticsAnswer,
        operationId: 'getClassStatistics',
        summary: 'What became of calls',
        description: `Calls by their class: answered by a node or by the cache, failed, or refused. ${countsWhat}`,
        holds,
      }),
    )
    .get(
      '/account/statistics/upstreams',
      async ({ apiKey, query, request }) =>
        statisticsIn(request, await statistics.upstreams(apiKey.accountId, query), upstreamColumns),
      statisticsRoute({
        query: UpstreamStatisticsQuery,
        answer: UpstreamStatisticsAnswer,
        operationId: 'getUpstreamStatistics',
        summary: 'Requests to upstreams',
        description:
          'Every request to a node of the last 48 hours, those of retries and hedged reads included, by what became ' +
          'of it, of the account or of each key. Calls that the cache answered, or that waited for the answer of ' +
          'another call, need none.',
        holds,
      }),
    )
}
