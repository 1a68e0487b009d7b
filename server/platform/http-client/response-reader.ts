import { ChunkedBody } from './chunked-body.ts'
import {
  canBecomeHead,
  headEnd,
  maxHeadBytes,
  maxInterimHeads,
  readHead,
  type ResponseHead,
} from './response-head.ts'

/** Receives a response, and collects it whole (`BufferedResponse`) or passes it on as it comes (`StreamedResponse`). */
export interface ResponseSink {
  /** The head of the response itself; interim ones are not told. Anything but null ends the reading. */
  head(head: ResponseHead): 'malformed' | 'too-large' | null
  /** A piece of the body, never empty. */
  part(bytes: Buffer): 'too-large' | null
  /** In place of both, where there is such a method: a response that came in one piece, all of it in ASCII. */
  whole?(head: ResponseHead, text: string): 'malformed' | 'too-large' | null
}

export type ReaderState = 'more' | 'done' | 'malformed' | 'too-large'

/** Reads HTTP/1.1 responses, one after the other, from the pieces in which they arrive. */
export class ResponseReader {
  #sink: ResponseSink | null = null
  #isBodiless = false
  #head: ResponseHead | null = null
  #headBytes: Buffer | null = null
  #interimHeads = 0
  #chunks: ChunkedBody | null = null
  #left = 0
  #hasSurplus = false
  /** Nearly every head of a connection is the one before it again. */
  #lastText = ''
  #lastHead: ResponseHead | null = null

  /** Forgets everything and reads the next response. `isBodiless`: it has no body whatever its head says, as after `HEAD`. */
  begin(sink: ResponseSink, isBodiless: boolean): void {
    this.#sink = sink
    this.#isBodiless = isBodiless
    this.#head = null
    this.#headBytes = null
    this.#interimHeads = 0
    this.#chunks = null
    this.#hasSurplus = false
  }

  /** Returns true once anything of the response has arrived. */
  get hasBegun(): boolean {
    return this.#head !== null || this.#headBytes !== null || this.#interimHeads > 0
  }

  /** Returns false once the response is known to be none of status 400 or above, or an interim one came before it. */
  get canBeRefusal(): boolean {
    return this.#interimHeads === 0 && (this.#head === null || this.#head.status >= 400)
  }

  /** Returns after `done` whether the connection may be used again. Bytes behind the response belong to nobody. */
  get keepsAlive(): boolean {
    return this.#head !== null && this.#head.keepsAlive && !this.#hasSurplus
  }

  take(piece: Buffer): ReaderState {
    if (!this.hasBegun && this.#sink?.whole !== undefined) {
      const state = this.#takeWhole(piece, this.#sink as Required<ResponseSink>)
      if (state !== null) return state
    }
    if (this.#head !== null) return this.#takeBody(piece, 0)
    let bytes = this.#headBytes === null ? piece : Buffer.concat([this.#headBytes, piece])
    for (;;) {
      const end = bytes.indexOf(headEnd)
      if (end > maxHeadBytes) return 'malformed'
      if (end < 0) {
        if (bytes.length > maxHeadBytes + headEnd.length) return 'malformed'
        this.#headBytes = bytes.length === 0 ? null : bytes
        return canBecomeHead(bytes.toString('latin1')) ? 'more' : 'malformed'
      }
      const head = this.#readHead(bytes.toString('latin1', 0, end))
      if (head === null) return 'malformed'
      if (head.status >= 200) return this.#takeHead(head, bytes, end + headEnd.length)
      // After `close` nothing may follow, and the response itself would.
      if (!head.keepsAlive || ++this.#interimHeads > maxInterimHeads) return 'malformed'
      bytes = bytes.subarray(end + headEnd.length)
    }
  }

  /** Nearly every small response, in half of the time. Null: it is another one, and nothing was taken. */
  #takeWhole(piece: Buffer, sink: Required<ResponseSink>): ReaderState | null {
    const head = this.#lastHead
    if (head === null || head.framing.kind !== 'length' || head.encoding !== null || this.#isBodiless) {
      return null
    }
    const bodyAt = this.#lastText.length + headEnd.length
    if (head.status < 200 || head.framing.bytes !== piece.length - bodyAt) return null
    const text = piece.toString('utf8')
    // Other characters are fewer than their bytes: only without them do places in the text and in the bytes agree.
    if (text.length !== piece.length || !text.startsWith(this.#lastText)) return null
    if (!text.startsWith(headEnd, this.#lastText.length)) return null
    this.#head = head
    return sink.whole(head, text.slice(bodyAt)) ?? 'done'
  }

  #readHead(text: string): ResponseHead | null {
    if (text === this.#lastText) return this.#lastHead
    this.#lastText = text
    this.#lastHead = readHead(text)
    return this.#lastHead
  }

  #takeHead(head: ResponseHead, bytes: Buffer, bodyAt: number): ReaderState {
    const { framing } = head
    this.#head = head
    this.#headBytes = null
    this.#left = framing.kind === 'length' ? framing.bytes : Number.POSITIVE_INFINITY
    if (this.#isBodiless) this.#left = 0
    else if (framing.kind === 'chunked') this.#chunks = new ChunkedBody()
    return this.#sink?.head(head) ?? this.#takeBody(bytes, bodyAt)
  }

  #takeBody(piece: Buffer, from: number): ReaderState {
    if (this.#chunks !== null) return this.#takeChunks(this.#chunks, piece, from)
    const to = Math.min(piece.length, from + this.#left)
    this.#left -= to - from
    const refusal = to > from ? this.#sink?.part(piece.subarray(from, to)) : null
    if (refusal) return refusal
    if (this.#left > 0) return 'more'
    this.#hasSurplus = to < piece.length
    return 'done'
  }

  #takeChunks(chunks: ChunkedBody, piece: Buffer, from: number): ReaderState {
    let refusal: ReaderState | null = null
    const taken = chunks.take(piece, from, (part) => {
      refusal ??= this.#sink?.part(part) ?? null
    })
    if (taken === null) return 'malformed'
    if (refusal !== null) return refusal
    if (!taken.isEnd) return 'more'
    this.#hasSurplus = taken.at < piece.length
    return 'done'
  }

  /** The connection was closed by the other side: that is the end of a response without a length. */
  takeClose(): ReaderState {
    return this.#head?.framing.kind === 'until-close' ? 'done' : 'malformed'
  }
}
