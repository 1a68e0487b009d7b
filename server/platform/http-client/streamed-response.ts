import type { Cutoff } from '../egress/cutoff.ts'
import { EgressError } from '../egress/failure.ts'
import type { Received } from '../egress/received.ts'
import type { Connection, ConnectionFailure, Exchange } from './connection.ts'
import type { RequestBytes } from './request-bytes.ts'
import type { ResponseHead } from './response-head.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Read ahead of whoever reads the body. */
const bufferedBytes = 64 << 10

/** Statuses whose `Response` cannot have a body (WHATWG Fetch), whatever the peer sends. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304])

/** One exchange whose response is passed on as it comes: whole where all of it came in one piece, otherwise as a stream. */
export class StreamedResponse implements Exchange {
  readonly request: Uint8Array
  readonly hasBodilessResponse: boolean
  /** Rejects with an `EgressError`. */
  readonly received: Promise<Received>
  /** After a failure, true when the request may never have been read, because the connection was closed while nobody used it. */
  isStale = false
  readonly #connection: Connection
  readonly #cutoff: Cutoff
  readonly #resolve: (received: Received) => void
  readonly #reject: (error: unknown) => void
  #head: ResponseHead | null = null
  #parts: Bytes[] = []
  #stream: ReadableStreamDefaultController<Bytes> | null = null
  #isGiven = false
  #isOver = false

  constructor(connection: Connection, { bytes, hasBodilessResponse }: RequestBytes, cutoff: Cutoff) {
    const { promise, resolve, reject } = Promise.withResolvers<Received>()
    this.request = bytes
    this.hasBodilessResponse = hasBodilessResponse
    this.received = promise
    this.#connection = connection
    this.#cutoff = cutoff
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Sends it, unless it was cut short before. */
  send(): Promise<Received> {
    this.#cutoff.tell((reason) => this.#fail(reason))
    if (!this.#isOver) this.#connection.carry(this)
    return this.received
  }

  head(head: ResponseHead): null {
    this.#head = head
    return null
  }

  part(bytes: Buffer): null {
    if (this.#isOver || this.#isBodiless) return null
    const own = new Uint8Array(bytes)
    if (this.#stream === null) {
      this.#parts.push(own)
      return null
    }
    this.#stream.enqueue(own)
    if ((this.#stream.desiredSize ?? 0) <= 0) this.#connection.pause(this)
    return null
  }

  progressed(): void {
    if (this.#head !== null && !this.#isGiven)
      this.#give(this.#head, this.#isBodiless ? null : this.#openStream())
  }

  accepts(): boolean {
    return true
  }

  ended(): void {
    this.#cutoff.tell(null)
    if (this.#isOver) return
    this.#isOver = true
    if (this.#isGiven) return this.#stream?.close()
    if (this.#head === null) return
    if (this.#isBodiless) return this.#give(this.#head, null)
    const [only, ...more] = this.#parts
    const whole = only !== undefined && more.length === 0 ? only : new Uint8Array(Buffer.concat(this.#parts))
    this.#give(this.#head, null, whole)
  }

  failed(failure: ConnectionFailure, isStale: boolean): void {
    this.isStale = isStale
    this.#fail(
      failure === 'closed' ? new EgressError('CONNECT', 'ECONNRESET') : new EgressError('PROTOCOL', failure),
    )
  }

  get #isBodiless(): boolean {
    return this.hasBodilessResponse || bodiless.has(this.#head?.status ?? 0)
  }

  #give({ status, fields }: ResponseHead, body: ReadableStream<Bytes> | null, whole?: Bytes): void {
    this.#isGiven = true
    const headers = new Headers()
    for (const [name, value] of fields) headers.append(name, value)
    const distrust = (): void => this.#connection.distrust()
    this.#resolve({
      status,
      statusText: '',
      headers,
      body,
      certificateExpiresAt: this.#connection.certificateExpiresAt,
      distrust,
      ...(whole === undefined ? {} : { whole }),
    })
  }

  #openStream(): ReadableStream<Bytes> {
    return new ReadableStream<Bytes>(
      {
        start: (controller) => {
          this.#stream = controller
          for (const part of this.#parts.splice(0)) controller.enqueue(part)
        },
        pull: () => this.#connection.resume(this),
        cancel: () => this.#fail(new EgressError('ABORTED'), false),
      },
      new ByteLengthQueuingStrategy({ highWaterMark: bufferedBytes }),
    )
  }

  #fail(error: EgressError, hasReader = true): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#connection.abandon(this)
    this.#cutoff.tell(null)
    this.#reject(error)
    if (hasReader) this.#stream?.error(error)
  }
}
