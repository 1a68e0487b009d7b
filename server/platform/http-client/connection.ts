import { headEnd } from './response-head.ts'
import { ResponseReader, type ResponseSink } from './response-reader.ts'

/** The reason for which a connection ended without the response to its request. */
export type ConnectionFailure = 'closed' | 'malformed' | 'too-large'

/** One request on its way over one connection, and whoever wants to know what becomes of it. */
export interface Exchange extends ResponseSink {
  /** All of it, as it goes over the wire. */
  readonly request: string | Uint8Array
  readonly hasBodilessResponse: boolean
  /** Some bytes went or came. */
  progressed(): void
  /** The response is whole. Returns false when it is not the response to this request: the connection is closed then. */
  accepts(): boolean
  /** Called after `accepts`. */
  ended(): void
  /** `isStale`: the connection had been used before, and closed before anything of this response came. */
  failed(failure: ConnectionFailure, isStale: boolean): void
}

/** Whoever keeps connections. */
export interface ConnectionOwner {
  /** It has something to send: call `sendNow` at once or soon. */
  wantsToSend(connection: Connection): void
  /** Its exchange is over and it can carry another one. */
  becameFree(connection: Connection): void
  /** It is closed. Called once, before its exchange hears of a failure. */
  closed(connection: Connection): void
}

/** The operations that both kinds of sockets have. */
export type ConnectionSocket = Pick<Bun.Socket, 'write' | 'terminate' | 'setNoDelay' | 'pause' | 'resume'>

/**
 * One kept connection over HTTP/1.1, which carries one exchange at a time. Whatever comes while there is none cannot be its
 * response: it closes the connection. Before its request was written whole only a refusal can be, as of a body that is
 * too large (RFC 9112, section 9.5): it is read, and the rest is not sent.
 */
export class Connection {
  readonly #owner: ConnectionOwner
  readonly #reader = new ResponseReader()
  #socket: ConnectionSocket | null = null
  #exchange: Exchange | null = null
  #isWritten = false
  #unsent: Uint8Array | null = null
  #isPaused = false
  #responses = 0
  /** The instant at which it became free, by its owner's clock. */
  freeSince = 0
  /** When the peer's certificate ends (Unix seconds); null without TLS. */
  certificateExpiresAt: number | null = null
  #isClosed = false

  constructor(owner: ConnectionOwner) {
    this.#owner = owner
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get isOpen(): boolean {
    return this.#socket !== null
  }

  /** Returns true once anything of the response has arrived. */
  get hasBegun(): boolean {
    return this.#reader.hasBegun
  }

  /** Gives it an exchange, which is sent as soon as the socket is open. */
  carry(exchange: Exchange): void {
    this.#exchange = exchange
    this.#isWritten = false
    this.#reader.begin(exchange, exchange.hasBodilessResponse)
    if (this.#isClosed) this.#end('closed') // between two turns
    else if (this.#socket !== null) this.#owner.wantsToSend(this)
  }

  opened(socket: ConnectionSocket): void {
    if (this.#isClosed) return void socket.terminate()
    this.#socket = socket
    socket.setNoDelay(true)
    this.#exchange?.progressed()
    this.sendNow()
  }

  /** Unless the exchange has come to its end meanwhile. */
  sendNow(): void {
    const { request } = this.#exchange ?? {}
    if (this.#socket === null || request === undefined || this.#isWritten || this.#unsent !== null) return
    if (typeof request !== 'string') return this.#write(request)
    const written = this.#socket.write(request)
    this.#isWritten = written === Buffer.byteLength(request)
    if (!this.#isWritten) this.#keepUnsent(Buffer.from(request), written)
  }

  #write(bytes: Uint8Array): void {
    this.#keepUnsent(bytes, this.#socket?.write(bytes) ?? 0)
  }

  #keepUnsent(bytes: Uint8Array, written: number): void {
    this.#isWritten = written >= bytes.length
    this.#unsent = this.#isWritten ? null : bytes.subarray(Math.max(0, written))
  }

  drained(): void {
    if (this.#unsent === null || this.#reader.hasBegun) return
    this.#exchange?.progressed()
    this.#write(this.#unsent)
  }

  received(piece: Buffer): void {
    const exchange = this.#exchange
    if (exchange === null || !this.#hasSentHead(exchange)) return this.#end('malformed')
    const state = this.#reader.take(piece)
    if (!this.#isWritten && !this.#reader.canBeRefusal) return this.#end('malformed')
    if (state === 'done') return this.#finish(exchange, this.#reader.keepsAlive && this.#isWritten)
    if (state !== 'more') return this.#end(state)
    exchange.progressed()
  }

  #hasSentHead({ request }: Exchange): boolean {
    if (this.#isWritten || this.#unsent === null) return this.#isWritten
    const bytes = Buffer.from(request)
    return bytes.indexOf(headEnd) + headEnd.length <= bytes.length - this.#unsent.length
  }

  /** The other side closed it, or it broke. */
  lost(): void {
    if (this.#isClosed) return
    const exchange = this.#exchange
    if (exchange !== null && this.#reader.takeClose() === 'done') this.#finish(exchange, false)
    else this.#end('closed')
  }

  /** Nothing more is to be read until `resume`. Of no effect for an exchange that is over. */
  pause(exchange: Exchange): void {
    if (this.#exchange !== exchange) return
    this.#isPaused = true
    this.#socket?.pause()
  }

  resume(exchange: Exchange): void {
    if (this.#exchange === exchange) this.#flow()
  }

  #flow(): void {
    if (this.#isPaused) this.#socket?.resume()
    this.#isPaused = false
  }

  /** Nobody waits for this exchange any more: closes the connection if it is still under way. */
  abandon(exchange: Exchange): void {
    if (this.#exchange === exchange) this.close()
  }

  #finish(exchange: Exchange, keepsAlive: boolean): void {
    this.#responses++
    const canGoOn = exchange.accepts() && keepsAlive && !this.#isClosed
    this.#exchange = null
    exchange.ended()
    if (!canGoOn) return this.close()
    this.#flow()
    this.#owner.becameFree(this)
  }

  /** Nothing that comes over it can be believed any more. */
  distrust(): void {
    this.#end('malformed')
  }

  #end(failure: ConnectionFailure): void {
    const exchange = this.#exchange
    const isStale = failure === 'closed' && this.#responses > 0 && !this.#reader.hasBegun
    this.close()
    exchange?.failed(failure, isStale)
  }

  /** Closes the connection at once, without sending the rest. Its exchange is not notified. */
  close(): void {
    this.#exchange = null
    if (this.#isClosed) return
    this.#isClosed = true
    this.#unsent = null
    const socket = this.#socket
    this.#socket = null
    socket?.terminate()
    this.#owner.closed(this)
  }
}
