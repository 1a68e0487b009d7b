import type { AnswerHead } from '../../http1/answer-head.ts'
import type { Bytes } from './answer-reader.ts'

/** What the reader of a body does to the connection it comes from. */
export interface Flow {
  /** Nothing more is to be read until `resume`. */
  pause(): void
  resume(): void
  /** Nobody wants the rest. */
  abandon(): void
}

/** Read ahead of whoever reads the body. */
const bufferedBytes = 64 << 10

/** Statuses whose `Response` cannot have a body (WHATWG Fetch), whatever the peer sends. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** An answer on its way in: a `Response` that is there as a whole where it came in one piece, and a stream otherwise. */
export class Incoming {
  readonly #flow: Flow
  readonly #status: number
  readonly #headers: Headers
  #parts: Bytes[] = []
  #stream: ReadableStreamDefaultController<Bytes> | null = null
  #isGiven = false
  #isOver = false

  constructor({ status }: AnswerHead, headers: Headers, flow: Flow) {
    this.#status = status
    this.#headers = headers
    this.#flow = flow
  }

  /** Whether its `Response` is out. */
  get isGiven(): boolean {
    return this.#isGiven
  }

  part(bytes: Bytes): void {
    if (this.#isOver || bodiless.has(this.#status)) return
    if (this.#stream === null) {
      this.#parts.push(bytes)
      return
    }
    this.#stream.enqueue(bytes)
    if ((this.#stream.desiredSize ?? 0) <= 0) this.#flow.pause()
  }

  /** To be asked for once. `isWhole`: nothing more will come. */
  response(isWhole: boolean): Response {
    this.#isGiven = true
    const init = { status: this.#status, headers: this.#headers }
    if (isWhole) {
      this.#isOver = true
      const [only, ...more] = this.#parts
      return new Response(more.length === 0 ? (only ?? null) : new Blob(this.#parts), init)
    }
    return new Response(bodiless.has(this.#status) ? null : this.#openStream(), init)
  }

  #openStream(): ReadableStream<Bytes> {
    return new ReadableStream<Bytes>(
      {
        start: (controller) => {
          this.#stream = controller
          for (const part of this.#parts.splice(0)) controller.enqueue(part)
        },
        pull: () => this.#flow.resume(),
        cancel: () => {
          if (this.#isOver) return
          this.#isOver = true
          this.#flow.abandon()
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: bufferedBytes }),
    )
  }

  ended(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stream?.close()
  }

  failed(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stream?.error(error)
  }
}
