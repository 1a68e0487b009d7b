import * as z from 'zod/mini'

import { describedCount } from './counts.ts'
import { RfcInstant } from './instants.ts'
import { StatisticsQuery } from './usage.ts'

/** What became of a call; each one is in one class. */
export const usageClasses = [
  'answered',
  'cached',
  'nodeErrors',
  'unanswered',
  'rateLimited',
  'creditLimited',
  'underWay',
] as const
export type UsageClass = (typeof usageClasses)[number]

const classFields = {
  answered: describedCount('answered by a node with a result'),
  cached: describedCount('answered with a result of the cache'),
  nodeErrors: describedCount('answered by a node with a JSON-RPC error'),
  unanswered: describedCount('answered by no node; cost nothing'),
  rateLimited: describedCount('refused by the rate limit'),
  creditLimited: describedCount('refused by the credits limit'),
  underWay: describedCount('admitted, and not answered yet'),
} as const

const frame = <Granularity extends z.core.util.EnumLike>(granularity: z.ZodMiniEnum<Granularity>) => ({
  from: RfcInstant,
  to: RfcInstant,
  granularity,
  asOf: RfcInstant,
})

const shape = StatisticsQuery.shape

/** The query parameters of `GET /account/statistics/classes`. */
export const ClassStatisticsQuery = z.strictObject({
  from: shape.from,
  to: shape.to,
  granularity: shape.granularity,
  timeZone: shape.timeZone,
  keyId: shape.keyId,
  endpoint: shape.endpoint,
  method: shape.method,
})
export type ClassStatisticsQuery = z.infer<typeof ClassStatisticsQuery>

const exampleClasses = {
  answered: 1_000,
  cached: 104,
  nodeErrors: 4,
  unanswered: 2,
  rateLimited: 12,
  creditLimited: 0,
  underWay: 0,
}
const exampleFrame = {
  from: '2026-01-31T10:00:00.000Z',
  to: '2026-01-31T12:00:00.000Z',
  asOf: '2026-01-31T11:42:07.210Z',
}

/** The answer to `GET /account/statistics/classes`. `items` has an element for each stretch with calls. */
export const ClassStatisticsAnswer = z
  .object({
    ...frame(z.enum(['total', '5m', 'hour', 'day'])),
    items: z.array(z.object({ bucket: RfcInstant, ...classFields })),
    totals: z.object(classFields),
  })
  .check(
    z.meta({
      id: 'ClassStatisticsAnswer',
      examples: [
        {
          ...exampleFrame,
          granularity: 'hour',
          items: [{ bucket: '2026-01-31T11:00:00.000Z', ...exampleClasses }],
          totals: exampleClasses,
        },
      ],
    }),
  )
export type ClassStatisticsAnswer = z.infer<typeof ClassStatisticsAnswer>

/** The query parameters of `GET /account/statistics/upstreams`. */
export const UpstreamStatisticsQuery = z.strictObject({
  from: shape.from,
  to: shape.to,
  granularity: z._default(
    z
      .enum(['total', '5m', 'hour'])
      .check(
        z.meta({ description: 'one item for the whole interval, or one for each five minutes or hour' }),
      ),
    'total',
  ),
  endpoint: shape.endpoint,
  keyId: shape.keyId,
  by: z.optional(
    z.enum(['key']).check(z.meta({ description: '`key`: items for each query key; else for all together' })),
  ),
})
export type UpstreamStatisticsQuery = z.infer<typeof UpstreamStatisticsQuery>

/** The answer to `GET /account/statistics/upstreams`. */
export const UpstreamStatisticsAnswer = z
  .object({
    ...frame(z.enum(['total', '5m', 'hour'])),
    items: z.array(
      z.object({
        bucket: z.optional(RfcInstant),
        keyId: z.optional(
          z.string().check(
            z.meta({
              description:
                'with `by=key`; `other` for requests from before keys were told apart, or of too many',
            }),
          ),
        ),
        endpoint: z.string(),
        upstream: z.string(),
        class: z
          .string()
          .check(z.meta({ description: 'what became of the requests: `answer`, or why there was none' })),
        attempts: describedCount('requests to the upstream; a batch is one'),
        meanMs: z.number(),
      }),
    ),
  })
  .check(
    z.meta({
      id: 'UpstreamStatisticsAnswer',
      examples: [
        {
          ...exampleFrame,
          granularity: 'total',
          items: [
            { endpoint: 'testnet', upstream: 'node-a', class: 'answer', attempts: 1_104, meanMs: 4.2 },
            { endpoint: 'testnet', upstream: 'node-b', class: 'node-failure', attempts: 12, meanMs: 3.1 },
          ],
        },
      ],
    }),
  )
export type UpstreamStatisticsAnswer = z.infer<typeof UpstreamStatisticsAnswer>
