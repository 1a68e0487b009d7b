import {
  type AnswerHead,
  headEnd,
  isInterimHead,
  maxHeadBytes,
  maxInterimHeads,
  readHead,
} from '../../platform/http1/answer-head.ts'
import { ChunkedBody } from '../../platform/http1/chunked-body.ts'

/** What an upstream answered over HTTP. */
export interface HttpAnswer {
  readonly status: number
  /** In UTF-8; malformed bytes become U+FFFD. */
  readonly text: string
}

export type ParserState = 'more' | 'done' | 'malformed' | 'too-large'

/** Bytes that may be kept of answers that are not whole yet. Shared by all connections. */
export interface ByteBudget {
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

/** Reads one HTTP/1.1 answer from the pieces in which it arrives. */
export class AnswerParser {
  readonly #maxBytes: number
  readonly #budget: ByteBudget
  #lastHeadText = ''
  #lastHead: AnswerHead | null = null
  #head: AnswerHead | null = null
  #text: string | null = null
  #headBytes: Buffer | null = null
  #interimHeads = 0
  #chunks: ChunkedBody | null = null
  #parts: Buffer[] = []
  #bytes = 0
  #kept = 0
  #hasSurplus = false

  constructor(maxBytes: number, budget: ByteBudget) {
    this.#maxBytes = maxBytes
    this.#budget = budget
  }

  /** Whether anything of the answer has arrived. */
  get hasBegun(): boolean {
    return this.#head !== null || this.#headBytes !== null
  }

  /** After `done`: whether the connection may be used again. Bytes behind the answer belong to nobody. */
  get keepsAlive(): boolean {
    return this.#head !== null && this.#head.keepsAlive && !this.#hasSurplus
  }

  take(piece: Buffer): ParserState {
    if (this.#head !== null) return this.#takeBody(piece, 0)
    if (this.#headBytes === null && this.#takeWhole(piece)) return 'done'
    const bytes = this.#headBytes === null ? piece : Buffer.concat([this.#headBytes, piece])
    const end = bytes.indexOf(headEnd)
    if (end > maxHeadBytes || (end < 0 && bytes.length > maxHeadBytes)) return 'malformed'
    if (end < 0) {
      this.#headBytes = bytes
      return 'more'
    }
    return this.#takeHead(bytes, end)
  }

  /**
   * Nearly every answer: all of it in one piece, in ASCII, with its length in the head. Decoded once as a whole, and
   * with the head of the answer before it where that is the same. False: it is another one, and nothing was taken.
   */
  #takeWhole(piece: Buffer): boolean {
    const text = piece.toString('utf8')
    // Other characters are fewer than their bytes: only without them do places in the text and in the bytes agree.
    const end = text.length === piece.length ? text.indexOf(headEnd) : -1
    if (end < 0 || end > maxHeadBytes) return false
    const headText = text.slice(0, end)
    if (headText !== this.#lastHeadText) {
      const head = readPlainHead(headText)
      if (head === null) return false
      this.#lastHeadText = headText
      this.#lastHead = head
    }
    const head = this.#lastHead
    const bodyAt = end + headEnd.length
    if (head?.framing.kind !== 'length' || head.framing.bytes !== text.length - bodyAt) return false
    if (head.framing.bytes > this.#maxBytes) return false
    this.#head = head
    this.#text = text.slice(bodyAt)
    return true
  }

  #takeHead(bytes: Buffer, end: number): ParserState {
    const text = bytes.toString('latin1', 0, end)
    if (isInterimHead(text)) {
      this.#headBytes = null
      return ++this.#interimHeads > maxInterimHeads ? 'malformed' : this.#takeRest(bytes, end)
    }
    this.#head = readPlainHead(text)
    this.#headBytes = null
    if (this.#head === null) return 'malformed'
    const { framing } = this.#head
    if (framing.kind === 'length' && framing.bytes > this.#maxBytes) return 'too-large'
    if (framing.kind === 'chunked') this.#chunks = new ChunkedBody()
    return this.#takeBody(bytes, end + headEnd.length)
  }

  /** What stands behind an interim head, even if that is nothing yet. */
  #takeRest(bytes: Buffer, end: number): ParserState {
    const rest = bytes.subarray(end + headEnd.length)
    this.#headBytes = rest
    return rest.length === 0 ? 'more' : this.take(Buffer.alloc(0))
  }

  #takeBody(piece: Buffer, from: number): ParserState {
    const state =
      this.#chunks === null ? this.#takePlain(piece, from) : this.#takeChunks(this.#chunks, piece, from)
    if (state !== 'more') return state
    const more = this.#bytes - this.#kept
    if (!this.#budget.take(more)) return 'too-large'
    this.#kept = this.#bytes
    return 'more'
  }

  #takePlain(piece: Buffer, from: number): ParserState {
    const framing = this.#head?.framing
    const wanted = framing?.kind === 'length' ? framing.bytes - this.#bytes : Number.POSITIVE_INFINITY
    const to = Math.min(piece.length, from + wanted)
    this.#keep(piece.subarray(from, to))
    if (this.#bytes > this.#maxBytes) return 'too-large'
    if (to - from < wanted) return 'more'
    this.#hasSurplus = to < piece.length
    return 'done'
  }

  #takeChunks(chunks: ChunkedBody, piece: Buffer, from: number): ParserState {
    const taken = chunks.take(piece, from, (part) => this.#keep(part))
    if (taken === null) return 'malformed'
    if (this.#bytes > this.#maxBytes) return 'too-large'
    if (!taken.isEnd) return 'more'
    this.#hasSurplus = taken.at < piece.length
    return 'done'
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#parts.push(part)
    this.#bytes += part.length
  }

  /** The connection was closed by the other side: that is the end of an answer without a length. */
  takeClose(): ParserState {
    return this.#head?.framing.kind === 'until-close' ? 'done' : 'malformed'
  }

  /** After `done`. */
  answer(): HttpAnswer {
    const text = this.#text ?? Buffer.concat(this.#parts).toString('utf8')
    const answer = { status: this.#head?.status ?? 0, text }
    this.reset()
    return answer
  }

  /** Forgets everything, for the next answer. */
  reset(): void {
    if (this.#kept > 0) this.#budget.giveBack(this.#kept)
    this.#head = null
    this.#headBytes = null
    this.#interimHeads = 0
    this.#chunks = null
    if (this.#parts.length > 0) this.#parts = []
    this.#text = null
    this.#bytes = 0
    this.#kept = 0
    this.#hasSurplus = false
  }
}

/** No encoding was asked for, and inflating what nobody asked for is how small answers become large ones. */
function readPlainHead(text: string): AnswerHead | null {
  const head = readHead(text)
  return head?.isEncoded === true ? null : head
}
