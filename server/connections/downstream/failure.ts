import type { NetworkFailure, TooLarge } from '../call-results.ts'

/** Why an exchange with a tool server failed. */
export type FailureReason =
  | 'unreachable' // whatever went wrong on the way: one answer for all of it
  | 'unauthorized'
  | 'consent_needed' // by OAuth, and its owner has not agreed, or the access is over
  | 'more_scope_needed' // the access is good, and not for this call
  | 'session_lost' // the downstream knows neither session nor protocol version any more, and took no notice of the request
  | 'timed_out'
  | 'not_mcp'
  | 'protocol_error' // MCP, but no version of it that is known here
  | 'own_failure' // of ours, such as of the database: it says nothing about the tool server
  | { readonly tooLarge: TooLarge }

/** A failed exchange. Its text is ours and contains nothing that the peer sent. */
export class DownstreamError extends Error {
  override readonly name = 'DownstreamError'
  readonly reason: FailureReason
  /** A detail for the log: a code of the guarded fetch, or an HTTP status. */
  readonly detail: string | null
  /** In how many seconds the tool server wants to be asked again; null where it does not say. */
  readonly retryAfterSec: number | null

  constructor(reason: FailureReason, detail: string | null = null, retryAfterSec: number | null = null) {
    super(`downstream: ${typeof reason === 'string' ? reason : `${reason.tooLarge} too large`}`)
    this.reason = reason
    this.detail = detail
    this.retryAfterSec = retryAfterSec
  }
}

/** Returns the failure of an exchange that something of ours has ended. Its cause is what the caller is told. */
export function ownFailure(cause: unknown): DownstreamError {
  const failure = new DownstreamError('own_failure')
  failure.cause = cause
  return failure
}

const networkFailures: Readonly<Partial<Record<string, NetworkFailure>>> = {
  DNS: 'dns',
  DNS_TIMEOUT: 'dns',
  CONNECT: 'refused',
  TLS: 'tls',
  TIMEOUT: 'timed_out',
  REDIRECT: 'redirected',
  PROTOCOL: 'protocol_error',
}

/** The HTTP status of a refused exchange, as its detail has it; null for any other. */
export function httpStatusOf({ detail }: DownstreamError): number | null {
  const [, status] = /^HTTP (\d{3})$/.exec(detail ?? '') ?? []
  return status === undefined ? null : Number(status)
}

/**
 * Returns what went wrong. Null where the address may not be reached: whatever is behind it, the answer is the same, so
 * that nobody can map the network of this installation.
 */
export function networkFailureOf(error: DownstreamError): NetworkFailure | null {
  const { reason, detail } = error
  if (reason === 'timed_out' || reason === 'not_mcp' || reason === 'protocol_error') return reason
  if (reason !== 'unreachable') return null
  return httpStatusOf(error) === null ? (networkFailures[detail ?? ''] ?? null) : 'status'
}

/** A JSON-RPC error of the tool server. Its text and its data are the server's. */
export class DownstreamRefusal extends Error {
  override readonly name = 'DownstreamRefusal'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Returns the failure of work that took too long. */
export const timedOut = (): DownstreamError => new DownstreamError('timed_out')
