import { Elysia } from 'elysia'

import {
  KeyMethodStatisticsAnswer,
  KeyStatisticsAnswer,
  MethodStatisticsAnswer,
  StatisticsQuery,
} from '../../shared/usage.ts'
import type { ApiKeyGuard } from '../api-keys/api-keys.ts'
import { statisticsIn, statisticsRoute } from '../platform/http/statistics-route.ts'
import { keyColumns, keyMethodColumns, methodColumns } from './statistics-csv.ts'
import type { Usage } from './usage.ts'

export const countsWhat =
  'Only keys of the account that the API key belongs to are counted. A call that was just made is in the answer; ' +
  'where an installation has several processes, calls of the others are in it after a second. The interval is widened ' +
  'to whole hours (whole days where it is more than 90 days past, five minutes with `5m`), and the answer says to which.'

/** Usage over REST, for API keys with the permission to read it. */
export function usageRoutes({ statistics }: Pick<Usage, 'statistics'>, guard: ApiKeyGuard) {
  return new Elysia({ name: 'usage' })
    .use(guard)
    .get(
      '/account/statistics/keys',
      async ({ apiKey, query, request }) =>
        statisticsIn(request, await statistics.keys(apiKey.accountId, query), keyColumns),
      statisticsRoute({
        query: StatisticsQuery,
        answer: KeyStatisticsAnswer,
        operationId: 'getKeyStatistics',
        summary: 'Usage by query key',
        description: `Keys that were used in the interval, deleted ones included, in order of time and id. ${countsWhat}`,
      }),
    )
    .get(
      '/account/statistics/methods',
      async ({ apiKey, query, request }) =>
        statisticsIn(request, await statistics.methods(apiKey.accountId, query), methodColumns),
      statisticsRoute({
        query: StatisticsQuery,
        answer: MethodStatisticsAnswer,
        operationId: 'getMethodStatistics',
        summary: 'Usage by method',
        description:
          'Methods that were called in the interval, in order of time and name. Beyond 200 methods of an endpoint, ' +
          `calls are counted as \`other\`. ${countsWhat}`,
      }),
    )
    .get(
      '/account/statistics/key-methods',
      async ({ apiKey, query, request }) =>
        statisticsIn(request, await statistics.keyMethods(apiKey.accountId, query), keyMethodColumns),
      statisticsRoute({
        query: StatisticsQuery,
        answer: KeyMethodStatisticsAnswer,
        operationId: 'getKeyMethodStatistics',
        summary: 'Usage by query key and method',
        description: `What each key called, in order of time, id and name. ${countsWhat}`,
      }),
    )
}
