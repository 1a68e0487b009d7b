import { isShort } from '../../platform/egress.ts'
import { DownstreamError } from './failure.ts'
import { createJsonScanner } from './json-scanner.ts'
import type { DownstreamLimits } from './limits.ts'

export type Bytes = Uint8Array<ArrayBuffer>

/** Returns the whole JSON body. Rejects with a `DownstreamError` as soon as it is too large or too deep. */
export async function readJsonBody(response: Response, limits: DownstreamLimits): Promise<Bytes> {
  const scanner = createJsonScanner({
    maxDepth: limits.depth,
    maxValues: limits.values,
    maxEventBytes: null,
  })
  const announced = Number(response.headers.get('content-length') ?? 0)
  if (announced > limits.bodyBytes) {
    await dropped(response.body?.cancel())
    throw new DownstreamError({ tooLarge: 'body' })
  }
  const pieces: Bytes[] = []
  let length = 0
  for await (const piece of isShort(response) ? [await response.bytes()] : piecesOf(response)) {
    length += piece.byteLength
    if (length > limits.bodyBytes) throw new DownstreamError({ tooLarge: 'body' })
    const tooLarge = scanner.scan(piece)
    if (tooLarge !== null) throw new DownstreamError({ tooLarge })
    pieces.push(piece)
  }
  const [only] = pieces
  return pieces.length === 1 && only !== undefined ? only : joined(pieces, length)
}

/** Returns the beginning of a body of which the rest is not needed. */
export async function readBeginning(response: Response, maxBytes: number): Promise<Bytes> {
  const pieces: Bytes[] = []
  let length = 0
  for await (const piece of piecesOf(response)) {
    pieces.push(piece)
    length += piece.byteLength
    if (length >= maxBytes) break
  }
  return joined(pieces, length).slice(0, maxBytes)
}

/** Yields the pieces of a body. Leaving the loop early closes the connection, and nothing more is read. */
async function* piecesOf(response: Response): AsyncGenerator<Bytes> {
  if (response.body === null) return
  const reader = response.body.getReader()
  let isAtEnd = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) {
        isAtEnd = true
        return
      }
      yield value
    }
  } finally {
    if (!isAtEnd) await dropped(reader.cancel())
  }
}

/** Waits for a cancellation. The stream may have failed before, which is reported elsewhere. */
export async function dropped(cancelling: Promise<unknown> | undefined): Promise<void> {
  await cancelling?.catch(() => undefined)
}

function joined(pieces: readonly Bytes[], length: number): Bytes {
  const whole = new Uint8Array(length)
  let offset = 0
  for (const piece of pieces) {
    whole.set(piece, offset)
    offset += piece.byteLength
  }
  return whole
}
