import * as z from 'zod/mini'

import { Count, describedCount } from './counts.ts'
import { EpochMs, RfcInstant } from './instants.ts'
import { idText, text } from './text.ts'
import { type ToolCallOutcome, toolCallOutcomeNames, toolCallScope } from './tool-calls.ts'
import { Granularity, StatisticsQuery, statisticsBounds } from './usage.ts'

const latency = z
  .nullable(z.number())
  .check(z.meta({ description: 'null: no call was answered by a tool server' }))

/** What was counted. A call is in one of `answered`, `toolErrors`, `failed`, `denied` and `underWay`. */
export const ToolCallNumbers = z.object({
  calls: describedCount('all calls, those that were denied included'),
  answered: describedCount('answered by the tool server with a result'),
  toolErrors: describedCount('answered by the tool server with an error'),
  failed: describedCount('answered by no tool server, or with something else than MCP'),
  denied: describedCount('not sent, because a rule forbids it'),
  underWay: describedCount('sent, and not answered yet'),
  credits: Count,
  bytesSent: describedCount('to tool servers, without headers'),
  bytesReceived: describedCount('of tool servers, without headers'),
  p50Ms: latency,
  p95Ms: latency,
})
export type ToolCallNumbers = z.infer<typeof ToolCallNumbers>

export const toolStatisticsBy = ['tool', 'server', 'key'] as const
export type ToolStatisticsBy = (typeof toolStatisticsBy)[number]

const optionalName = (description: string) => z.optional(z.string().check(z.meta({ description })))

/** One line of `GET /account/statistics/tools`. */
export const ToolStatistics = z
  .extend(ToolCallNumbers, {
    server: optionalName('the tool server as the registry names it; by tool and by server'),
    tool: optionalName('by tool'),
    keyId: optionalName('an API key or what an agent was granted; by key'),
    name: optionalName('of the key or the agent'),
    lastUsedAt: RfcInstant.check(z.meta({ description: 'to the minute' })),
    bucket: z
      .optional(RfcInstant)
      .check(z.meta({ description: 'beginning of the five minutes, hour or day; absent for total' })),
  })
  .check(z.meta({ id: 'ToolStatistics' }))
export type ToolStatistics = z.infer<typeof ToolStatistics>

const exampleNumbers = {
  calls: 118,
  answered: 104,
  toolErrors: 6,
  failed: 3,
  denied: 5,
  underWay: 0,
  credits: 113,
  bytesSent: 21_400,
  bytesReceived: 310_250,
  p50Ms: 84.1,
  p95Ms: 410,
}

/** The answer to `GET /account/statistics/tools`. */
export const ToolStatisticsAnswer = z
  .object({
    from: RfcInstant,
    to: RfcInstant,
    granularity: Granularity,
    asOf: RfcInstant,
    items: z.array(ToolStatistics),
    totals: ToolCallNumbers,
    nextCursor: z.nullable(z.string()),
  })
  .check(
    z.meta({
      id: 'ToolStatisticsAnswer',
      examples: [
        {
          from: '2026-01-01T12:00:00.000Z',
          to: '2026-01-31T12:00:00.000Z',
          granularity: 'total',
          asOf: '2026-01-31T11:42:07.210Z',
          items: [
            {
              server: 'mcpservers:example',
              tool: 'get_balance',
              ...exampleNumbers,
              lastUsedAt: '2026-01-31T11:42:00.000Z',
            },
          ],
          totals: exampleNumbers,
          nextCursor: null,
        },
      ],
    }),
  )
export type ToolStatisticsAnswer = z.infer<typeof ToolStatisticsAnswer>

const Name = text({ max: statisticsBounds.methodChars })
const filterBy = (description: string, example: string) =>
  z.optional(Name.check(z.meta({ description, examples: [example] })))
const shape = StatisticsQuery.shape

/** The query parameters of `GET /account/statistics/tools`. */
export const ToolStatisticsQuery = z.strictObject({
  from: shape.from,
  to: shape.to,
  granularity: shape.granularity,
  timeZone: shape.timeZone,
  by: z._default(
    z.enum(toolStatisticsBy).check(z.meta({ description: 'what has a line of its own' })),
    'tool',
  ),
  keyId: filterBy('only calls with this API key, or of this agent', 'key_0f3a5c7e9b1d2f4a6c8e0b1d'),
  server: filterBy('only calls to this tool server', 'mcpservers:example'),
  tool: filterBy('only calls of tools of this name', 'get_balance'),
  limit: shape.limit,
  cursor: shape.cursor,
})
export type ToolStatisticsQuery = z.infer<typeof ToolStatisticsQuery>

/** The query parameters of `GET /account/statistics/tool-outcomes`. */
export const ToolOutcomesQuery = z.strictObject({
  from: shape.from,
  to: shape.to,
  server: ToolStatisticsQuery.shape.server,
})
export type ToolOutcomesQuery = z.infer<typeof ToolOutcomesQuery>

/** One line of `GET /account/statistics/tool-outcomes`. */
export const ToolOutcomes = z.object({
  server: z.string(),
  tool: z.string(),
  outcome: z.string().check(z.meta({ description: `one of ${toolCallOutcomeNames.join(', ')}` })),
  calls: Count,
  meanMs: z.number(),
})
export type ToolOutcomes = z.infer<typeof ToolOutcomes>

/** The answer to `GET /account/statistics/tool-outcomes`. */
export const ToolOutcomesAnswer = z
  .object({ from: RfcInstant, to: RfcInstant, asOf: RfcInstant, items: z.array(ToolOutcomes) })
  .check(
    z.meta({
      id: 'ToolOutcomesAnswer',
      examples: [
        {
          from: '2026-01-01T12:00:00.000Z',
          to: '2026-01-31T12:00:00.000Z',
          asOf: '2026-01-31T11:42:07.210Z',
          items: [
            { server: 'mcpservers:example', tool: 'get_balance', outcome: 'ok', calls: 104, meanMs: 96.2 },
            { server: 'mcpservers:example', tool: 'get_balance', outcome: 'denied', calls: 5, meanMs: 0 },
          ],
        },
      ],
    }),
  )
export type ToolOutcomesAnswer = z.infer<typeof ToolOutcomesAnswer>

/** What the console asks for a table. */
export const ToolUsageQuestion = z.strictObject({
  ...toolCallScope,
  by: z.enum([...toolStatisticsBy, 'account']),
  from: z.optional(EpochMs),
  to: z.optional(EpochMs),
  keyId: z.optional(idText(64)),
  server: z.optional(Name),
  tool: z.optional(Name),
})
export type ToolUsageQuestion = z.infer<typeof ToolUsageQuestion>

/** One row of the console's table. */
export interface ToolUsage extends ToolCallNumbers {
  readonly server: string | null
  readonly tool: string | null
  readonly keyId: string | null
  /** Of the key or the agent. */
  readonly name: string | null
  readonly accountId: string | null
  readonly lastUsedAt: number
}

/** The busiest first. */
export interface ToolUsageTable {
  readonly from: number
  readonly to: number
  readonly asOf: number
  readonly rows: readonly ToolUsage[]
  readonly totals: ToolCallNumbers
  readonly isCut: boolean
}

/** What became of calls, all tools of a server together. */
export interface ToolOutcomesTable {
  readonly outcomes: readonly { readonly outcome: ToolCallOutcome; readonly calls: number }[]
}
