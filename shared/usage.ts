import * as z from 'zod/mini'

import { Count, describedCount } from './counts.ts'
import { EpochMs, InstantText, readInstant, RfcInstant } from './instants.ts'
import { text } from './text.ts'
import { TimeZone } from './time-zone.ts'

/** Bounds of one question about usage. `hours`: of an answer by the hour. */
export const statisticsBounds = {
  limit: 1_000,
  defaultLimit: 100,
  defaultDays: 30,
  days: 366,
  hours: 31 * 24,
  methodChars: 128,
} as const

/** How long statistics are kept: by five minutes, by the hour, and by the day. */
export const usageRetention = { fivesDays: 2, hoursDays: 90, daysDays: 730 } as const

/** Calls of methods beyond the first 200 of an endpoint are counted under this name. */
export const otherMethods = 'other'

export const granularities = ['total', '5m', 'hour', 'day'] as const
export const Granularity = z.enum(granularities)
export type Granularity = z.infer<typeof Granularity>

const latency = z.nullable(z.number()).check(z.meta({ description: 'null: no call was answered' }))

/** What was counted. Refused calls are in `rateLimited` and `creditLimited` only. */
export const UsageNumbers = z.object({
  requests: describedCount('calls that were admitted; each call of a batch is one'),
  credits: describedCount('credits charged: those of calls that no upstream answered were given back'),
  ok: describedCount('answered with a result'),
  errors: describedCount('answered with a JSON-RPC error, or by no upstream'),
  rateLimited: describedCount('calls refused by the rate limit'),
  creditLimited: describedCount('calls refused by the credits limit'),
  bytesIn: Count,
  bytesOut: Count,
  p50Ms: latency,
  p99Ms: latency,
})
export type UsageNumbers = z.infer<typeof UsageNumbers>

const lastUsedAt = z.nullable(RfcInstant).check(z.meta({ description: 'to the minute' }))
const bucket = z
  .optional(RfcInstant)
  .check(z.meta({ description: 'beginning of the five minutes, hour or day; absent for total' }))

const keyFields = {
  keyId: z.string(),
  name: z.string(),
  keyHint: z.string(),
  endpoint: z.string(),
  lastUsedAt,
  bucket,
} as const

/** One line of `GET /account/statistics/keys`. */
export const KeyStatistics = z.extend(UsageNumbers, keyFields).check(z.meta({ id: 'KeyStatistics' }))
export type KeyStatistics = z.infer<typeof KeyStatistics>

/** One line of `GET /account/statistics/key-methods`. */
export const KeyMethodStatistics = z
  .extend(UsageNumbers, { ...keyFields, method: z.string() })
  .check(z.meta({ id: 'KeyMethodStatistics' }))

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
    asOf: RfcInstant.check(
      z.meta({ description: 'calls that were counted before this instant are in the answer' }),
    ),
    items: z.array(Item),
    totals: UsageNumbers,
    nextCursor: z.nullable(z.string()),
  })

const exampleNumbers = {
  requests: 1_110,
  credits: 28_860,
  ok: 1_104,
  errors: 6,
  rateLimited: 12,
  creditLimited: 0,
  bytesIn: 133_200,
  bytesOut: 333_000,
  p50Ms: 4.07,
  p99Ms: 81.5,
} as const

const exampleKey = {
  keyId: 'qkey_0f3a5c7e9b1d2f4a6c8e0b1d',
  name: 'wallet backend',
  keyHint: 'gqk_…9f3K',
  endpoint: 'testnet',
} as const

const exampleOf = (item: object) => ({
  from: '2026-01-01T12:00:00.000Z',
  to: '2026-01-31T12:00:00.000Z',
  granularity: 'total',
  asOf: '2026-01-31T11:42:07.210Z',
  items: [{ ...item, ...exampleNumbers, lastUsedAt: '2026-01-31T11:42:00.000Z' }],
  totals: exampleNumbers,
  nextCursor: null,
})

/** The answer to `GET /account/statistics/keys`. */
export const KeyStatisticsAnswer = answerOf(KeyStatistics).check(
  z.meta({
    id: 'KeyStatisticsAnswer',
    examples: [exampleOf(exampleKey)],
  }),
)
export type KeyStatisticsAnswer = z.infer<typeof KeyStatisticsAnswer>

/** The answer to `GET /account/statistics/methods`. */
export const MethodStatisticsAnswer = answerOf(MethodStatistics).check(
  z.meta({ id: 'MethodStatisticsAnswer', examples: [exampleOf({ method: 'eth_call' })] }),
)
export type MethodStatisticsAnswer = z.infer<typeof MethodStatisticsAnswer>

/** The answer to `GET /account/statistics/key-methods`. */
export const KeyMethodStatisticsAnswer = answerOf(KeyMethodStatistics).check(
  z.meta({
    id: 'KeyMethodStatisticsAnswer',
    examples: [exampleOf({ ...exampleKey, method: 'eth_call' })],
  }),
)
export type KeyMethodStatisticsAnswer = z.infer<typeof KeyMethodStatisticsAnswer>

/** The beginning of the year 2100, epoch ms: an interval is widened to whole days, and may not leave what can be held. */
const latestAsked = 4_102_444_800_000
const AskedInstant = EpochMs.check(z.maximum(latestAsked))

const isAskable = (instant: string): boolean => (readInstant(instant) ?? 0) <= latestAsked

