import { promisify } from 'node:util'
import { gunzip, zstdDecompress } from 'node:zlib'

import { fault } from '../fault.ts'
import { readBytes } from './body-bytes.ts'
import { bodyTooLarge } from './request-limits.ts'

/** A body whose exact bytes matter, because they are signed. */
export interface RawBody {
  /** As sent, possibly compressed. */
  sent: Uint8Array
  /** Decompressed; the same bytes as `sent` where nothing was compressed. */
  content: Uint8Array
}

const decompressors = { gzip: promisify(gunzip), zstd: promisify(zstdDecompress) }

/**
 * For routes with `parse: 'none'`. `maxBytes` holds for the sent bytes and again for the decompressed ones, so that
 * a compression bomb costs no more than an honest body. Faults: `payload_too_large`, `unsupported_media_type` for
 * another encoding than gzip or zstd, `bad_request` for what cannot be decompressed.
 */
export async function readRawBody(request: Request, maxBytes: number): Promise<RawBody> {
  const encoding = request.headers.get('content-encoding')?.toLowerCase() ?? 'identity'
  const sent = await readBytes(request, maxBytes)
  switch (encoding) {
    case 'identity':
      return { sent, content: sent }
    case 'gzip':
    case 'zstd':
      return { sent, content: await decompress(sent, encoding, maxBytes) }
    default:
      throw fault('unsupported_media_type', 'The content-encoding must be gzip, zstd or none')
  }
}

async function decompress(
  sent: Uint8Array,
  encoding: keyof typeof decompressors,
  maxBytes: number,
): Promise<Uint8Array> {
  try {
    return await decompressors[encoding](sent, { maxOutputLength: maxBytes })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw bodyTooLarge(maxBytes)
    }
    throw fault('bad_request', `The body is not valid ${encoding}`, { detail: error })
  }
}
