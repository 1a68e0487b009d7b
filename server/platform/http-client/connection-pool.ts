import type { Clock } from '../clock.ts'
import { EgressError } from '../egress/failure.ts'
import { BufferedResponse, type ByteBudget, type HttpResponse } from './buffered-response.ts'
import { createBurst } from './burst.ts'
import { Connection, type ConnectionFailure, type ConnectionOwner, type Exchange } from './connection.ts'
import { dial, type DialTarget } from './dial.ts'

/** Why no response came back. */
export type SendFailure =
  | ConnectionFailure
  | 'refused-address' // its address may not be reached, or its name cannot be resolved
  | 'connect' // no connection: nothing was sent
  | 'busy' // too many requests are on their way to it: nothing was sent
  | 'timeout'
  | 'stopped' // this process is about to end

/** Failures after which nobody can have seen the request. */
export const isUnsent = (failure: string): boolean =>
  failure === 'refused-address' || failure === 'connect' || failure === 'busy'

/** A request body on its way to one upstream, and whoever wants to know what becomes of it. */
export interface PooledRequest {
  readonly body: string
  /** What is not known to be a read must not be sent twice: it gets a connection that nobody can have closed. */
  readonly isRead: boolean
  /** By the monotonic clock, ms. */
  readonly startedAt: number
  /** By the same clock: when it ends without a response, whatever arrives. */
  readonly deadlineAt: number
  /** By the same clock: when `slow` is called; infinity: never. */
  readonly slowAt: number
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
  /** From the sending to the first byte of the response. */
  readonly firstByteMs: number
  /** Between two pieces of a response. */
  readonly idleMs: number
  /** How long a connection that nobody uses is kept. */
  readonly unusedMs: number
  readonly answerBytes: number
}

export interface PoolOptions {
  /** Names are resolved and checked anew for each connection. Rejects with an `EgressError`. */
  readonly resolve: () => Promise<DialTarget & { readonly addresses: readonly string[] }>
  /** Request line and headers, up to the number of the content length. */
  readonly head: string
  readonly bounds: PoolBounds
  readonly budget: ByteBudget
  readonly clock: Clock
}

/** The kept connections to one upstream, for small bodies that are read whole. */
export interface ConnectionPool {
  send(request: PooledRequest): void
  /** Enforces deadlines; called many times a second. */
  sweep(now: number): void
  /** Requests that are under way or wait. */
  readonly inFlight: number
  close(): void
}

/** Up to so many requests nothing is gathered: the end of the turn would only come later for the few that wait. */
const fewRequests = 2

