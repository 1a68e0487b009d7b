import type { CallFailure } from '../call-results.ts'
import type { DeniedToolCall } from '../tool-call.ts'

/** Returns a JSON-RPC error without an id, because the request was not parsed. */
export function jsonRpcErrorResponse(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
) {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers })
}

/**
 * Returns the result of a tool that a rule forbids: an ordinary error of a tool, which models read. It has no
 * `structuredContent`, because clients hold that to the tool's output schema; programs find its fields in the metadata.
 */
export function deniedResponse(id: unknown, { message, retryAfterSec }: DeniedToolCall): Response {
  const error = { code: retryAfterSec === null ? 'not_allowed' : 'rate_limited', message }
  const refusal = { error, ...(retryAfterSec !== null && { retry_after_seconds: retryAfterSec }) }
  const content = [{ type: 'text', text: JSON.stringify(refusal) }]
  const _meta = { 'gatehouse/refusal': refusal }
  const result = { content, isError: true, resultType: 'complete', _meta }
  return Response.json({ jsonrpc: '2.0', id, result })
}

export const sseOnly = (): Response =>
  jsonRpcErrorResponse(
    501,
    -32_000,
    'This tool server speaks HTTP with SSE only: use it through the gateway’s tools',
  )

export const sessionNotFound = (): Response => jsonRpcErrorResponse(404, -32_001, 'Session not found')

/** Returns the response for a failed call, for a client that believes it speaks to the tool server itself. */
export function callFailureResponse(failure: CallFailure): Response {
  switch (failure.outcome) {
    case 'unknown_connection':
      return jsonRpcErrorResponse(404, -32_001, 'There is no such connection')
    case 'service_gone':
      return jsonRpcErrorResponse(410, -32_001, 'The registry does not list this tool server any more')
    case 'origin_changed':
      return jsonRpcErrorResponse(409, -32_001, 'The tool server moved: save its credentials anew')
    case 'auth_required':
      // Not 401: the credentials of this request to the gateway are fine.
      return jsonRpcErrorResponse(403, -32_001, 'The tool server wants other credentials than it was given')
    case 'consent_needed':
      return jsonRpcErrorResponse(403, -32_001, `The owner of this connection has to agree at ${failure.url}`)
    case 'busy':
      return jsonRpcErrorResponse(
        503,
        -32_001,
        failure.isFailing
          ? 'The tool server has failed too often: try again later'
          : 'Too much is under way: try again in a moment',
        {
          'retry-after': String(failure.retryAfterSec),
        },
      )
    case 'too_large':
      return jsonRpcErrorResponse(
        502,
        -32_001,
        `The tool server answered with more than is taken (${failure.what})`,
      )
    case 'timed_out':
      return jsonRpcErrorResponse(504, -32_001, 'The tool server did not answer in time')
    case 'unreachable':
    case 'protocol_error':
      return jsonRpcErrorResponse(502, -32_001, 'The tool server cannot be reached')
    case 'cancelled':
      return jsonRpcErrorResponse(499, -32_001, 'Cancelled')
  }
}
