import { isGap, missingRequests, type ShownRequest } from '../../shared/request-log.ts'
import { csvText } from '../../shared/csv.ts'
import { trpc } from '../trpc.ts'
import { beginOf, requestFilterOf } from './request-view.ts'
import type { RequestView } from './request-view.ts'

/** More than this is a matter for programs: `gatehouse requests` reads all of it. */
const mostExported = 5_000

export interface ReadRequests {
  /** The newest first. */
  readonly requests: readonly ShownRequest[]
  /** What they lack; null: nothing. */
  readonly missing: string | null
}

/** Reads the requests that a view lets through. `tell` hears how many there are so far. */
export async function readRequests(
  view: RequestView,
  now: number,
  tell: (count: number) => void,
): Promise<ReadRequests> {
  const requests: ShownRequest[] = []
  let before: string | null = null
  let missing: string | null = null
  do {
    const page = await trpc.requests.list.query({
      ...requestFilterOf(view),
      from: beginOf(view, now),
      ...(before !== null && { before }),
    })
    requests.push(...page.requests)
    tell(requests.length)
    missing ??= missingRequests(page)
    before = page.nextCursor
  } while (before !== null && requests.length < mostExported)
  return { requests, missing }
}

const titles = [
  'time',
  'status',
  'class',
  'method',
  'calls',
  'key id',
  'key',
  'endpoint',
  'took ms',
  'attempts',
  'bytes in',
  'bytes out',
  'credits',
  'request id',
  'stands for',
]

/** A table for spreadsheets; a gap has its number in the last column. */
export const requestsCsv = (requests: readonly ShownRequest[]): string =>
  csvText([
    titles,
    ...requests.map((request) => {
      const time = new Date(request.at).toISOString()
      if (isGap(request)) return [time, '', 'not kept', ...titles.slice(4).map(() => ''), request.notKept]
      const attempts = request.attempts.map(
        ({ upstream, class: name, ms, isShared }) =>
          `${upstream} ${name} ${ms.toFixed(1)} ms${isShared === true ? ' shared' : ''}`,
      )
      return [
        time,
        request.status,
        request.class,
        request.method ?? '',
        request.calls,
        request.keyId,
        request.keyName ?? '',
        request.endpoint,
        request.ms,
        attempts.join('; '),
        request.bytesIn,
        request.bytesOut,
        request.credits,
        request.requestId ?? '',
        request.weight,
      ]
    }),
  ])

/** A JSON object in each line, as the log has it. */
export const requestsJsonLines = (requests: readonly ShownRequest[]): string =>
  requests.map((request) => `${JSON.stringify(request)}\n`).join('')