const instantText = (description: string, example: string) =>
  z.optional(
    InstantText.check(
      z.refine(isAskable, 'expected an instant before the year 2100'),
      z.meta({ description, examples: [example] }),
    ),
  )

const Id = text({ max: statisticsBounds.methodChars })
const filterBy = (description: string, example: string) =>
  z.optional(Id.check(z.meta({ description, examples: [example] })))

/** The query parameters of `GET /account/statistics/keys`, `/methods` and `/key-methods`. */
export const StatisticsQuery = z.strictObject({
  from: instantText(
    'RFC 3339 or Unix seconds; 30 days before `to` when not given. Taken back to the beginning of its hour',
    '2026-01-01T00:00:00Z',
  ),
  to: instantText(
    'RFC 3339 or Unix seconds, not included; now when not given. Taken on to the end of its hour',
    '1767312000',
  ),
  granularity: z._default(
    Granularity.check(
      z.meta({
        description:
          'one item for the whole interval, or one for each five minutes (of the last 48 hours), hour (of UTC) or day',
      }),
    ),
    'total',
  ),
  timeZone: z.optional(TimeZone),
  keyId: filterBy('only calls with this query key', 'qkey_0f3a5c7e9b1d2f4a6c8e0b1d'),
  endpoint: filterBy('only calls to this endpoint', 'testnet'),
  method: filterBy('only calls of this method', 'eth_call'),
  limit: z._default(
    z.coerce.number(`expected a whole number from 1 to ${statisticsBounds.limit}`).check(
      z.refine(
        (limit) => Number.isInteger(limit) && limit >= 1 && limit <= statisticsBounds.limit,
        `expected a whole number from 1 to ${statisticsBounds.limit}`,
      ),
      z.meta({ description: `items of a page, at most ${statisticsBounds.limit}`, examples: [100] }),
    ),
    statisticsBounds.defaultLimit,
  ),
  cursor: z.optional(
    text({ min: 0, max: 400 }).check(z.meta({ description: 'nextCursor of the page before' })),
  ),
})
export type StatisticsQuery = z.infer<typeof StatisticsQuery>

const questionFields = {
  from: z.optional(AskedInstant), // 30 days ago when not given
  to: z.optional(AskedInstant), // now when not given
  timeZone: z.optional(TimeZone), // UTC when not given
  keyId: z.optional(Id),
  endpoint: z.optional(Id),
  method: z.optional(Id),
} as const

/**
 * What the console asks for a table. The interval is widened to whole hours, or whole days where it is long past; by five
 * minutes only to those.
 */
export const UsageQuestion = z.strictObject({ ...questionFields, isByFives: z.optional(z.boolean()) })
export type UsageQuestion = z.infer<typeof UsageQuestion>

/** What a chart can count. */
export const usageMeasures = ['requests', 'credits', 'errors', 'refused'] as const
export type UsageMeasure = (typeof usageMeasures)[number]

/** What the console asks for a chart: the `top` that have most of `measure` by name, all others as one. */
export const UsageSeriesQuestion = z.strictObject({
  ...questionFields,
  by: z.enum(['key', 'method']),
  granularity: z.enum(['5m', 'hour', 'day']),
  measure: z._default(z.enum(usageMeasures), 'requests'),
  top: z._default(z.int().check(z.minimum(1), z.maximum(20)), 8),
})
export type UsageSeriesQuestion = z.infer<typeof UsageSeriesQuestion>

/** Epoch ms, `to` not included. Calls of other processes that are not older than a second may be missing. */
export interface UsageInterval {
  readonly from: number
  readonly to: number
  readonly asOf: number
}

/** A key that was used in the interval; a deleted one keeps the last name that was noted of it. */
export interface KeyUsage extends UsageNumbers {
  readonly keyId: string
  readonly name: string
  readonly hint: string
  readonly endpoint: string
  readonly isDeleted: boolean
  /** Epoch ms, to the minute. */
  readonly lastUsedAt: number | null
}

export interface MethodUsage extends UsageNumbers {
  readonly method: string
  readonly lastUsedAt: number | null
}

/** The busiest first, at most `statisticsBounds.limit`. */
export interface UsageTable<Row> extends UsageInterval {
  readonly rows: readonly Row[]
  /** Of all rows, those left out included. */
  readonly totals: UsageNumbers
  readonly isCut: boolean
}

/** One band of a stacked chart: numbers for each of the buckets. */
export interface UsageBand {
  /** A key's id or a method; null: all others together. */
  readonly id: string | null
  /** What to call it. */
  readonly label: string
  readonly requests: readonly number[]
  readonly credits: readonly number[]
  readonly errors: readonly number[]
  /** By either limit. */
  readonly refused: readonly number[]
}

export interface UsageSeries extends UsageInterval {
  readonly granularity: '5m' | 'hour' | 'day'
  /** Beginnings of the five minutes, hours or days, epoch ms, without gaps. */
  readonly buckets: readonly number[]
  /** Those with most of the measure first; the others last, where there are any. */
  readonly bands: readonly UsageBand[]
  readonly totals: UsageNumbers
}

export interface TrafficHour {
  /** Beginning of the hour, epoch ms. */
  readonly at: number
  readonly requests: number
  readonly credits: number
  readonly errors: number
  readonly rateLimited: number
  readonly creditLimited: number
}

/** The last 24 hours, the one that is under way included. */
export interface Traffic extends UsageInterval {
  readonly hours: readonly TrafficHour[]
  readonly totals: UsageNumbers
}
