/** A line with the size of a chunk, extensions included; trailers as well. */
const maxLineBytes = 4_096

type Stage = 'size' | 'bytes' | 'after-bytes' | 'trailers'

/** Takes apart a body in chunks (RFC 9112, section 7.1), however it is cut into pieces on its way. */
export class ChunkedBody {
  #stage: Stage = 'size'
  #line = ''
  #left = 0

  /**
   * Takes a piece from `at` on and hands on what it holds of the body. Returns the place behind the end of the body, or
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
      if (this.#line.length > maxLineBytes) return null
      if (!isWhole) break
      place = lineEnd + 1
      if (!this.#line.endsWith('\r')) return null
      const line = this.#line.slice(0, -1)
      this.#line = ''
      const isEnd = this.#takeLine(line)
      if (isEnd === null) return null
      if (isEnd) return { at: place, isEnd: true }
    }
    return { at: piece.length, isEnd: false }
  }

  /** Whether the body ends with this line; null when the line has no place here. */
  #takeLine(line: string): boolean | null {
    switch (this.#stage) {
      case 'size': {
        const size = /^([0-9A-Fa-f]{1,8})[ \t]*(?:;.*)?$/.exec(line)?.[1]
        if (size === undefined) return null
        this.#left = Number.parseInt(size, 16)
        this.#stage = this.#left === 0 ? 'trailers' : 'bytes'
        return false
      }
      case 'trailers':
        return line === ''
      default:
        this.#stage = 'size'
        return line === '' ? false : null
    }
  }
}
