import type { Clock } from '../../platform/clock.ts'
import type { ByteBudget, HttpAnswer } from './answer-parser.ts'
import { createBurst } from './burst.ts'
import { Connection, type ConnectionBounds } from './connection.ts'
import type { Exchange, Sender } from './exchange.ts'

/** Opens the socket of a connection, and tells the connection what becomes of it. */
export type Dial = (connection: Connection) => void

export interface PoolBounds extends ConnectionBounds {
  readonly connections: number
  /** Exchanges that wait for a connection; those beyond fail as `busy`. */
  readonly waiting: number
}

export interface PoolOptions {
  readonly dial: Dial
  /** Request line and headers, up to the number of the content length. */
  readonly head: string
  readonly bounds: PoolBounds
  readonly budget: ByteBudget
  readonly clock: Clock
}

/** Up to so many exchanges nothing is gathered: the end of the turn would only come later for the few that wait. */
const fewExchanges = 2

interface Answered {
  readonly exchange: Exchange
  readonly answer: HttpAnswer
}

/** The keep-alive connections to one upstream. */
export function createConnectionPool({ dial, head, bounds, budget, clock }: PoolOptions): Sender {
  const connections = new Set<Connection>()
  const free: Connection[] = []
  const waiting: Exchange[] = []
  let isClosed = false

  function open(exchange: Exchange): void {
    const connection = new Connection(owner, head, bounds, budget)
    connections.add(connection)
    connection.carry(exchange)
    dial(connection)
  }

  /** Reads take the connection that was used last; others a new one, as a free one may have been closed just now. */
  function send(exchange: Exchange): void {
    if (isClosed) return exchange.failed('stopped')
    const reused = exchange.isRead ? free.pop() : undefined
    if (reused !== undefined) return reused.carry(exchange)
    if (connections.size >= bounds.connections) free.shift()?.fail('closed')
    if (connections.size < bounds.connections) return open(exchange)
    if (waiting.length >= bounds.waiting) return exchange.failed('busy')
    waiting.push(exchange)
  }

  /** There is room for one that waits. */
  function sendNext(): void {
    const next = waiting.shift()
    if (next !== undefined) send(next)
  }

  const hasFew = (): boolean => connections.size - free.length <= fewExchanges
  const sendSoon = createBurst((connection: Connection) => connection.sendNow())
  const answerSoon = createBurst(({ exchange, answer }: Answered) => exchange.answered(answer))

  const owner = {
    now: clock.monotonic,
    wantsToSend(connection: Connection): void {
      if (hasFew()) connection.sendNow()
      else sendSoon(connection)
    },
    passOn(exchange: Exchange, answer: HttpAnswer): void {
      if (hasFew()) exchange.answered(answer)
      else answerSoon({ exchange, answer })
    },
    becameFree(connection: Connection): void {
      free.push(connection)
      sendNext()
    },
    ended(connection: Connection, lost: Exchange | null): void {
      connections.delete(connection)
      const place = free.indexOf(connection)
      if (place >= 0) free.splice(place, 1)
      // On a new connection: whatever closed this one has most likely closed the free ones, too.
      if (lost !== null && !isClosed) open(lost)
      else lost?.failed('stopped')
      sendNext()
    },
  }

  function dropOverdue(now: number): void {
    for (let place = waiting.length - 1; place >= 0; place--) {
      const exchange = waiting[place]
      if (exchange === undefined || now - exchange.startedAt <= bounds.connectMs) continue
      waiting.splice(place, 1)
      exchange.failed('busy')
    }
  }

  return {
    send,
    sweep(now) {
      for (const connection of connections) connection.sweep(now)
      if (waiting.length > 0) dropOverdue(now)
    },
    get inFlight() {
      return connections.size - free.length + waiting.length
    },
    close() {
      isClosed = true
      for (const exchange of waiting.splice(0)) exchange.failed('stopped')
      for (const connection of connections) connection.fail('stopped')
    },
  }
}
