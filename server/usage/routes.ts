import { Elysia } from 'elysia'

import {
  KeyMethodStatisticsAnswer,
  KeyStatisticsAnswer,
  MethodStatisticsAnswer,
  StatisticsQuery,
} from '../../shared/usage.ts'
import type { ApiKeyGuard } from '../api-keys/api-keys.ts'
import { describeKeyRefusals, describeRefusal, refusals } from '../platform/http/refusals.ts'
import {
  asksForCsv,
  csvResponse,
  keyColumns,
  keyMethodColumns,
  methodColumns,
  type StatisticsAnswer,
} from './statistics-csv.ts'
import type { Usage } from './usage.ts'

const json = { headers: { 'cache-control': 'private, no-store', vary: 'Accept' } } as const

/** Answers as CSV to whoever names that type before JSON, as JSON otherwise. */
export const statisticsIn = (
  request: Request,
  answer: StatisticsAnswer,
  columns: readonly string[],
): Response => (asksForCsv(request) ? csvResponse(answer, columns, request.url) : Response.json(answer, json))

export const countsWhat =
  'Only keys of the account that the API key belongs to are counted. A call that was just made is in the answer; ' +
  'where an installation has several processes, calls of the others are in it after a second. The interval is widened ' +
  'to whole hours (whole days where it is more than 90 days past, five minutes with `5m`), and the answer says to which.'

const refusedStatistics = refusals(404)

/** Response descriptions that the schemas do not contain. */
const describeResponses = (description: string) =>
  ({
    200: {
      description,
      content: { 'text/csv': { schema: { type: 'string' } } },
      headers: {
        'Cache-Control': { description: 'private, no-store', schema: { type: 'string' } },
        'X-Request-Id': { description: 'finds the request in our log', schema: { type: 'string' } },
      },
    },
    ...describeKeyRefusals('Statistics Read'),
    404: describeRefusal('The account never had such a key', 'not_found', 'There is no query key of this id'),
    422: describeRefusal(
      'A parameter is not allowed; the message names it, and what is allowed',
      'invalid_request',
      'query parameter granularity: expected one of "total", "5m", "hour", "day"',
    ),
  }) as const

interface StatisticsRoute<Query, Answer> {
  readonly query: Query
  readonly answer: Answer
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** What an answer without a fault holds. */
  readonly holds?: string
}

const aPage =
  'A page of items, and the sums of all pages. With `Accept: text/csv` the items alone as CSV, whose next page `Link` names'

/** What every address with statistics has in common. */
export const statisticsRoute = <const Query, const Answer>({
  query,
  answer,
  holds = aPage,
  ...told
}: StatisticsRoute<Query, Answer>) => ({
  needs: 'statistics_read' as const,
  query,
  detail: { ...told, tags: ['Account'], responses: describeResponses(holds) },
  response: { 200: answer, ...refusedStatistics },
})

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
