import { requestBodyTooLarge, type RpcError } from '../errors.ts'
import type { CallTerms } from '../methods/call-terms.ts'

/** An error of the relay itself at an endpoint of paths. */
export interface RestError {
  readonly status: number
  readonly error: Pick<RpcError, 'message'> & { readonly reason?: string }
  readonly headers?: Readonly<Record<string, string>>
}

export const compressed: RestError = {
  status: 415,
  error: { reason: 'unsupported_media_type', message: 'the body must not be compressed' },
}

export const tooLarge = ({ bodyBytes }: CallTerms): RestError => ({
  status: 413,
  error: requestBodyTooLarge(bodyBytes),
  headers: { connection: 'close' },
})

export const streamRefused: RestError = {
  status: 501,
  error: { reason: 'stream_not_offered', message: 'event streams are not relayed; the call was not charged' },
}
