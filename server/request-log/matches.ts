import { type LoggedRequest, type RequestFilter, isGap, requestClasses } from '../../shared/request-log.ts'

/** Returns whether a filter shows a request. A gap is of no key or method, so only filters of time show it. */
export function matches(request: LoggedRequest, filter: RequestFilter): boolean {
  const { from, to, keyId, endpoint, method, group, upstream, status, requestId } = filter
  if ((from !== undefined && request.at < from) || (to !== undefined && request.at >= to)) return false
  if (isGap(request))
    return [keyId, endpoint, method, group, upstream, status, requestId].every(
      (wanted) => wanted === undefined,
    )
  return (
    isWanted(keyId, request.keyId) &&
    isWanted(endpoint, request.endpoint) &&
    isWanted(method, request.method) &&
    isWanted(group, requestClasses[request.class]) &&
    (upstream === undefined || request.attempts.some((attempt) => attempt.upstream === upstream)) &&
    isWanted(status, request.status) &&
    isWanted(requestId, request.requestId)
  )
}

const isWanted = <Value>(wanted: Value | undefined, value: Value | null): boolean =>
  wanted === undefined || wanted === value

/** Returns the texts that a line must contain to match; cheaper to look for than to parse the line. */
export const textsOf = ({ keyId, requestId, method, upstream }: RequestFilter): string[] =>
  [keyId, requestId, method, upstream]
    .filter((wanted) => wanted !== undefined)
    .map((wanted) => JSON.stringify(wanted))

/** Where a page ends, by instant and id: ids of one process are in the order of their requests. */
export interface Cursor {
  readonly at: number
  readonly id: string
}

export const formatCursor = ({ at, id }: Cursor): string => `${at}.${id}`

/** Returns null for a text that is no cursor. */
export function parseCursor(cursor: string): Cursor | null {
  const [, at, id] = /^(\d{1,15})\.([\w-]{1,40})$/.exec(cursor) ?? []
  return at === undefined || id === undefined ? null : { at: Number(at), id }
}

export const isBefore = (request: Cursor, cursor: Cursor): boolean =>
  request.at < cursor.at || (request.at === cursor.at && request.id < cursor.id)

/** Compares for a list with the newest first. */
export const newestFirst = (one: Cursor, other: Cursor): number =>
  isBefore(one, other) ? 1 : isBefore(other, one) ? -1 : 0
