import {
  isGap,
  type LoggedRequest,
  type RequestCounts,
  requestClasses,
  type RequestFilter,
} from '../../shared/request-log.ts'
import { isBefore, newestFirst, type RecordPosition } from '../../shared/record-position.ts'
import { parseLine } from './entry-lines.ts'
import { matches, textsOf } from './matches.ts'
import type { SegmentFiles } from './segment-files.ts'
import { segmentKinds, type Segment } from './segment-plan.ts'

/** A request with the account that it belongs to. */
export type OwnedRequest = LoggedRequest & { readonly accountId: string }

interface Wanted {
  readonly filter: RequestFilter
  /** Older requests are not shown, whether or not their segment is still there. */
  readonly since: number
}

/** Whole segments that are too old or too new are not read. */
const mayContain = ({ startedAt, newestAt }: Segment, { filter: { from = 0, to }, since }: Wanted): boolean =>
  newestAt >= Math.max(from, since) - 1_000 && (to === undefined || startedAt < to)

/** Yields the requests of an account that match, the newest of each kind first. One segment is in memory at a time. */
async function* matching(
  files: SegmentFiles,
  segments: readonly Segment[],
  wanted: Wanted,
): AsyncGenerator<LoggedRequest> {
  const { filter, since } = wanted
  const texts = textsOf(filter)
  for (const segment of segments) {
    if (!mayContain(segment, wanted)) continue
    for (const line of await files.lines(segment)) {
      if (!texts.every((text) => line.includes(text))) continue
      const request = parseLine(line)
      if (request !== null && request.at >= since && matches(request, filter)) yield request
    }
  }
}

/** Reads at most `limit` requests before the cursor, the newest first. */
export async function readPage(
  files: SegmentFiles,
  accountId: string,
  wanted: Wanted & { readonly before: RecordPosition | null; readonly limit: number },
): Promise<OwnedRequest[]> {
  const { before, limit } = wanted
  const found: OwnedRequest[] = []
  for (const kind of segmentKinds) {
    let left = limit
    for await (const request of matching(files, files.of(accountId, kind), wanted)) {
      if (before !== null && !isBefore(request, before)) continue
      found.push({ ...request, accountId })
      left--
      if (left === 0) break
    }
  }
  return found.toSorted(newestFirst).slice(0, limit)
}

/** The number of stretches into which a period is divided. */
const stretches = 90

/** Counts the requests that match in equal stretches from `filter.from` to `until`; each counts for as many as it stands for. */
export async function countRequests(
  files: SegmentFiles,
  accounts: readonly string[],
  wanted: Wanted,
  until: number,
): Promise<RequestCounts[]> {
  const from = Math.max(wanted.filter.from ?? 0, wanted.since)
  const stretchMs = Math.max(1_000, (until - from) / stretches)
  const counts = Array.from({ length: stretches }, (_, index) => ({
    at: Math.round(from + index * stretchMs),
    answered: 0,
    failed: 0,
    refused: 0,
  }))
  for (const accountId of accounts) {
    for (const kind of segmentKinds) {
      for await (const request of matching(files, files.of(accountId, kind), wanted)) {
        const count = counts[Math.min(stretches - 1, Math.floor((request.at - from) / stretchMs))]
        if (count !== undefined && !isGap(request)) count[requestClasses[request.class]] += request.weight
      }
    }
  }
  return counts
}
