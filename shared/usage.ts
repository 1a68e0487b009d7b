import * as z from 'zod/mini'

/** Bounds of one question about usage. */
export const statisticsBounds = { limit: 1_000, defaultLimit: 100, defaultDays: 30 } as const

export const granularities = ['total', 'hour', 'day'] as const
export const Granularity = z.enum(granularities)
export type Granularity = z.infer<typeof Granularity>

const count = z.int().check(z.minimum(0))
const latency = z.nullable(z.number()).check(z.meta({ description: 'null: no call was answered' }))
const RfcInstant = z.string().check(z.meta({ format: 'date-time' }))

/** What was counted. Refused calls are in `rateLimited` and `creditLimited` only. */
export const UsageNumbers = z.object({
  requests: count.check(z.meta({ description: 'calls that were admitted; each call of a batch is one' })),
  credits: count.check(
    z.meta({ description: 'credits charged: those of calls that no upstream answered were given back' }),
  ),
  ok: count.check(z.meta({ description: 'answered with a result' })),
  errors: count.check(z.meta({ description: 'answered with a JSON-RPC error, or by no upstream' })),
  rateLimited: count.check(z.meta({ description: 'calls refused by the rate limit' })),
  creditLimited: count.check(z.meta({ description: 'calls refused by the credits limit' })),
  bytesIn: count,
  bytesOut: count,
  p50Ms: latency,
  p99Ms: latency,
})
export type UsageNumbers = z.infer<typeof UsageNumbers>

const lastUsedAt = z.nullable(RfcInstant).check(z.meta({ description: 'to the minute' }))
const bucket = z
  .optional(RfcInstant)
  .check(z.meta({ description: 'beginning of the hour or day; absent for total' }))

/** One line of `GET /account/statistics/keys`. */
export const KeyStatistics = z
  .extend(UsageNumbers, {
    keyId: z.string(),
    name: z.string(),
    keyHint: z.string(),
    endpoint: z.string(),
    lastUsedAt,
    bucket,
  })
  .check(z.meta({ id: 'KeyStatistics' }))
export type KeyStatistics = z.infer<typeof KeyStatistics>

/** One line of `GET /account/statistics/methods`. */
export const MethodStatistics = z
  .extend(UsageNumbers, { method: z.string(), lastUsedAt, bucket })
  .check(z.meta({ id: 'MethodStatistics' }))
export type MethodStatistics = z.infer<typeof MethodStatistics>

const answerOf = <Item extends z.ZodMiniType>(Item: Item) =>
  z.object({
    from: RfcInstant,
    to: RfcInstant,
    granularity: Granularity,
    asOf: RfcInstant.check(z.meta({ description: 'calls that ended before this instant are counted' })),
    items: z.array(Item),
    totals: UsageNumbers,
    nextCursor: z.nullable(z.string()),
  })

export const KeyStatisticsAnswer = answerOf(KeyStatistics).check(z.meta({ id: 'KeyStatisticsAnswer' }))
export type KeyStatisticsAnswer = z.infer<typeof KeyStatisticsAnswer>
export const MethodStatisticsAnswer = answerOf(MethodStatistics).check(
  z.meta({ id: 'MethodStatisticsAnswer' }),
)
export type MethodStatisticsAnswer = z.infer<typeof MethodStatisticsAnswer>
