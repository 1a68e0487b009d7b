import {
  type ClassStatisticsAnswer,
  type ClassStatisticsQuery,
  type UpstreamStatisticsAnswer,
  type UpstreamStatisticsQuery,
  type UsageClass,
} from '../../../shared/usage-splits.ts'
import { askedInstant, rfc3339 } from '../../../shared/instants.ts'
import { fault } from '../../platform/fault.ts'
import type { AttemptRow } from '../attempt-store.ts'
import type { AttemptWriter } from '../flushing/attempt-writer.ts'
import { intervalFor, labelsFor, type Sources } from './sources.ts'
import type { SumsRow } from './sums.ts'

const mostRows = 20_000
const place = 'query parameter '

/** Says what became of calls, and of the requests to upstreams that were made for them. */
export function createSplitStatistics(sources: Sources, attempts: AttemptWriter) {
  return {
    /** Returns the calls of each class, also in each stretch of time. Faults: `invalid_request`, `not_found`. */
    async classes(accountId: string, query: ClassStatisticsQuery): Promise<ClassStatisticsAnswer> {
      const { granularity, keyId, endpoint, method, timeZone } = query
      const asOf = sources.now()
      const ends = { from: askedInstant(query.from), to: askedInstant(query.to), timeZone }
      const interval = intervalFor(ends, granularity, asOf, place)
      await labelsFor(sources, accountId, keyId)
      await sources.flushFor(accountId)
      const filter = { accountId, keyId, endpoint, method }
      const unit = granularity === 'total' ? 'day' : granularity
      const { rows, totals } = await sources.store.periods(interval, filter, unit)
      const shown = granularity === 'total' ? [] : rows
      return {
        ...frameOf(interval, granularity, asOf),
        items: shown
          .toSorted((one, other) => one.bucket.getTime() - other.bucket.getTime())
          .map((row) => ({ bucket: row.bucket.toISOString(), ...classesOf(row) })),
        totals: classesOf(totals),
      }
    },

    /** Returns requests to upstreams by their class. Faults: `invalid_request`, `not_found`. */
    async upstreams(accountId: string, query: UpstreamStatisticsQuery): Promise<UpstreamStatisticsAnswer> {
      const { granularity, endpoint, keyId, by } = query
      const asOf = sources.now()
      const ends = { from: askedInstant(query.from), to: askedInstant(query.to) }
      const interval = intervalFor(ends, '5m', asOf, place)
      await labelsFor(sources, accountId, keyId)
      await attempts.write()
      const unitMinutes = granularity === 'total' ? null : granularity === '5m' ? 5 : 60
      const { from, to } = interval
      const rows = await attempts.store.read({
        accountId,
        from,
        to,
        endpoint,
        keyId,
        isByKey: by === 'key',
        unitMinutes,
        limit: mostRows + 1,
      })
      if (rows.length > mostRows)
        throw fault('invalid_request', `${place}from: there is more than one answer holds; ask for less time`)
      return { ...frameOf(interval, granularity, asOf), items: rows.map(upstreamItem) }
    },
  }
}

const frameOf = <Granularity>(
  { from, to }: { from: number; to: number },
  granularity: Granularity,
  asOf: number,
) => ({ from: rfc3339(from), to: rfc3339(to), granularity, asOf: rfc3339(asOf) })

/** Each call is in one class. */
function classesOf(row: SumsRow): Record<UsageClass, number> {
  return {
    answered: row.ok - row.cached,
    cached: row.cached,
    nodeErrors: row.errors - row.unanswered,
    unanswered: row.unanswered,
    rateLimited: row.rate_limited,
    creditLimited: row.credit_limited,
    underWay: Math.max(0, row.requests - row.ok - row.errors),
  }
}

const upstreamItem = ({
  bucket,
  key_id: keyId,
  endpoint,
  upstream,
  attempts,
  took_ms,
  ...row
}: AttemptRow) => ({
  ...(bucket !== null && { bucket: bucket.toISOString() }),
  ...(keyId !== null && { keyId: keyId === '' ? 'other' : keyId }),
  endpoint,
  upstream,
  class: row.class,
  attempts,
  meanMs: Number((took_ms / Math.max(1, attempts)).toFixed(1)),
})
