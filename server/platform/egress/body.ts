import { isBomb } from '../http-client/decode-body.ts'
import type { Cutoff } from './cutoff.ts'
import { decompressionBomb, EgressError } from './failure.ts'
import type { Received } from './received.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Names of RFC 9110 section 8.4.1 and RFC 8878, and what `DecompressionStream` calls them. */
const formats: ReadonlyMap<string, string> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
  ['br', 'brotli'],
  ['zstd', 'zstd'],
])

/** A body read piece by piece, decoded, and never beyond its cap. */
export interface CappedBody {
  /** The next piece, or null at the end. Rejects with `TOO_LARGE` once the cap is passed. */
  next(): Promise<Bytes | null>
  /** Nobody wants the rest: nothing of it is decoded any further. */
  drop(): Promise<void>
}

/**
 * Opens the body of an answer, which nobody has decoded yet.
 * @throws EgressError `TOO_LARGE` when the peer announces too much, `PROTOCOL` for an encoding nobody knows
 */
export function openBody({ body, whole, headers }: Received, maxBytes: number): CappedBody {
  if (body === null && whole === undefined) return inOnePiece(null)
  if (Number(headers.get('content-length')) > maxBytes) throw new EgressError('TOO_LARGE')
  const encoding = headers.get('content-encoding')
  if (whole !== undefined && encoding === null) {
    if (whole.byteLength > maxBytes) throw new EgressError('TOO_LARGE')
    return inOnePiece(whole)
  }
  let bytes = 0
  let sentBytes = 0
  const countSent = (piece: Bytes): void => void (sentBytes += piece.byteLength)
  const reader = decoded(body ?? new Blob([whole ?? '']).stream(), encoding, countSent).getReader()
  // It may have failed already, which whoever reads it has been told.
  const drop = (): Promise<void> => reader.cancel().catch(() => undefined)

  return {
    async next() {
      const { done, value } = await reader.read()
      if (done) return null
      bytes += value.byteLength
      if (bytes <= maxBytes) return value
      await drop()
      const isMade = sentBytes > 0 && isBomb(sentBytes, maxBytes)
      throw new EgressError('TOO_LARGE', isMade ? decompressionBomb : null)
    },
    drop,
  }
}

function inOnePiece(piece: Bytes | null): CappedBody {
  let left = piece
  return {
    async next() {
      const given = left
      left = null
      return given
    },
    async drop() {
      left = null
    },
  }
}

/** A body as text; malformed UTF-8 becomes U+FFFD. */
interface BodyText {
  readonly text: string
  /** Length of what was read, decoded. */
  readonly bytes: number
}

/** All of a body. */
export async function readText(body: CappedBody): Promise<BodyText> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (let piece = await body.next(); piece !== null; piece = await body.next()) {
    text += decoder.decode(piece, { stream: true })
    bytes += piece.byteLength
  }
  return { text: text + decoder.decode(), bytes }
}

/** How long (ms) after the head is waited for a beginning, which most peers send along with it. */
const beginningMs = 2_000

/**
 * At most `maxBytes` of the beginning of a body, for callers to whom the status says all. One that is longer, does not end in
 * time, breaks off or cannot be decoded ends the exchange, and is what came of it before. Never rejects.
 */
export async function readTextBeginning(
  received: Received,
  maxBytes: number,
  cutoff: Pick<Cutoff, 'fail'>,
): Promise<BodyText> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const timer = setTimeout(() => cutoff.fail(new EgressError('TIMEOUT')), beginningMs)
  try {
    const body = openBody(received, Number.POSITIVE_INFINITY)
    for (let piece = await body.next(); piece !== null; piece = await body.next()) {
      const kept = piece.subarray(0, maxBytes - bytes)
      text += decoder.decode(kept, { stream: true })
      bytes += kept.byteLength
      if (kept.byteLength === piece.byteLength) continue
      await body.drop()
      throw new EgressError('TOO_LARGE')
    }
  } catch (error) {
    cutoff.fail(error)
  } finally {
    clearTimeout(timer)
  }
  return { text: text + decoder.decode(), bytes }
}

/**
 * We mostly ask for `identity`, but a peer may answer compressed all the same. Decoding here and not in `fetch` keeps a
 * bomb small: fetch may inflate the rest of a cancelled body into memory (Bun 1.4.5: 540 MB out of 481 bytes).
 */
function decoded(
  body: ReadableStream<Bytes>,
  contentEncoding: string | null,
  countSent: (piece: Bytes) => void,
): ReadableStream<Bytes> {
  const encoding = contentEncoding?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return body
  const format = formats.get(encoding)
  if (format === undefined) throw new EgressError('PROTOCOL')
  const counter = new TransformStream<Bytes, Bytes>({
    transform(piece, controller) {
      countSent(piece)
      controller.enqueue(piece)
    },
  })
  // The standard's type lacks `brotli` and `zstd`, which Bun knows.
  return body.pipeThrough(counter).pipeThrough(new DecompressionStream(format as CompressionFormat))
}
