import { latenciesFromNumber, latencyPercentile } from '../latency-histogram.ts'
import type { AttemptRow } from '../attempt-store.ts'
import type { AttemptWriter } from '../flushing/attempt-writer.ts'
import { cursorAfter, placeIn } from './account-statistics.ts'
import type { Filter, GroupBy } from './counted-rows.ts'
import type { BucketUnit, TimeSpan } from './interval.ts'
import { intervalFor, type Sources } from './sources.ts'
import type { SumsRow } from './sums.ts'

/** What was counted of some calls, for whoever names it in words of its own. */
export interface CallCounts {
  /** Calls that were admitted. */
  readonly requests: number
  readonly ok: number
  /** Ended without a result, `unanswered` included. */
  readonly errors: number
  readonly unanswered: number
  /** Not admitted, by whatever rule. */
  readonly refused: number
  readonly credits: number
  readonly bytesIn: number
  readonly bytesOut: number
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

export interface CallGroup extends CallCounts {
  /** The id of what is grouped, as `idOf` in `counted-rows.ts` makes it. */
  readonly id: string
  readonly bucketAt: number | null
  readonly lastUsedAt: number
}

/** Ends in epoch ms; without them, the last 30 days. */
interface Asked {
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly timeZone?: string | undefined
  readonly granularity: 'total' | BucketUnit
  readonly limit: number
  /** Absent: the busiest first, without further pages. */
  readonly page?: { readonly cursor: string | undefined }
}

export interface GroupedPage extends TimeSpan {
  readonly asOf: number
  readonly groups: readonly CallGroup[]
  readonly totals: CallCounts
  /** Null on the last page. Of the busiest: whether there are more is told by `isCut` alone. */
  readonly nextCursor: string | null
  readonly isCut: boolean
}

const place = 'query parameter '

/** Sums of calls of an account, or of all (null), grouped in every way that the tables allow. */
export function createGroupedStatistics({ store, flushFor, now }: Sources, attempts: AttemptWriter) {
  return {
    /** Returns sums. Fault: `invalid_request`, which names the field. */
    async grouped(by: GroupBy, filter: Filter, asked: Asked): Promise<GroupedPage> {
      const { granularity, limit, page, from, to, timeZone } = asked
      const asOf = now()
      const interval = intervalFor({ from, to, timeZone }, granularity, asOf, place)
      const unit = granularity === 'total' ? null : granularity
      const after = placeIn(page?.cursor, unit !== null)
      await flushFor(filter.accountId)
      const order = page === undefined ? 'busiest' : 'place'
      const grouping = { by, unit, order, after, limit: limit + 1 } as const
      const { groups, totals } = await store.groups(interval, filter, grouping)
      const rows = groups.slice(0, limit)
      const last = rows.at(-1)
      const isCut = groups.length > limit
      return {
        from: interval.from,
        to: interval.to,
        asOf,
        groups: rows.map((row) => ({
          ...countsOf(row),
          id: row.id,
          bucketAt: row.bucket?.getTime() ?? null,
          lastUsedAt: row.last_used_at.getTime(),
        })),
        totals: countsOf(totals),
        nextCursor: isCut && last !== undefined && page !== undefined ? cursorAfter(last) : null,
        isCut,
      }
    },

    /** Returns what was sent, by what became of it, of an account or of all (null). */
    async attemptsIn(
      accountId: string | null,
      { from, to }: TimeSpan,
      endpoint: string | undefined,
      limit: number,
    ): Promise<AttemptRow[]> {
      await attempts.write()
      return attempts.store.read({ accountId, from, to, endpoint, unitMinutes: null, limit })
    },
  }
}

function countsOf(row: SumsRow): CallCounts {
  const latencies = latenciesFromNumber(row.latencies)
  return {
    requests: row.requests,
    ok: row.ok,
    errors: row.errors,
    unanswered: row.unanswered,
    refused: row.rate_limited + row.credit_limited,
    credits: row.credits,
    bytesIn: row.bytes_in,
    bytesOut: row.bytes_out,
    p50Ms: latencyPercentile(latencies, 0.5),
    p95Ms: latencyPercentile(latencies, 0.95),
  }
}
