import type { Trouble } from '../outcomes.ts'

/** A refusal as clients of the protocol read it: JSON-RPC, without the id of a request that nobody looked at. */
export function refusal(status: number, code: number, message: string, headers: Record<string, string> = {}) {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers })
}

export const noSession = (): Response => refusal(404, -32_001, 'Session not found')

/** What went wrong on the way, for a client that thinks it speaks to the tool server itself. */
export function troubleAnswer(trouble: Trouble): Response {
  switch (trouble.outcome) {
    case 'unknown_connection':
      return refusal(404, -32_001, 'There is no such connection')
    case 'service_gone':
      return refusal(410, -32_001, 'The registry does not list this tool server any more')
    case 'origin_changed':
      return refusal(409, -32_001, 'The tool server moved: save its credentials anew')
    case 'auth_required':
      // Not 401: the credentials of this request to the gateway are fine.
      return refusal(403, -32_001, 'The tool server wants other credentials than it was given')
    case 'busy':
      return refusal(503, -32_001, 'Too much is under way: try again in a moment', {
        'retry-after': String(trouble.retryAfterSec),
      })
    case 'too_large':
      return refusal(502, -32_001, `The tool server answered with more than is taken (${trouble.what})`)
    case 'timed_out':
      return refusal(504, -32_001, 'The tool server did not answer in time')
    case 'unreachable':
    case 'protocol_error':
      return refusal(502, -32_001, 'The tool server cannot be reached')
    case 'cancelled':
      return refusal(499, -32_001, 'Cancelled')
  }
}
