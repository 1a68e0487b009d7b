import { wholeBodyOf } from '../../platform/egress.ts'
import { DownstreamError } from './failure.ts'
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
  const whole = wholeBodyOf(response)
  if (whole !== null) return within(whole, limits.bodyBytes, scanner)
  const pieces: Bytes[] = []
  let length = 0
  for await (const piece of piecesOf(response)) {
    length += piece.byteLength
    if (length > limits.bodyBytes) throw new DownstreamError({ tooLarge: 'body' })
    const tooLarge = scanner.scan(piece)
    if (tooLarge !== null) throw new DownstreamError({ tooLarge })
    pieces.push(piece)
  }
  const [only] = pieces
  return pieces.length === 1 && only !== undefined ? only : joined(pieces, length)
}

function within(bytes: Bytes, mostBytes: number, scanner: JsonScanner): Bytes {
  const tooLarge = bytes.byteLength > mostBytes ? 'body' : scanner.scan(bytes)
  if (tooLarge !== null) throw new DownstreamError({ tooLarge })
  return bytes
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

/** Checks JSON while it arrives, before it is parsed. */
interface JsonScanner {
  /** Returns which limit is exceeded, or null. */
  scan(bytes: Uint8Array): 'depth' | 'body' | 'event' | null
  /** Returns the number of events that have ended. */
  events(): number
  /** Returns true when an event had an id, so that a stream which ends can be resumed after it. */
  hasIds(): boolean
}

interface JsonScannerOptions {
  readonly maxDepth: number
  /** The maximum number of values, because short values take many times their bytes once parsed. */
  readonly maxValues: number
  /** The maximum size of one event, in a stream where a blank line ends each; null for a single document. */
  readonly maxEventBytes: number | null
}

const idField = [0x69, 0x64, 0x3a] as const // `id:`
const lineFeed = 0x0a
const carriageReturn = 0x0d
const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Counts nesting and values outside of strings. A line break ends a string: none may be inside one (RFC 8259 section
 * 7), and a quotation mark in another field of an event would otherwise hide what follows.
 */
export function createJsonScanner({ maxDepth, maxValues, maxEventBytes }: JsonScannerOptions): JsonScanner {
  let depth = 0
  let values = 0
  let isInString = false
  let isEscaped = false
  let lineBytes = 0
  let idBytes = 0
  let hasIds = false
  let eventBytes = 0
  let events = 0
  let lastByte = 0

  function endLine(byte: number): void {
    isInString = false
    isEscaped = false
    const isSecondHalf = byte === lineFeed && lastByte === carriageReturn
    if (!isSecondHalf && lineBytes === 0 && maxEventBytes !== null) {
      depth = 0
      values = 0
      eventBytes = 0
      events += 1
    }
    lineBytes = 0
    idBytes = 0
  }

  function beginLine(byte: number): void {
    if (byte === idField[lineBytes - 1]) idBytes += 1
    if (idBytes === idField.length) hasIds = true
  }

  function countNesting(byte: number): void {
    if (isEscaped) isEscaped = false
    else if (isInString && byte === backslash) isEscaped = true
    else if (byte === quote) isInString = !isInString
    else if (isInString) return
    else if (byte === comma) values += 1
    else if (byte === openBracket || byte === openBrace) {
      depth += 1
      values += 1
    } else if ((byte === closeBracket || byte === closeBrace) && depth > 0) depth -= 1
  }

  return {
    scan(bytes) {
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at] ?? 0
        eventBytes += 1
        if (byte === lineFeed || byte === carriageReturn) {
          endLine(byte)
        } else {
          lineBytes += 1
          if (lineBytes <= idField.length) beginLine(byte)
          countNesting(byte)
          if (depth > maxDepth) return 'depth'
          if (values > maxValues) return 'body'
          if (maxEventBytes !== null && eventBytes > maxEventBytes) return 'event'
        }
        lastByte = byte
      }
      return null
    },
    events: () => events,
    hasIds: () => hasIds,
  }
}
