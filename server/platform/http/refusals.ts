import { ErrorResponse } from '../../../shared/faults.ts'

/** Makes the `response` schemas of a route for the statuses with which it refuses: all are the specification's ErrorResponse. */
export function refusals<Status extends number>(...statuses: Status[]): Record<Status, typeof ErrorResponse> {
  const responses = {} as Record<Status, typeof ErrorResponse>
  for (const status of statuses) responses[status] = ErrorResponse
  return responses
}
