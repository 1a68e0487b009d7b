import { ErrorResponse, type FaultCode } from '../../../shared/faults.ts'
import { unauthorizedText } from './api-key-refusals.ts'

/** Makes the `response` schemas of a route for the statuses with which it refuses: all are the specification's ErrorResponse. */
export function refusals<Status extends number>(...statuses: Status[]): Record<Status, typeof ErrorResponse> {
  const responses = {} as Record<Status, typeof ErrorResponse>
  for (const status of statuses) responses[status] = ErrorResponse
  return responses
}

/** Describes a refusal for the API's description, with an example. `retryAfter`: the answer says when to ask again. */
export const describeRefusal = (
  description: string,
  code: FaultCode,
  message: string,
  { retryAfter = false } = {},
) => ({
  description,
  content: { 'application/json': { example: { error: { code, message } } } },
  ...(retryAfter && { headers: retryAfterHeader }),
})

const retryAfterHeader = {
  'Retry-After': { description: 'seconds until it is worth trying again', schema: { type: 'integer' } },
} as const

/** Describes how a route refuses API keys. `permission`: the label of what the key needs. */
export const describeKeyRefusals = (permission: string) => ({
  401: describeRefusal(
    'No API key that works; the same answer for all of them',
    'unauthorized',
    unauthorizedText,
  ),
  403: describeRefusal(
    'The API key does not work from here (ip_not_allowed, domain_not_allowed), or lacks the permission',
    'permission_missing',
    `This key lacks the permission ${permission}: tick it in the key`,
  ),
})
