import { ErrorResponse } from '../../../shared/faults.ts'

/** For a route's `response`: the statuses with which it refuses, all with the specification's ErrorResponse. */
export function refusals<Status extends number>(...statuses: Status[]): Record<Status, typeof ErrorResponse> {
  const responses = {} as Record<Status, typeof ErrorResponse>
  for (const status of statuses) responses[status] = ErrorResponse
  return responses
}
