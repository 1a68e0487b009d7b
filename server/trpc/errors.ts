import { TRPCError } from '@trpc/server'
import * as z from 'zod/mini'

import type { FaultCode, InvalidField } from '../../shared/faults.ts'
import { Fault, fault } from '../platform/fault.ts'
import { describeIssues, invalidFields } from '../platform/validation-text.ts'

const trpcCodes: Partial<Record<FaultCode, TRPCError['code']>> = {
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
  conflict: 'CONFLICT',
  payload_too_large: 'PAYLOAD_TOO_LARGE',
  rate_limited: 'TOO_MANY_REQUESTS',
  upstream_error: 'BAD_GATEWAY',
  upstream_timeout: 'GATEWAY_TIMEOUT',
  unavailable: 'SERVICE_UNAVAILABLE',
}

export const errorOf = (cause: Fault): TRPCError =>
  new TRPCError({ code: trpcCodes[cause.code] ?? 'INTERNAL_SERVER_ERROR', message: cause.message, cause })

/** What a caller should read of an error; null for mistakes of ours. An input that a schema refused is one of theirs. */
export async function refusalOf(
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
