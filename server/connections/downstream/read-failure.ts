import {
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'

import { DownstreamError, DownstreamRefusal } from './failure.ts'

const timeOuts: ReadonlySet<string> = new Set([SdkErrorCode.RequestTimeout])
const brokenConnections: ReadonlySet<string> = new Set([
  SdkErrorCode.ConnectionClosed,
  SdkErrorCode.NotConnected,
])

/** What the SDK says of a server that begins with another version than it was offered; it has no class for that. */
const unknownVersion = /^Server's protocol version is not supported: /

/**
 * Converts what the SDK threw to a failure. `known` is what was seen on the wire, which says more. Texts of the SDK
 * contain words of the peer and are dropped.
 */
export function readFailure(error: unknown, known: DownstreamError | null, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  if (known !== null) return known
  if (error instanceof DownstreamRefusal) return error
  if (error instanceof ProtocolError) return new DownstreamRefusal(error.code, error.message, error.data)
  return downstreamErrorIn(error) ?? byKind(error)
}

/** Finds our own error: the SDK wraps what a fetch threw, sometimes twice. */
function downstreamErrorIn(error: unknown): DownstreamError | null {
  let cause: unknown = error
  for (let layer = 0; layer < 4 && cause instanceof Error; layer += 1) {
    if (cause instanceof DownstreamError) return cause
    cause = cause.cause
  }
  return null
}

function byKind(error: unknown): DownstreamError {
  if (error instanceof UnauthorizedError) return new DownstreamError('unauthorized')
  if (error instanceof SdkHttpError) return new DownstreamError('unreachable', `HTTP ${error.data.status}`)
  if (error instanceof SdkError) {
    if (timeOuts.has(error.code)) return new DownstreamError('timed_out')
    if (brokenConnections.has(error.code)) return new DownstreamError('unreachable', error.code)
    return new DownstreamError('not_mcp', error.code)
  }
  if (error instanceof Error && unknownVersion.test(error.message))
    return new DownstreamError('protocol_error')
  return new DownstreamError('not_mcp', error instanceof Error ? error.name : null)
}
