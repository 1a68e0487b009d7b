import type { Clock } from '../clock.ts'
import { EgressError, toEgressError } from '../egress/failure.ts'
import type { ByteBudget } from './buffered-response.ts'
import { createBurst } from './burst.ts'
import type { Connection } from './connection.ts'
import { dial, type DialTarget } from './dial.ts'
import {
  type PoolBounds,
  type PooledRequest,
  type PoolOfConnection,
  type SendFailure,
  PooledConnection,
} from './pooled-connection.ts'

export interface PoolOptions {
  /** Names are resolved and checked anew for each connection. Rejects with an `EgressError`. */
  readonly resolve: () => Promise<DialTarget & { readonly addresses: readonly string[] }>
  readonly head: PoolOfConnection['head']
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
  const connections = new Set<PooledConnection>()
  const free: PooledConnection[] = []
  const waiting: PooledRequest[] = []
  let isClosed = false
  let followAt = 0

  async function connect(pooled: PooledConnection): Promise<void> {
    try {
      const target = await resolve()
      pooled.address = await dial(pooled.connection, target.addresses, target)
    } catch (error) {
      pooled.end(dialFailureOf(error))
    }
  }

  /** Where the name cannot be resolved, connections go on: it may be the resolver that is away. */
  async function follow(): Promise<void> {
    let addresses: readonly string[] = []
    try {
      addresses = (await resolve()).addresses
    } catch (error) {
      if (!(error instanceof EgressError) || error.code !== 'ADDRESS') return
    }
    for (const pooled of connections)
      if (pooled.address !== null && !addresses.includes(pooled.address)) pooled.retire()
  }

  function open(request: PooledRequest): void {
    const pooled = new PooledConnection(pool)
    connections.add(pooled)
    pooled.carry(request)
    void connect(pooled)
  }

  /** Reads take the connection that was used last; others a new one, as a free one may have been closed just now. */
  function send(request: PooledRequest): void {
    if (isClosed) return request.failed('stopped')
    const reused = request.isRead ? free.pop() : undefined
    if (reused !== undefined) return reused.carry(request)
    if (connections.size >= bounds.connections) free[0]?.connection.close()
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

  const pool: PoolOfConnection = {
    head,
    bounds,
    budget,
    now: clock.monotonic,
    wantsToSend(connection) {
      if (hasFew()) connection.sendNow()
      else sendSoon(connection)
    },
    becameFree(pooled) {
      free.push(pooled)
      sendNext()
    },
    closed(pooled) {
      connections.delete(pooled)
      const place = free.indexOf(pooled)
      if (place >= 0) free.splice(place, 1)
      sendNext()
    },
    /** On a new connection: whatever closed the last one has most likely closed the free ones, too. */
    repeat(request) {
      if (isClosed) request.failed('stopped')
      else open(request)
    },
    answered(request) {
      if (connections.size - free.length <= fewRequests + 1) request.answered()
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
      for (const pooled of connections) pooled.sweep(now)
      if (waiting.length > 0) dropOverdue(now)
      if (connections.size === 0 || now < followAt) return
      followAt = now + bounds.followMs
      void follow()
    },
    get inFlight() {
      return connections.size - free.length + waiting.length
    },
    close() {
      isClosed = true
      for (const request of waiting.splice(0)) request.failed('stopped')
      for (const pooled of connections) pooled.end('stopped')
    },
  }
}

function dialFailureOf(error: unknown): SendFailure {
  if (error instanceof EgressError) return 'refused-address'
  return toEgressError(error).code === 'TLS' ? 'certificate' : 'connect'
}
