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
