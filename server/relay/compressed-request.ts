import { Fault } from '../platform/fault.ts'
import { readRawBody } from '../platform/http/request-body.ts'
import { compressedBody, damagedBody, requestBodyTooLarge, type RpcError } from './errors.ts'

/** The text of a compressed body, or why there is none. */
export type CompressedBody =
  | { readonly kind: 'text'; readonly text: string; readonly bytes: number }
  | {
      readonly kind: 'refused'
      readonly status: 400 | 413 | 415
      readonly error: RpcError
      readonly bytes: number
    }

const utf8 = new TextDecoder()

/** Reads a body with a content-encoding. `maxBytes` holds for what was sent, and for what becomes of it. */
export async function readCompressed(request: Request, maxBytes: number): Promise<CompressedBody> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  try {
    const { content } = await readRawBody(request, maxBytes)
    return { kind: 'text', text: utf8.decode(content), bytes: content.length }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const refused = { kind: 'refused', bytes: declared } as const
    if (error.code === 'payload_too_large')
      return { ...refused, status: 413, error: requestBodyTooLarge(maxBytes) }
    if (error.code === 'unsupported_media_type') return { ...refused, status: 415, error: compressedBody }
    return { ...refused, status: 400, error: damagedBody }
  }
}
