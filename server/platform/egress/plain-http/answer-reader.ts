import {
  type AnswerHead,
  headEnd,
  isInterimHead,
  maxHeadBytes,
  maxInterimHeads,
  readHead,
} from '../../http1/answer-head.ts'
import { ChunkedBody } from '../../http1/chunked-body.ts'

export type Bytes = Uint8Array<ArrayBuffer>

export interface ReaderListener {
  head(head: AnswerHead, headers: Headers): void
  /** A piece of the body, never empty. */
  part(bytes: Bytes): void
}

export type ReaderState = 'more' | 'done' | 'malformed'

/** Takes a piece from `at` on; null when it does not belong to such a body. As `ChunkedBody`. */
type Body = Pick<ChunkedBody, 'take'>

/** Reads one HTTP/1.1 answer from the pieces in which it arrives, and tells what it holds as it comes. */
export class AnswerReader {
  readonly #listener: ReaderListener
  readonly #isBodiless: boolean
  #headBytes: Buffer | null = null
  #interimHeads = 0
  #head: AnswerHead | null = null
  #body: Body | null = null
  #hasSurplus = false

  /** `isBodiless`: whatever the head says, as after `HEAD`. */
  constructor(listener: ReaderListener, isBodiless: boolean) {
    this.#listener = listener
    this.#isBodiless = isBodiless
  }

  /** After `done`: whether the connection may be used again. Bytes behind the answer belong to nobody. */
  get keepsAlive(): boolean {
    return this.#head?.keepsAlive === true && !this.#hasSurplus
  }

  /** Whether anything of the answer has arrived. */
  get hasBegun(): boolean {
    return this.#headBytes !== null || this.#head !== null || this.#interimHeads > 0
  }

  take(piece: Buffer): ReaderState {
    if (this.#body !== null) return this.#takeBody(this.#body, piece, 0)
    let bytes = this.#headBytes === null ? piece : Buffer.concat([this.#headBytes, piece])
    for (;;) {
      const end = bytes.indexOf(headEnd)
      if (end > maxHeadBytes || (end < 0 && bytes.length > maxHeadBytes)) return 'malformed'
      if (end < 0) {
        this.#headBytes = bytes
        return 'more'
      }
      const text = bytes.toString('latin1', 0, end)
      const behind = end + headEnd.length
      if (!isInterimHead(text)) return this.#takeHead(text, bytes, behind)
      if (++this.#interimHeads > maxInterimHeads) return 'malformed'
      bytes = bytes.subarray(behind)
    }
  }

  #takeHead(text: string, bytes: Buffer, behind: number): ReaderState {
    const headers = new Headers()
    const head = readHead(text, (name, value) => headers.append(name, value))
    if (head === null) return 'malformed'
    this.#head = head
    this.#headBytes = null
    this.#body = this.#isBodiless ? new PlainBody(0) : bodyOf(head)
    this.#listener.head(head, headers)
    return this.#takeBody(this.#body, bytes, behind)
  }

  #takeBody(body: Body, piece: Buffer, from: number): ReaderState {
    const taken = body.take(piece, from, (part) => this.#listener.part(new Uint8Array(part)))
    if (taken === null) return 'malformed'
    if (!taken.isEnd) return 'more'
    this.#hasSurplus = taken.at < piece.length
    return 'done'
  }

  /** The connection was closed by the other side: that is the end of an answer without a length. */
  takeClose(): ReaderState {
    return this.#head?.framing.kind === 'until-close' ? 'done' : 'malformed'
  }
}

function bodyOf({ framing }: AnswerHead): Body {
  if (framing.kind === 'chunked') return new ChunkedBody()
  return new PlainBody(framing.kind === 'length' ? framing.bytes : Number.POSITIVE_INFINITY)
}

/** A body of so many bytes. */
class PlainBody implements Body {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  take(piece: Buffer, at: number, hand: (part: Buffer) => void): { at: number; isEnd: boolean } {
    const part = piece.subarray(at, at + this.#left)
    if (part.length > 0) hand(part)
    this.#left -= part.length
    return { at: at + part.length, isEnd: this.#left === 0 }
  }
}
