import { readField } from './response-head.ts'

/** The most bytes of one line with the size of a chunk and its extensions. */
const maxLineBytes = 4_096
/** All extensions and trailers of one body: they carry nothing that anybody reads. */
const maxOverheadBytes = 16_384

/** RFC 9112, section 7.1.1, without the white space that recipients may tolerate. */
const sizeLine =
  /^([0-9A-Fa-f]{1,8})(?:;[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"[\t !#-[\]-~]*"))?)*$/

/** These would change how the response was framed, which is settled by then (RFC 9110, section 6.5.1). */
const forbiddenTrailers: ReadonlySet<string> = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
])

type Stage = 'size' | 'bytes' | 'after-bytes' | 'trailers'

/** Decodes a body in chunks (RFC 9112, section 7.1), however it is cut into pieces on its way. */
export class ChunkedBody {
  #stage: Stage = 'size'
  #line = ''
  #left = 0
  #overhead = 0

  /**
   * Takes a piece from `at` on and passes on what it holds of the body. Returns the place behind the end of the body, or
   * the length of the piece where there is more to come; null when this is no chunked body.
   */
  take(piece: Buffer, at: number, hand: (part: Buffer) => void): { at: number; isEnd: boolean } | null {
    let place = at
    while (place < piece.length) {
      if (this.#stage === 'bytes') {
        const part = piece.subarray(place, place + this.#left)
        hand(part)
        place += part.length
        this.#left -= part.length
        if (this.#left === 0) this.#stage = 'after-bytes'
        continue
      }
      const lineEnd = piece.indexOf(0x0a, place)
      const isWhole = lineEnd >= 0
      this.#line += piece.toString('latin1', place, isWhole ? lineEnd : piece.length)
      if (this.#line.length > maxLineBytes || !canStandHere(this.#line, isWhole, this.#stage)) return null
      if (!isWhole) break
      place = lineEnd + 1
      const line = this.#line.slice(0, -1)
      this.#line = ''
      const isEnd = this.#takeLine(line)
      if (isEnd === null) return null
      if (isEnd) return { at: place, isEnd: true }
    }
    return { at: piece.length, isEnd: false }
  }

  /** Returns whether the body ends with this line; null when the line has no place here. */
  #takeLine(line: string): boolean | null {
    switch (this.#stage) {
      case 'size': {
        const size = sizeLine.exec(line)?.[1]
        if (size === undefined || !this.#spend(line.length - size.length)) return null
        this.#left = Number.parseInt(size, 16)
        this.#stage = this.#left === 0 ? 'trailers' : 'bytes'
        return false
      }
      case 'trailers': {
        if (line === '') return true
        const [name = null] = readField(line) ?? []
        return name !== null && !forbiddenTrailers.has(name) && this.#spend(line.length) ? false : null
      }
      default:
        this.#stage = 'size'
        return line === '' ? false : null
    }
  }

  #spend(bytes: number): boolean {
    this.#overhead += bytes
    return this.#overhead <= maxOverheadBytes
  }
}

/** Whether a line without its line feed, whole or not yet, holds nothing that is an error whatever follows. */
function canStandHere(line: string, isWhole: boolean, stage: Stage): boolean {
  const carriageReturn = line.indexOf('\r')
  const isAtEnd = carriageReturn >= 0 && carriageReturn === line.length - 1
  if (!isAtEnd && (isWhole || carriageReturn >= 0)) return false
  return stage !== 'after-bytes' || line === '' || line === '\r'
}
