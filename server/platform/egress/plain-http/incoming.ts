import type { AnswerHead } from '../../http1/answer-head.ts'
import type { Received } from '../received.ts'
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

/** An answer on its way in. */
export class Incoming {
  readonly #flow: Flow
  readonly #status: number
  readonly #isBodiless: boolean
  readonly #headers: Headers
  #parts: Bytes[] = []
  #stream: ReadableStreamDefaultController<Bytes> | null = null
  #isGiven = false
  #isOver = false

  constructor({ status }: AnswerHead, headers: Headers, isBodiless: boolean, flow: Flow) {
    this.#isBodiless = isBodiless || bodiless.has(status)
    this.#status = status
    this.#headers = headers
    this.#flow = flow
  }

  /** Whether it is out. */
  get isGiven(): boolean {
    return this.#isGiven
  }

  part(bytes: Bytes): void {
    if (this.#isOver || this.#isBodiless) return
    if (this.#stream === null) {
      this.#parts.push(bytes)
      return
    }
    this.#stream.enqueue(bytes)
    if ((this.#stream.desiredSize ?? 0) <= 0) this.#flow.pause()
  }

  /** To be asked for once. `isWhole`: nothing more will come. */
  received(isWhole: boolean): Received {
    this.#isGiven = true
    const given = { status: this.#status, statusText: '', headers: this.#headers }
    if (this.#isBodiless) return { ...given, body: null }
    if (!isWhole) return { ...given, body: this.#openStream() }
    this.#isOver = true
    const [only, ...more] = this.#parts
    const whole = only !== undefined && more.length === 0 ? only : new Uint8Array(Buffer.concat(this.#parts))
    return { ...given, body: null, whole }
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
