import { Elysia } from 'elysia'

import {
  ToolCallNumbers,
  ToolOutcomesAnswer,
  ToolOutcomesQuery,
  ToolStatisticsAnswer,
  ToolStatisticsQuery,
} from '../../shared/tool-statistics.ts'
import type { ApiKeyGuard } from '../api-keys/api-keys.ts'
import { statisticsIn, statisticsRoute } from '../platform/http/statistics-route.ts'
import type { ToolCalls } from './tool-calls.ts'

const numbers = Object.keys(ToolCallNumbers.shape)
const toolColumns = ['server', 'tool', 'keyId', 'name', 'bucket', ...numbers, 'lastUsedAt']
const outcomeColumns = ['server', 'tool', 'outcome', 'calls', 'meanMs']

const whose =
  'Only calls with keys and agents of the account that the API key belongs to are counted. A call that was just made is ' +
  'in the answer; where an installation has several processes, calls of the others are in it after a second.'

/** Statistics of tool calls over REST, for API keys and agents with the permission to read them. */
export function toolStatisticsRoutes({ statistics }: Pick<ToolCalls, 'statistics'>, guard: ApiKeyGuard) {
  return new Elysia({ name: 'tool-statistics' })
    .use(guard)
    .get(
      '/account/statistics/tools',
      async ({ apiKey, query, request }) =>
        statisticsIn(request, await statistics.tools(apiKey.accountId, query), toolColumns),
      statisticsRoute({
        query: ToolStatisticsQuery,
        answer: ToolStatisticsAnswer,
        operationId: 'getToolStatistics',
        summary: 'Calls of tools',
        description:
          'Calls of tools of tool servers by tool, tool server, or key and agent, in order of time and name. Beyond 200 ' +
          `tools of a tool server in an hour, calls are counted as \`other\`. ${whose}`,
      }),
    )
    .get(
      '/account/statistics/tool-outcomes',
      async ({ apiKey, query, request }) =>
        statisticsIn(request, await statistics.outcomes(apiKey.accountId, query), outcomeColumns),
      statisticsRoute({
        query: ToolOutcomesQuery,
        answer: ToolOutcomesAnswer,
        operationId: 'getToolOutcomes',
        summary: 'What became of calls of tools',
        description: `Calls of tools of the last 30 days by tool and by what became of them. ${whose}`,
        holds: 'The numbers of each outcome. With `Accept: text/csv` the items alone as CSV',
      }),
    )
}
