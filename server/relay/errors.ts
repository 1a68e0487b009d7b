import type { FaultCode } from '../../shared/faults.ts'
import type { LimitName } from '../../shared/limits.ts'

/**
 * Codes of JSON-RPC 2.0 and EIP-1474. Several of our refusals share one: `data.reason` tells them apart, in the words
 * of `shared/faults.ts`.
 */
export const errorCodes = {
  notJson: -32700,
  noRequest: -32600,
  noMethod: -32601,
  internal: -32603,
  unauthorized: -32001,
  unavailable: -32002,
  limit: -32005,
} as const

export type ErrorCode = (typeof errorCodes)[keyof typeof errorCodes]

export interface RpcError {
  readonly code: ErrorCode
  /** What was wrong and what to do next. Holds nothing that a caller may not know. */
  readonly message: string
  readonly reason?: FaultCode | LimitName | 'method_not_offered' | 'batch_too_large'
  readonly retryAfterMs?: number
}

/** JSON text of the error object. */
export function errorText({ code, message, reason, retryAfterMs }: RpcError): string {
  const data = reason === undefined ? undefined : { reason, retryAfterMs }
  return JSON.stringify({ code, message, data })
}

/** JSON text of an answer with an error. `id` and `error`: JSON text. */
export const errorAnswer = (id: string, error: string): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${error}}`
