/** What stands between two blank lines of an event stream, with the blank line behind it, as it came. */
export interface EventBlock {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** False for comments, which say no more than that the connection is there. */
  readonly isEvent: boolean
}

const lineFeed = 10
const carriageReturn = 13
const colon = 58

/** Cuts a stream of server-sent events at its blank lines (HTML Living Standard, 9.2.5), and changes nothing in it. */
export class EventBlocks {
  #parts: Uint8Array[] = []
  #isLineStart = true
  #isAfterReturn = false
  #isEvent = false
  /** The bytes of the block that has not ended yet. */
  unfinishedBytes = 0

  /** Returns the blocks that have ended with this piece. */
  take(piece: Uint8Array): EventBlock[] {
    const ended: EventBlock[] = []
    let from = 0
    for (let place = 0; place < piece.length; place++) {
      if (!this.#endsBlock(piece[place] ?? 0)) continue
      ended.push(this.#end(piece.subarray(from, place + 1)))
      from = place + 1
    }
    if (from < piece.length) {
      this.#parts.push(piece.slice(from))
      this.unfinishedBytes += piece.length - from
    }
    return ended
  }

  /** Whether a block ends with this byte. Of CR LF it is the CR: the LF behind it means nothing. */
  #endsBlock(byte: number): boolean {
    const isSecondHalf = byte === lineFeed && this.#isAfterReturn
    this.#isAfterReturn = byte === carriageReturn
    if (isSecondHalf) return false
    if (byte === lineFeed || byte === carriageReturn) {
      const isBlank = this.#isLineStart
      this.#isLineStart = true
      return isBlank
    }
    if (this.#isLineStart && byte !== colon) this.#isEvent = true
    this.#isLineStart = false
    return false
  }

  #end(last: Uint8Array): EventBlock {
    const block = { bytes: new Uint8Array(Buffer.concat([...this.#parts, last])), isEvent: this.#isEvent }
    this.#parts = []
    this.unfinishedBytes = 0
    this.#isEvent = false
    return block
  }
}
