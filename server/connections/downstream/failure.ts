import type { TooLarge } from '../call-results.ts'

/** Why nothing came of an exchange with a downstream. */
export type FailureReason =
  | 'unreachable' // whatever went wrong on the way: one answer for all of it
  | 'unauthorized'
  | 'session_lost' // the downstream forgot the session, and took no notice of the request
  | 'timed_out'
  | 'not_mcp'
  | { readonly tooLarge: TooLarge }

/** An exchange that failed. Its text is ours: nothing that a peer said is in it. */
export class DownstreamError extends Error {
  override readonly name = 'DownstreamError'
  readonly reason: FailureReason
  /** For the log: a code of the guarded fetch, or an HTTP status. */
  readonly detail: string | null

  constructor(reason: FailureReason, detail: string | null = null) {
    super(`downstream: ${typeof reason === 'string' ? reason : `${reason.tooLarge} too large`}`)
    this.reason = reason
    this.detail = detail
  }
}

/** A downstream's own refusal, as JSON-RPC says it. Its text is the downstream's. */
export class DownstreamRefusal extends Error {
  override readonly name = 'DownstreamRefusal'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Returns the failure of work that took too long. */
export const timedOut = (): DownstreamError => new DownstreamError('timed_out')
