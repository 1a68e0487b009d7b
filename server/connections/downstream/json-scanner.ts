/** Checks JSON while it arrives, before it is parsed. */
export interface JsonScanner {
  /** Returns which limit is exceeded, or null. */
  scan(bytes: Uint8Array): 'depth' | 'body' | 'event' | null
  /** Returns the number of events that have ended. */
  events(): number
  /** Returns true when an event had an id, so that a stream which ends can be resumed after it. */
  hasIds(): boolean
}

export interface JsonScannerOptions {
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
      for (const byte of bytes) {
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
