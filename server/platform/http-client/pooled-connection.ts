import { BufferedResponse, type ByteBudget, type HttpResponse } from './buffered-response.ts'
import { Connection, type ConnectionFailure, type ConnectionOwner, type Exchange } from './connection.ts'
import type { UndecodedBody } from './decode-body.ts'

/** The reason for which no response came back. */
export type SendFailure =
  | ConnectionFailure
  | UndecodedBody
  | 'refused-address' // its address may not be reached, or its name cannot be resolved
  | 'connect' // no connection: nothing was sent
  | 'certificate' // its certificate is wrong: nothing was sent
  | 'busy' // too many requests are on their way to it: nothing was sent
  | 'timeout'
  | 'stopped' // this process is about to end

/** Failures after which nobody can have seen the request. */
export const isUnsent = (failure: string): boolean =>
  failure === 'refused-address' || failure === 'connect' || failure === 'certificate' || failure === 'busy'

/** A request body on its way to one upstream, and whoever wants to know what becomes of it. */
export interface PooledRequest {
  readonly body: string
  /** What is not known to be a read must not be sent twice: it gets a connection that nobody can have closed. */
  readonly isRead: boolean
  /** The start in ms of the monotonic clock. */
  readonly startedAt: number
  /** The instant (same clock) at which it ends without a response, whatever arrives. */
  readonly deadlineAt: number
  /** The instant (same clock) at which `slow` is called; infinity for never. */
  readonly slowAt: number
  /** The time from sending to the first byte of the response. */
  readonly firstByteMs: number
  /** The longest response. */
  readonly answerBytes: number
  /** Whether the response is asked for compressed. */
  readonly takesCompressed: boolean
  /** Reads the response; false when it cannot be the response to this request. `answered` follows in both cases. */
  accepts(response: HttpResponse): boolean
  answered(): void
  failed(failure: SendFailure): void
  /** Returns when it is to be called again. */
  slow(now: number): number
}

export interface PoolBounds {
  readonly connections: number
  /** Requests that wait for a connection; those beyond fail as `busy`. */
  readonly waiting: number
  readonly connectMs: number
  /** The longest time between two pieces of a response. */
  readonly idleMs: number
  /** The time for which a connection that nobody uses is kept. */
  readonly unusedMs: number
  /** How often it is asked, while there are connections, whether they still go to where the name leads. */
  readonly followMs: number
}

/** The state that the connections of one pool share. */
export interface PoolOfConnection {
  /** Returns request line and headers, up to the number of the content length. */
  readonly head: (takesCompressed: boolean) => string
  readonly bounds: PoolBounds
  readonly budget: ByteBudget
  now(): number
  wantsToSend(connection: Connection): void
  becameFree(pooled: PooledConnection): void
  closed(pooled: PooledConnection): void
  repeat(request: PooledRequest): void
  answered(request: PooledRequest): void
}

/** One connection with the request that it carries, and the deadlines of both. */
export class PooledConnection extends BufferedResponse implements Exchange, ConnectionOwner {
  readonly connection = new Connection(this)
  readonly hasBodilessResponse = false
  request = ''
  /** Null until it is open. */
  address: string | null = null
  #isRetired = false
  readonly #pool: PoolOfConnection
  /** Null: it is free, or it has ended. */
  #carried: PooledRequest | null = null
  #undecoded: UndecodedBody | null = null
  #silentSince = 0
  #slowAt = Number.POSITIVE_INFINITY

  constructor(pool: PoolOfConnection) {
    super(pool.budget)
    this.#pool = pool
  }

  carry(carried: PooledRequest): void {
    const { body, slowAt, startedAt } = carried
    this.request = `${this.#pool.head(carried.takesCompressed)}${Buffer.byteLength(body)}\r\n\r\n${body}`
    this.#carried = carried
    this.#undecoded = null
    this.#slowAt = slowAt
    this.#silentSince = startedAt
    this.maxBytes = carried.answerBytes
    this.connection.carry(this)
  }

  progressed(): void {
    this.#silentSince = this.#pool.now()
  }

  accepts(): boolean {
    const response = this.response()
    this.release()
    if (typeof response === 'string') {
      this.#undecoded = response
      return false
    }
    return this.#carried?.accepts(response) ?? false
  }

  wantsToSend(): void {
    this.#pool.wantsToSend(this.connection)
  }

  ended(): void {
    const carried = this.#taken()
    if (carried === null) return
    if (this.#undecoded === null) this.#pool.answered(carried)
    else carried.failed(this.#undecoded)
  }

  becameFree(): void {
    if (this.#isRetired) return this.connection.close()
    this.#silentSince = this.#pool.now()
    this.#pool.becameFree(this)
  }

  closed(): void {
    this.#pool.closed(this)
  }

  failed(failure: ConnectionFailure, isStale: boolean): void {
    const carried = this.#taken()
    if (carried === null) return
    if (isStale && carried.isRead) this.#pool.repeat(carried)
    else carried.failed(failure)
  }

  /** Closes it, once what it carries has ended. */
  retire(): void {
    this.#isRetired = true
    if (this.#carried === null) this.connection.close()
  }

  #taken(): PooledRequest | null {
    const carried = this.#carried
    this.#carried = null
    this.release()
    return carried
  }

  sweep(now: number): void {
    const { bounds } = this.#pool
    const silentMs = now - this.#silentSince
    if (this.#carried === null) {
      if (silentMs > bounds.unusedMs) this.connection.close()
    } else if (!this.connection.isOpen) {
      if (silentMs > bounds.connectMs) this.end('connect')
    } else if (
      silentMs > (this.connection.hasBegun ? bounds.idleMs : this.#carried.firstByteMs) ||
      now > this.#carried.deadlineAt
    ) {
      this.end('timeout')
    } else if (now >= this.#slowAt) {
      this.#slowAt = this.#carried.slow(now)
    }
  }

  /** Ends it, and what it carries for this reason. */
  end(failure: SendFailure): void {
    this.connection.close()
    this.#taken()?.failed(failure)
  }
}
