import { readFileSync } from 'node:fs'

import { acceptedCoding } from '../platform/http/compressed-answer.ts'
import { type ByteLimit, countBytes } from './byte-limit.ts'

/** From this size a file is sent from the disk, as fast as its reader takes it, instead of being copied into the socket. */
const sentFromDiskBytes = 256 << 10

/** A file that anybody may read, as it was when it was read. */
export interface StaticFile {
  readonly plain: Uint8Array<ArrayBuffer> | Blob
  readonly gzipped: Uint8Array<ArrayBuffer> | null
  readonly headers: Readonly<Record<string, string>>
}

/** Reads a file; `headers` are sent with it besides its ETag. */
export function readStaticFile(
  path: string,
  headers: Readonly<Record<string, string>>,
  isCompressed: boolean,
): StaticFile {
  const bytes = new Uint8Array(readFileSync(path))
  return {
    plain: bytes.length < sentFromDiskBytes ? bytes : Bun.file(path),
    gzipped: isCompressed ? Bun.gzipSync(bytes, { level: 9 }) : null,
    headers: {
      ...headers,
      etag: `"${Bun.hash(bytes).toString(36)}"`,
      ...(isCompressed && { vary: 'accept-encoding' }),
    },
  }
}

/** Throws the fault `rate_limited` when the caller's address has read too much. */
export function sendStaticFile(file: StaticFile, request: Request, reads: ByteLimit): Response {
  const { plain, gzipped, headers } = file
  if (request.headers.get('if-none-match') === headers.etag)
    return new Response(null, { status: 304, headers })
  const coding = acceptedCoding(request.headers.get('accept-encoding') ?? '', ['gzip'])
  if (gzipped !== null && coding !== null) {
    countBytes(reads, request, gzipped.length)
    return new Response(gzipped, { headers: { ...headers, 'content-encoding': 'gzip' } })
  }
  countBytes(reads, request, plain instanceof Blob ? plain.size : plain.length)
  return new Response(plain, { headers })
}
