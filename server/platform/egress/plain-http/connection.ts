import type { Cutoff } from '../cutoff.ts'
import { EgressError } from '../failure.ts'
import type { Received } from '../received.ts'
import { AnswerReader, type ReaderState } from './answer-reader.ts'
import { type Flow, Incoming } from './incoming.ts'
import type { RequestBytes } from './request-bytes.ts'

type Socket = Bun.Socket<Connection>

/** One exchange on its way. */
interface Exchange {
  readonly reader: AnswerReader
  readonly cutoff: Cutoff
  /** Where the head of the answer has arrived. */
  incoming: Incoming | null
  resolve(received: Received): void
  reject(error: unknown): void
}

/** The other side closed the connection. */
class Lost extends EgressError {
  /** Before anything of the answer came, and after it had answered other requests. */
  readonly isStale: boolean

  constructor(isStale: boolean) {
    super('CONNECT', 'ECONNRESET')
    this.isStale = isStale
  }
}

/** It may have been closed before the request came: on a new connection, it may well be answered. */
export const isStale = (error: unknown): boolean => error instanceof Lost && error.isStale

/** One socket, which carries one exchange at a time. */
export class Connection {
  readonly #onFree: () => void
  #socket: Socket | null = null
  #exchange: Exchange | null = null
  #unsent: Uint8Array | null = null
  #answers = 0
  #isClosed = false

  /** `onFree`: an exchange is over, and it can carry another one. */
  constructor(onFree: () => void) {
    this.#onFree = onFree
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  opened(socket: Socket): void {
    this.#socket = socket
    socket.setNoDelay(true)
    if (this.#isClosed) socket.terminate()
  }

  /** Nothing is sent twice. Rejects with an `EgressError`. */
  send(request: RequestBytes, cutoff: Cutoff): Promise<Received> {
    return new Promise((resolve, reject) => {
      const reader = new AnswerReader(
        {
          head: (head, headers) => {
            const { isBodilessAnswered } = request
            exchange.incoming = new Incoming(head, headers, isBodilessAnswered, this.#flowOf(exchange))
          },
          part: (bytes) => exchange.incoming?.part(bytes),
        },
        request.isBodilessAnswered,
      )
      const exchange: Exchange = { reader, cutoff, incoming: null, resolve, reject }
      this.#exchange = exchange
      cutoff.tell((reason) => this.#end(reason))
      if (this.#isClosed) this.#end(new Lost(this.#answers > 0))
      else this.#write(request.bytes)
    })
  }

  /** Of one exchange: its reader may still be at it when the connection carries another one. */
  #flowOf(exchange: Exchange): Flow {
    const whileItsOwn =
      (act: () => void): (() => void) =>
      () => {
        if (this.#exchange === exchange) act()
      }
    return {
      pause: whileItsOwn(() => this.#socket?.pause()),
      resume: whileItsOwn(() => this.#socket?.resume()),
      abandon: whileItsOwn(() => this.#end(new EgressError('ABORTED'))),
    }
  }

  #write(bytes: Uint8Array): void {
    const written = Math.max(0, this.#socket?.write(bytes) ?? 0)
    this.#unsent = written < bytes.length ? bytes.subarray(written) : null
  }

  drained(): void {
    if (this.#unsent !== null) this.#write(this.#unsent)
  }

  received(piece: Buffer): void {
    const exchange = this.#exchange
    // Nobody asked for anything: whatever it is, it must not become the answer to the next request.
    if (exchange === null) return this.close()
    const state = taken(exchange.reader, piece)
    if (state === 'malformed') return this.#end(new EgressError('PROTOCOL', 'malformed'))
    const { incoming } = exchange
    if (incoming === null) return
    if (state === 'done') return this.#finish(exchange, incoming, exchange.reader.keepsAlive)
    if (!incoming.isGiven) exchange.resolve(incoming.received(false))
  }

  #finish(exchange: Exchange, incoming: Incoming, keepsAlive: boolean): void {
    this.#answers++
    this.#release(exchange)
    if (keepsAlive && this.#unsent === null && !this.#isClosed) {
      this.#socket?.resume()
      this.#onFree()
    } else {
      this.close()
    }
    if (incoming.isGiven) incoming.ended()
    else exchange.resolve(incoming.received(true))
  }

  /** The other side closed it, or it broke. */
  lost(): void {
    this.#isClosed = true
    const exchange = this.#exchange
    if (exchange === null) return this.close()
    const { incoming } = exchange
    if (incoming !== null && exchange.reader.takeClose() === 'done') this.#finish(exchange, incoming, false)
    else this.#end(new Lost(this.#answers > 0 && !exchange.reader.hasBegun))
  }

  #end(error: EgressError): void {
    const exchange = this.#exchange
    if (exchange !== null) this.#release(exchange)
    this.close() // which tells this connection that it is lost
    if (exchange === null) return
    exchange.reject(error)
    exchange.incoming?.failed(error)
  }

  #release({ cutoff }: Exchange): void {
    this.#exchange = null
    cutoff.tell(null)
  }

  /** At once, and without waiting for what is still to be sent. */
  close(): void {
    this.#isClosed = true
    this.#unsent = null
    this.#socket?.terminate()
    this.#socket = null
  }
}

/** A header that HTTP does not know is malformed like everything else. */
function taken(reader: AnswerReader, piece: Buffer): ReaderState {
  try {
    return reader.take(piece)
  } catch (error) {
    if (error instanceof TypeError) return 'malformed'
    throw error
  }
}
