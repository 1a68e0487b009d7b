import type { TooLarge } from '../call-results.ts'

/** Why an exchange with a tool server failed. */
export type FailureReason =
  | 'unreachable' // whatever went wrong on the way: one answer for all of it
  | 'unauthorized'
  | 'session_lost' // the downstream forgot the session, and took no notice of the request
  | 'timed_out'
  | 'not_mcp'
  | { readonly tooLarge: TooLarge }

/** A failed exchange. Its text is ours and contains nothing that the peer sent. */
export class DownstreamError extends Error {
  override readonly name = 'DownstreamError'
  readonly reason: FailureReason
  /** A detail for the log: a code of the guarded fetch, or an HTTP status. */
  readonly detail: string | null

  constructor(reason: FailureReason, detail: string | null = null) {
    super(`downstream: ${typeof reason === 'string' ? reason : `${reason.tooLarge} too large`}`)
    this.reason = reason
    this.detail = detail
  }
}

/** A JSON-RPC error of the tool server. Its text is the server's. */
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