export function createConnectionPool({ resolve, head, bounds, budget, clock }: PoolOptions): ConnectionPool {
  const connections = new Map<Connection, BufferedExchange | null>()
  const free: Connection[] = []
  const waiting: PooledRequest[] = []
  let isClosed = false

  function carry(connection: Connection, request: PooledRequest): void {
    const exchange = new BufferedExchange(request, connection, pool)
    connections.set(connection, exchange)
    connection.carry(exchange)
  }

  async function connect(connection: Connection): Promise<void> {
    try {
      const target = await resolve()
      await dial(connection, target.addresses, target)
    } catch (error) {
      connections.get(connection)?.end(error instanceof EgressError ? 'refused-address' : 'connect')
    }
  }

  function open(request: PooledRequest): void {
    const connection = new Connection(owner)
    carry(connection, request)
    void connect(connection)
  }

  /** Reads take the connection that was used last; others a new one, as a free one may have been closed just now. */
  function send(request: PooledRequest): void {
    if (isClosed) return request.failed('stopped')
    const reused = request.isRead ? free.pop() : undefined
    if (reused !== undefined) return carry(reused, request)
    if (connections.size >= bounds.connections) free[0]?.close()
    if (connections.size < bounds.connections) return open(request)
    if (waiting.length >= bounds.waiting) return request.failed('busy')
    waiting.push(request)
  }

  /** There is room for one that waits. */
  function sendNext(): void {
    const next = waiting.shift()
    if (next !== undefined) send(next)
  }

  const hasFew = (): boolean => connections.size - free.length <= fewRequests
  const sendSoon = createBurst((connection: Connection) => connection.sendNow())
  const answerSoon = createBurst((request: PooledRequest) => request.answered())

  const owner: ConnectionOwner = {
    wantsToSend(connection) {
      if (hasFew()) connection.sendNow()
      else sendSoon(connection)
    },
    becameFree(connection) {
      connections.set(connection, null)
      connection.freeSince = clock.monotonic()
      free.push(connection)
      sendNext()
    },
    ended(connection) {
      connections.delete(connection)
      const place = free.indexOf(connection)
      if (place >= 0) free.splice(place, 1)
      sendNext()
    },
  }

  const pool: ExchangeOwner = {
    head,
    bounds,
    budget,
    now: clock.monotonic,
    /** On a new connection: whatever closed the last one has most likely closed the free ones, too. */
    repeat(request) {
      if (isClosed) request.failed('stopped')
      else open(request)
    },
    answered(request) {
      if (hasFew()) request.answered()
      else answerSoon(request)
    },
  }

  function dropOverdue(now: number): void {
    for (let place = waiting.length - 1; place >= 0; place--) {
      const request = waiting[place]
      if (request === undefined || now - request.startedAt <= bounds.connectMs) continue
      waiting.splice(place, 1)
      request.failed('busy')
    }
  }

  return {
    send,
    sweep(now) {
      for (const [connection, exchange] of connections) {
        if (exchange !== null) exchange.sweep(now)
        else if (now - connection.freeSince > bounds.unusedMs) connection.close()
      }
      if (waiting.length > 0) dropOverdue(now)
    },
    get inFlight() {
      return connections.size - free.length + waiting.length
    },
    close() {
      isClosed = true
      for (const request of waiting.splice(0)) request.failed('stopped')
      for (const [connection, exchange] of connections) {
        if (exchange === null) connection.close()
        else exchange.end('stopped')
      }
    },
  }
}

/** What the exchanges of one pool share. */
interface ExchangeOwner {
  readonly head: string
  readonly bounds: PoolBounds
  readonly budget: ByteBudget
  now(): number
  repeat(request: PooledRequest): void
  answered(request: PooledRequest): void
}

/** A request on one connection, with its deadlines. */
class BufferedExchange extends BufferedResponse implements Exchange {
  readonly request: string
  readonly hasBodilessResponse = false
  readonly #pooled: PooledRequest
  readonly #connection: Connection
  readonly #owner: ExchangeOwner
  #silentSince: number
  #slowAt: number

  constructor(pooled: PooledRequest, connection: Connection, owner: ExchangeOwner) {
    super(owner.bounds.answerBytes, owner.budget)
    const { body, slowAt, startedAt } = pooled
    this.request = `${owner.head}${Buffer.byteLength(body)}\r\n\r\n${body}`
    this.#pooled = pooled
    this.#connection = connection
    this.#owner = owner
    this.#slowAt = slowAt
    this.#silentSince = startedAt
  }

  progressed(): void {
    this.#silentSince = this.#owner.now()
  }

  accepts(): boolean {
    const response = this.response()
    this.release()
    return this.#pooled.accepts(response)
  }

  ended(): void {
    this.#owner.answered(this.#pooled)
  }

  failed(failure: ConnectionFailure, isStale: boolean): void {
    this.release()
    if (isStale && this.#pooled.isRead) this.#owner.repeat(this.#pooled)
    else this.#pooled.failed(failure)
  }

  sweep(now: number): void {
    if (this.#isOverdue(now)) this.end(this.#connection.isOpen ? 'timeout' : 'connect')
    else if (now >= this.#slowAt) this.#slowAt = this.#pooled.slow(now)
  }

  #isOverdue(now: number): boolean {
    const { bounds } = this.#owner
    const silentMs = now - this.#silentSince
    if (!this.#connection.isOpen) return silentMs > bounds.connectMs
    return (
      silentMs > (this.#connection.hasBegun ? bounds.idleMs : bounds.firstByteMs) ||
      now > this.#pooled.deadlineAt
    )
  }

  /** Ends it, and with it its connection. */
  end(failure: SendFailure): void {
    this.#connection.abandon(this)
    this.release()
    this.#pooled.failed(failure)
  }
}
