import { InvalidCookieSignature, NotFoundError, ParseError, ValidationError } from 'elysia'
import type * as z from 'zod/mini'

import type { ErrorResponse, FaultCode } from '../../../shared/faults.ts'
import { Fault, fault } from '../fault.ts'
import { describeInvalid } from '../validation-text.ts'

export const faultStatus: Readonly<Record<FaultCode, number>> = {
  bad_request: 400,
  invalid_request: 422,
  unauthorized: 401,
  stale_session: 401,
  forbidden: 403,
  account_not_approved: 403,
  ip_not_allowed: 403,
  domain_not_allowed: 403,
  permission_missing: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  rate_limited: 429,
  credits_exhausted: 429,
  limits_unavailable: 503,
  upstream_error: 502,
  upstream_timeout: 504,
  unavailable: 503,
  clock_skew: 400,
  sequence_replayed: 409,
  sequence_ahead: 409,
  verifier_unknown: 401,
  verifier_revoked: 401,
  internal: 500,
}

/** `ErrorResponse` with the status, `Retry-After` and extra headers of the fault. */
export function faultResponse({ code, message, retryAfterSec, headers: extra }: Fault): Response {
  const headers = new Headers({ 'cache-control': 'no-store' })
  // RFC 9110, 11.6.1: a 401 names the scheme.
  if (faultStatus[code] === 401) headers.set('www-authenticate', 'Bearer')
  if (retryAfterSec !== undefined) headers.set('retry-after', String(Math.max(0, Math.ceil(retryAfterSec))))
  for (const [name, value] of Object.entries(extra)) headers.set(name, value)
  const body: ErrorResponse = { error: { code, message } }
  return Response.json(body, { status: faultStatus[code], headers })
}

/** Returns what a caller may know of anything that was thrown; the rest is in `detail`, for the log. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown
  if (thrown instanceof ParseError) {
    return thrown.cause instanceof Fault ? thrown.cause : fault('bad_request', 'The body cannot be read')
  }
  if (thrown instanceof ValidationError) return validationFault(thrown)
  if (thrown instanceof NotFoundError) return fault('not_found', 'There is nothing at this address')
  if (thrown instanceof InvalidCookieSignature) return fault('bad_request', 'A cookie has a wrong signature')
  return fault(
    'internal',
    'Something went wrong on our side; the request id in x-request-id finds it in our log',
    {
      detail: thrown,
    },
  )
}

function validationFault({ type, validator, value }: ValidationError): Fault {
  const text = describeInvalid(schemaOf(validator), value, type)
  switch (type) {
    case 'response':
      // Our own mistake: Elysia alone would answer 422 and send what it found.
      return fault(
        'internal',
        'The answer could not be made; the request id in x-request-id finds it in our log',
        {
          detail: text,
        },
      )
    case 'params':
      return fault('bad_request', text)
    default:
      return fault('invalid_request', text)
  }
}

/** Elysia keeps the schema and the value, not the issues. */
function schemaOf(validator: object): z.core.$ZodType {
  const schema = 'schema' in validator ? validator.schema : validator
  if (!isZodSchema(schema)) throw new TypeError('a route validates with something else than zod')
  return schema
}

export const isZodSchema = (value: unknown): value is z.ZodMiniType =>
  typeof value === 'object' && value !== null && '_zod' in value
