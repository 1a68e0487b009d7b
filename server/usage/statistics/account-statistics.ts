import { askedInstant, rfc3339 } from '../../../shared/instants.ts'
import type { PagePosition } from './page-bounds.ts'
import {
  type KeyMethodStatisticsAnswer,
  type KeyStatisticsAnswer,
  type MethodStatisticsAnswer,
  type StatisticsQuery,
} from '../../../shared/usage.ts'
import { fault } from '../../platform/fault.ts'
import { keyUsage } from './shapes.ts'
import { intervalFor, labelsFor, type Sources } from './sources.ts'
import { type GroupBy, methodIn } from './counted-rows.ts'
import type { GroupRow } from './store.ts'
import { numbersOf } from './sums.ts'

/**
 * Answers `GET /account/statistics/…`. Calls that this process has just counted are included; those of other processes
 * follow within a second. Faults: `invalid_request` naming the parameter, `not_found` for a key that the account never
 * had.
 */
export function createAccountStatistics(sources: Sources) {
  const { store, flushFor, now } = sources

  async function readPage(accountId: string, by: GroupBy, query: StatisticsQuery) {
    const { granularity, keyId, endpoint, method, limit } = query
    const asOf = now()
    const ends = { from: askedInstant(query.from), to: askedInstant(query.to), timeZone: query.timeZone }
    const interval = intervalFor(ends, granularity, asOf, 'query parameter ')
    const unit = granularity === 'total' ? null : granularity
    const after = placeIn(query.cursor, unit !== null)
    const known = await labelsFor(sources, accountId, keyId)
    await flushFor(accountId)
    const filter = { accountId, keyId, endpoint, method }
    const grouping = { by, unit, order: 'place', after, limit: limit + 1 } as const
    const { groups, totals } = await store.groups(interval, filter, grouping)
    const rows = groups.slice(0, limit)
    const last = groups.length > limit ? rows.at(-1) : undefined
    const frame = {
      from: rfc3339(interval.from),
      to: rfc3339(interval.to),
      granularity,
      asOf: rfc3339(asOf),
      totals: numbersOf(totals),
      nextCursor: last === undefined ? null : cursorAfter(last),
    }
    return { frame, rows, known }
  }

  return {
    async keys(accountId: string, query: StatisticsQuery): Promise<KeyStatisticsAnswer> {
      const { frame, rows, known } = await readPage(accountId, 'key', query)
      const items = rows.map((row) => {
        const { keyId, name, hint: keyHint, endpoint } = keyUsage(row, known)
        return { keyId, name, keyHint, endpoint, ...numbersOf(row), ...timesOf(row) }
      })
      return { ...frame, items }
    },

    async keyMethods(accountId: string, query: StatisticsQuery): Promise<KeyMethodStatisticsAnswer> {
      const { frame, rows, known } = await readPage(accountId, 'method of key', query)
      const items = rows.map((row) => {
        const { of: keyId, method } = methodIn(row.id)
        const { name, hint: keyHint, endpoint } = keyUsage({ ...row, id: keyId }, known)
        return { keyId, name, keyHint, endpoint, method, ...numbersOf(row), ...timesOf(row) }
      })
      return { ...frame, items }
    },

    async methods(accountId: string, query: StatisticsQuery): Promise<MethodStatisticsAnswer> {
      const { frame, rows } = await readPage(accountId, 'method', query)
      const items = rows.map((row) => ({ method: row.id, ...numbersOf(row), ...timesOf(row) }))
      return { ...frame, items }
    },
  }
}

function timesOf({ last_used_at, bucket }: GroupRow) {
  const lastUsedAt = last_used_at.toISOString()
  return bucket === null ? { lastUsedAt } : { lastUsedAt, bucket: bucket.toISOString() }
}

const placeOf = ({ bucket, id }: GroupRow): PagePosition => ({
  bucketAt: bucket?.getTime() ?? null,
  id,
})

/** Returns the place that a cursor names. Fault: `invalid_request`. */
export function placeIn(cursor: string | undefined, hasBuckets: boolean): PagePosition | null {
  if (cursor === undefined) return null
  const place = readCursor(cursor, hasBuckets)
  if (place !== null) return place
  throw fault(
    'invalid_request',
    'query parameter cursor: expected nextCursor of an answer to the same question',
  )
}

/** Returns the cursor of the page after a row. */
export const cursorAfter = (row: GroupRow): string => cursorOf(placeOf(row))

/** Encodes the place after which the next page begins; opaque to callers. */
export const cursorOf = ({ bucketAt, id }: PagePosition): string =>
  Buffer.from(`${bucketAt ?? ''}|${id}`).toString('base64url')

/** Decodes a cursor; null for a text that is no cursor, or one of another granularity. */
export function readCursor(text: string, hasBuckets: boolean): PagePosition | null {
  const [, bucket = '', id = ''] = /^(\d{0,15})\|(.+)$/s.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (id === '' || id.includes('\0') || (bucket !== '') !== hasBuckets) return null
  return { bucketAt: bucket === '' ? null : Number(bucket), id }
}
