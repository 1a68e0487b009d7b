import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

/** What is told to a peer that may compress its answer. */
export const takenEncodings = 'zstd, br, gzip'

type Decoder = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer

const decoders: Readonly<Partial<Record<string, Decoder>>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

export const isKnownEncoding = (encoding: string): boolean => Object.hasOwn(decoders, encoding)

/**
 * Answers of nodes shrink to a seventh. One that repeats itself without end may shrink to less than its hundredth without any
 * malice, but is as useless when it is too large.
 */
const honestRatio = 100

/** Tells whether something that came to more than `maxBytes` when it was decompressed was made to. */
export const isBomb = (compressedBytes: number, maxBytes: number): boolean =>
  compressedBytes * honestRatio < maxBytes

export type UndecodedBody = 'malformed' | 'too-large' | 'decompression-bomb'

/**
 * Decompresses a body that is there whole; nothing beyond `maxBytes` is ever held. At once, because a long answer takes
 * less time here than it takes to be read.
 */
export function decodeBody(bytes: Uint8Array, encoding: string, maxBytes: number): Buffer | UndecodedBody {
  try {
    return decoders[encoding]?.(bytes, { maxOutputLength: maxBytes }) ?? 'malformed'
  } catch (error) {
    const isOver = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (!isOver) return 'malformed'
    return isBomb(bytes.length, maxBytes) ? 'decompression-bomb' : 'too-large'
  }
}
