import { existsSync, readFileSync } from 'node:fs'

import { acceptedCoding, type EncodedBody } from '../platform/http/compressed-answer.ts'
import { isKnownByCaller } from '../platform/http/if-none-match.ts'
import { type ByteLimit, countBytes } from './byte-limit.ts'

/** From this size a file is sent from the disk, as fast as its reader takes it, instead of being copied into the socket. */
const sentFromDiskBytes = 256 << 10

interface CompressedForm {
  readonly coding: EncodedBody['coding']
  readonly bytes: () => EncodedBody['bytes']
}

/** A file that anybody may read, as it was when it was read. */
export interface StaticFile {
  readonly plain: Uint8Array<ArrayBuffer> | Blob
  /** The same compressed, the shortest first; made when it is first asked for, where the build has not. */
  readonly compressed: readonly CompressedForm[]
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
}

/** Beside a file, where its build has put one: the same compressed by Brotli. */
export const brotliExtension = '.br'

/** Reads a file; `headers` are sent with it besides its ETag. */
export function readStaticFile(
  path: string,
  headers: Readonly<Record<string, string>>,
  isCompressed: boolean,
): StaticFile {
  const bytes = new Uint8Array(readFileSync(path))
  const etag = `"${Bun.hash(bytes).toString(36)}"`
  return {
    plain: bytes.length < sentFromDiskBytes ? bytes : Bun.file(path),
    compressed: isCompressed ? compressedForms(path, bytes) : [],
    headers: {
      ...headers,
      etag,
      ...(isCompressed && { vary: 'accept-encoding' }),
    },
    etag,
  }
}

function compressedForms(path: string, plain: Uint8Array<ArrayBuffer>): readonly CompressedForm[] {
  let made: EncodedBody['bytes'] | undefined
  const gzip: CompressedForm = {
    coding: 'gzip',
    bytes: () => (made ??= Bun.gzipSync(plain, { level: 9 })),
  }
  if (!existsSync(path + brotliExtension)) return [gzip]
  const brotli = new Uint8Array(readFileSync(path + brotliExtension))
  return [{ coding: 'br', bytes: () => brotli }, gzip]
}

/** Throws the fault `rate_limited` when the caller's address has read too much. */
export function sendStaticFile(file: StaticFile, request: Request, reads: ByteLimit): Response {
  const { plain, compressed, headers, etag } = file
  if (isKnownByCaller(request.headers.get('if-none-match'), etag))
    return new Response(null, { status: 304, headers })
  const codings = compressed.map(({ coding }) => coding)
  const accepted = acceptedCoding(request.headers.get('accept-encoding') ?? '', codings)
  const encoded = compressed.find(({ coding }) => coding === accepted?.coding)
  if (encoded !== undefined) {
    const bytes = encoded.bytes()
    countBytes(reads, request, bytes.length)
    return new Response(bytes, { headers: { ...headers, 'content-encoding': encoded.coding } })
  }
  countBytes(reads, request, plain instanceof Blob ? plain.size : plain.length)
  return new Response(plain, { headers })
}
