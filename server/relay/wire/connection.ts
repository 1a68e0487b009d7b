import type { ByteBudget } from './answer-parser.ts'
import { AnswerParser, type HttpAnswer } from './answer-parser.ts'
import type { Exchange, SendFailure } from './exchange.ts'

/** What a connection tells its pool. */
export interface ConnectionOwner {
  /** It has something to send: has `sendNow` called, soon. */
  wantsToSend(connection: Connection): void
  /** Tells an exchange its answer, soon. */
  passOn(exchange: Exchange, answer: HttpAnswer): void
  /** Its exchange is over and it can carry another one. */
  becameFree(connection: Connection): void
  /** It is closed. A read that was lost before anything of its answer came may be sent once more. */
  ended(connection: Connection, lost: Exchange | null): void
  now(): number
}

export interface ConnectionBounds {
  readonly connectMs: number
  /** From the sending to the first byte of the answer. */
  readonly firstByteMs: number
  /** Between two pieces of an answer. */
  readonly idleMs: number
  /** How long a connection that nobody uses is kept. */
  readonly unusedMs: number
  readonly answerBytes: number
}

type Socket = Bun.Socket<Connection>

/** One keep-alive connection over HTTP/1.1, which carries one request at a time. */
export class Connection {
  readonly #owner: ConnectionOwner
  readonly #bounds: ConnectionBounds
  readonly #head: string
  readonly #parser: AnswerParser
  #socket: Socket | null = null
  #exchange: Exchange | null = null
  #unsent: Uint8Array | null = null
  #silentSince = 0
  #slowAt = Number.POSITIVE_INFINITY
  #answers = 0
  #isClosed = false

  /** `head`: request line and headers up to the number of the content length. */
  constructor(owner: ConnectionOwner, head: string, bounds: ConnectionBounds, budget: ByteBudget) {
    this.#owner = owner
    this.#head = head
    this.#bounds = bounds
    this.#parser = new AnswerParser(bounds.answerBytes, budget)
  }

  /** Since when it has been free, by the monotonic clock. */
  get silentSince(): number {
    return this.#silentSince
  }

  /** Gives it an exchange, which is sent as soon as the socket is there. */
  carry(exchange: Exchange): void {
    this.#exchange = exchange
    this.#slowAt = exchange.slowAt
    this.#silentSince = exchange.startedAt
    if (this.#socket !== null) this.#owner.wantsToSend(this)
  }

  /** Unless it has come to its end meanwhile. */
  sendNow(): void {
    if (this.#socket !== null && this.#exchange !== null) this.#send(this.#socket, this.#exchange.body)
  }

  opened(socket: Socket): void {
    if (this.#isClosed) {
      socket.terminate()
      return
    }
    this.#socket = socket
    socket.setNoDelay(true)
    if (this.#exchange === null) return
    this.#silentSince = this.#owner.now()
    this.#send(socket, this.#exchange.body)
  }

  #send(socket: Socket, body: string): void {
    const bytes = Buffer.byteLength(body)
    const text = `${this.#head}${bytes}\r\n\r\n${body}`
    const written = socket.write(text)
    // The head is ASCII.
    if (written < text.length - body.length + bytes)
      this.#unsent = Buffer.from(text).subarray(Math.max(0, written))
  }

  drained(): void {
    if (this.#unsent === null || this.#socket === null) return
    this.#silentSince = this.#owner.now()
    const written = this.#socket.write(this.#unsent)
    this.#unsent = written < this.#unsent.length ? this.#unsent.subarray(Math.max(0, written)) : null
  }

  received(piece: Buffer): void {
    const exchange = this.#exchange
    // Nobody asked for anything: whatever it is, it must not become the answer to the next request.
    if (exchange === null) return this.#end('malformed')
    const state = this.#parser.take(piece)
    if (state === 'more') {
      this.#silentSince = this.#owner.now()
      return
    }
    if (state !== 'done') return this.#end(state)
    this.#finish(exchange, this.#parser.keepsAlive && this.#unsent === null)
  }

  /** The other side closed it, or it broke. */
  closed(): void {
    if (this.#isClosed) return
    const exchange = this.#exchange
    if (exchange !== null && this.#parser.takeClose() === 'done') this.#finish(exchange, false)
    else this.#end('closed')
  }

  /** Looks after its deadlines. */
  sweep(now: number): void {
    const exchange = this.#exchange
    if (exchange === null) {
      if (now - this.#silentSince > this.#bounds.unusedMs) this.#end('closed')
      return
    }
    const failure = this.#overdue(exchange, now)
    if (failure !== null) return this.#end(failure)
    if (now >= this.#slowAt) this.#slowAt = exchange.slow(now)
  }

  #overdue(exchange: Exchange, now: number): SendFailure | null {
    const silentMs = now - this.#silentSince
    if (this.#socket === null) return silentMs > this.#bounds.connectMs ? 'connect' : null
    const patienceMs = this.#parser.hasBegun ? this.#bounds.idleMs : this.#bounds.firstByteMs
    return silentMs > patienceMs || now > exchange.deadlineAt ? 'timeout' : null
  }

  /** Ends it for `failure`, and with it its exchange. */
  fail(failure: SendFailure): void {
    if (!this.#isClosed) this.#end(failure)
  }

  #finish(exchange: Exchange, canGoOn: boolean): void {
    const answer = this.#parser.answer()
    this.#answers++
    this.#exchange = null
    this.#silentSince = this.#owner.now()
    if (canGoOn) {
      this.#owner.becameFree(this)
    } else {
      this.#shut()
      this.#owner.ended(this, null)
    }
    this.#owner.passOn(exchange, answer)
  }

  #end(failure: SendFailure): void {
    const exchange = this.#exchange
    const canBeRepeated =
      failure === 'closed' && this.#answers > 0 && !this.#parser.hasBegun && exchange?.isRead === true
    this.#shut()
    this.#owner.ended(this, canBeRepeated ? exchange : null)
    if (!canBeRepeated) exchange?.failed(failure)
  }

  #shut(): void {
    this.#isClosed = true
    this.#exchange = null
    this.#unsent = null
    this.#parser.reset()
    // Not `end`: that waits for what is still to be sent, to somebody who may not read it.
    this.#socket?.terminate()
    this.#socket = null
  }
}
