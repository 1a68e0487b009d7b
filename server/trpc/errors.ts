import { TRPCError } from '@trpc/server'
import * as z from 'zod/mini'

import type { FaultCode, InvalidField } from '../../shared/faults.ts'
import { Fault, fault } from '../platform/fault.ts'
import { describeIssues, invalidFields } from '../platform/validation-text.ts'

/**
 * Every code with which a procedure can fail, and the HTTP status that goes with it. With the texts below, this is the
 * whole declaration of what a refused call looks like.
 */
export const trpcStatus = {
  PARSE_ERROR: 400,
  BAD_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_SUPPORTED: 405,
  CONFLICT: 409,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNPROCESSABLE_CONTENT: 422,
  TOO_MANY_REQUESTS: 429,
  CLIENT_CLOSED_REQUEST: 499,
  INTERNAL_SERVER_ERROR: 500,
  BAD_GATEWAY: 502,
  SERVICE_UNAVAILABLE: 503,
  GATEWAY_TIMEOUT: 504,
} as const satisfies Partial<Record<TRPCError['code'], number>>

/** Where tRPC has no code for a status, its nearest one: of 410 that of 404, of 414 that of 413. */
const codeOf: Readonly<Record<FaultCode, keyof typeof trpcStatus>> = {
  bad_request: 'BAD_REQUEST',
  invalid_request: 'UNPROCESSABLE_CONTENT',
  unauthorized: 'UNAUTHORIZED',
  stale_session: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  account_not_approved: 'FORBIDDEN',
  ip_not_allowed: 'FORBIDDEN',
  domain_not_allowed: 'FORBIDDEN',
  permission_missing: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'METHOD_NOT_SUPPORTED',
  conflict: 'CONFLICT',
  gone: 'NOT_FOUND',
  precondition_failed: 'PRECONDITION_FAILED',
  payload_too_large: 'PAYLOAD_TOO_LARGE',
  uri_too_long: 'PAYLOAD_TOO_LARGE',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  rate_limited: 'TOO_MANY_REQUESTS',
  credits_exhausted: 'TOO_MANY_REQUESTS',
  limits_unavailable: 'SERVICE_UNAVAILABLE',
  upstream_error: 'BAD_GATEWAY',
  upstream_timeout: 'GATEWAY_TIMEOUT',
  unavailable: 'SERVICE_UNAVAILABLE',
  clock_skew: 'BAD_REQUEST',
  sequence_replayed: 'CONFLICT',
  sequence_ahead: 'CONFLICT',
  verifier_unknown: 'UNAUTHORIZED',
  verifier_revoked: 'UNAUTHORIZED',
  internal: 'INTERNAL_SERVER_ERROR',
}

export const errorOf = (cause: Fault): TRPCError =>
  new TRPCError({ code: codeOf[cause.code], message: cause.message, cause })

/** What a procedure that was called without a network failed with: our refusal, or whatever was thrown. */
export const causeOf = (error: unknown): unknown =>
  error instanceof TRPCError ? (error.cause ?? error) : error

/** What a caller should read of an error; null for mistakes of ours. An input that a schema refused is one of theirs. */
export async function trpcRefusalOf(
  { code, cause }: TRPCError,
  readInput: () => Promise<unknown>,
): Promise<Fault | null> {
  if (cause instanceof Fault) return cause
  if (code !== 'BAD_REQUEST' || !(cause instanceof z.core.$ZodError)) return null
  const { issues } = cause
  const input = await readInput()
  return fault('invalid_request', describeIssues(issues, input, 'body'), {
    fields: invalidFields(issues, input),
  })
}

/** More calls in one batch are refused: a single request must not do unbounded work. */
export const maxBatchSize = 20

/** tRPC's own texts repeat paths and inputs. */
const trpcTexts: Partial<Record<TRPCError['code'], string>> = {
  PARSE_ERROR: 'The input is not JSON',
  BAD_REQUEST: `The request cannot be read: a call has one input, and a batch at most ${maxBatchSize} calls`,
  NOT_FOUND: 'There is no such procedure',
  METHOD_NOT_SUPPORTED: 'This procedure is called by another method',
  UNSUPPORTED_MEDIA_TYPE: 'The content-type must be application/json',
  PAYLOAD_TOO_LARGE: 'The input is too long',
  CLIENT_CLOSED_REQUEST: 'The request was given up',
}

export const publicMessage = ({ code, cause }: TRPCError): string =>
  cause instanceof Fault ? cause.message : (trpcTexts[code] ?? 'Something went wrong on our side')

/** Added to tRPC's `data`: why, in the words of every transport, and which fields. */
export function refusalFacts({ cause }: TRPCError): { fault?: FaultCode; fields?: readonly InvalidField[] } {
  if (!(cause instanceof Fault)) return {}
  return { fault: cause.code, ...(cause.fields.length > 0 && { fields: cause.fields }) }
}
