import type { ProbeError } from '../../../shared/verifier-protocol.ts'

/** What a status other than success means; null for success. A redirect, too, means that the address is wrong. */
export function failureOfStatus(status: number): ProbeError | null {
  if (status >= 200 && status < 300) return null
  if (status === 429) return 'RATE_LIMITED'
  return status >= 500 ? 'HTTP_5XX' : 'HTTP_4XX'
}
