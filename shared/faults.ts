import * as z from 'zod/mini'

/**
 * Every reason for which Gatehouse refuses a request. The set is closed: clients may switch on it.
 * HTTP statuses are assigned in `server/platform/http/faults.ts`.
 */
export const faultCodes = [
  'bad_request', // malformed: cannot be read at all
  'invalid_request', // readable, but a field's value is not allowed
  'unauthorized',
  'stale_session', // signed in, but too long ago for this: prove once more who you are
  'forbidden',
  'account_not_approved', // signed in, but an operator has not let the account in yet
  'ip_not_allowed',
  'domain_not_allowed',
  'permission_missing',
  'not_found',
  'method_not_allowed',
  'conflict',
  'gone',
  'precondition_failed', // what is to be changed is not as the caller read it
  'payload_too_large',
  'uri_too_long',
  'unsupported_media_type',
  'rate_limited',
  'credits_exhausted',
  'limits_unavailable',
  'upstream_error',
  'upstream_timeout',
  'unavailable',
  'clock_skew',
  'sequence_replayed',
  'sequence_ahead',
  'verifier_unknown',
  'verifier_revoked',
  'internal',
] as const

export type FaultCode = (typeof faultCodes)[number]

/** A field that was refused, for a form that can point at it. */
export interface InvalidField {
  readonly path: readonly (string | number)[]
  /** What is allowed; never what was sent. */
  readonly message: string
  /** The host of an address that was refused because it is private, where an operator may allow it. */
  readonly privateHost?: string
}

/** `ErrorDetail` of the specification. */
export const ErrorDetail = z
  .object({
    code: z
      .string()
      .check(z.meta({ description: 'Stable machine-readable reason', examples: ['not_found'] })),
    message: z.string().check(z.meta({ description: 'What was wrong, where, and what is allowed' })),
  })
  .check(z.meta({ id: 'ErrorDetail' }))

/** `ErrorResponse` of the specification: the body of every refusal on every REST path. */
export const ErrorResponse = z.object({ error: ErrorDetail }).check(z.meta({ id: 'ErrorResponse' }))

export type ErrorResponse = z.infer<typeof ErrorResponse>
