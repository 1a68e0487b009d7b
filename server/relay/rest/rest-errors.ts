import { compressedBody, damagedBody, requestBodyTooLarge, type RpcError } from '../errors.ts'
import type { CallTerms } from '../methods/call-terms.ts'

/** An error of the relay itself at an endpoint of paths. */
export interface RestError {
  readonly status: number
  readonly error: Pick<RpcError, 'message'> & { readonly reason?: string }
  readonly headers?: Readonly<Record<string, string>>
}

export const unknownCoding: RestError = { status: 415, error: compressedBody }
export const damaged: RestError = { status: 400, error: damagedBody }

export const tooLarge = ({ bodyBytes }: CallTerms): RestError => ({
  status: 413,
  error: requestBodyTooLarge(bodyBytes),
})

export const noRoomForStreams: RestError = {
  status: 503,
  error: { reason: 'unavailable', message: 'there is no room for another event stream; try again later' },
  headers: { 'retry-after': '5' },
}

export const tooManyStreams = (whose: string, most: number): RestError => ({
  status: 429,
  error: {
    reason: 'too_many_streams',
    message: `${whose} has ${most} event streams open, which is the most`,
  },
  headers: { 'retry-after': '5' },
})
