import type { Clock } from '../clock.ts'
import { untilAborted } from '../deadline.ts'
import type { Cutoff } from '../egress/cutoff.ts'
import { EgressError, notConnected } from '../egress/failure.ts'
import type { Outbound } from '../egress/outbound.ts'
import type { Received } from '../egress/received.ts'
import { Connection, type ConnectionOwner } from './connection.ts'
import { dial, type DialTarget } from './dial.ts'
import { requestBytes } from './request-bytes.ts'
import { StreamedResponse } from './streamed-response.ts'

/** The destination of one request. */
export interface HttpTarget extends DialTarget {
  /** The addresses, in the order in which they are tried. */
  readonly addresses: readonly string[]
  /** The path with its query. */
  readonly path: string
  /** Connections are shared by requests of one partition only. It is kept as part of a key: it must be no secret. */
  readonly partition: string
  /** Whether no kept connection will do. It is kept afterwards all the same. */
  readonly onNewConnection?: boolean
}

/**
 * HTTP/1.1 over sockets of our own, with TLS or without. The platform's `fetch` hands each exchange to another thread and
 * back, which takes longer than the exchange itself where the peer is near, and shares its connections between all
 * callers. What could do something twice is never sent again.
 */
export interface HttpClient {
  /**
   * The response, its body as a whole where it came in one piece. Rejects with an error of the platform where nothing
   * was reached, with an `EgressError`, and with what cut it short.
   */
  send(target: HttpTarget, outbound: Outbound, cutoff: Cutoff): Promise<Received>
  close(): void
}

/** Servers commonly close what was idle for 5 s: a request must not meet the closing on its way. */
const keptMs = 4_000
/** Idle connections of one partition to one place, and of all. */
const maxKept = 32
const maxKeptInAll = 512

export function createHttpClient(clock: Clock): HttpClient {
  /** Free connections by destination; the one that was used last is at the end. */
  const kept = new Map<string, Connection[]>()
  const places = new WeakMap<Connection, string>()
  let keptInAll = 0
  let sweeping: ReturnType<typeof setTimeout> | null = null
  let isClosed = false

  const owner: ConnectionOwner = {
    wantsToSend: (connection) => connection.sendNow(),
    becameFree(connection) {
      const place = places.get(connection) ?? ''
      const here = kept.get(place) ?? []
      if (isClosed || here.length >= maxKept || keptInAll >= maxKeptInAll) return connection.close()
      connection.freeSince = clock.monotonic()
      kept.set(place, here)
      here.push(connection)
      keptInAll++
      sweeping ??= setTimeout(sweep, keptMs).unref()
    },
    closed: forget,
  }

  function forget(connection: Connection): void {
    const place = places.get(connection) ?? ''
    const here = kept.get(place) ?? []
    const at = here.lastIndexOf(connection)
    if (at < 0) return
    here.splice(at, 1)
    keptInAll--
    if (here.length === 0) kept.delete(place)
  }

  function take(place: string): Connection | null {
    const connection = kept.get(place)?.at(-1)
    if (connection === undefined) return null
    const isFresh = clock.monotonic() - connection.freeSince < keptMs
    if (isFresh) forget(connection)
    else connection.close() // and all before it are older
    return isFresh ? connection : null
  }

  function sweep(): void {
    sweeping = null
    const before = clock.monotonic() - keptMs
    for (const connection of [...kept.values()].flat()) if (connection.freeSince <= before) connection.close()
    if (keptInAll > 0) sweeping = setTimeout(sweep, keptMs).unref()
  }

  async function open(target: HttpTarget, cutoff: Cutoff): Promise<Connection> {
    if (isClosed) throw new EgressError('CONNECT')
    const connection = new Connection(owner)
    try {
      const address = await untilAborted(dial(connection, target.addresses, target), cutoff.signal)
      places.set(connection, placeOf(target, address))
    } catch (error) {
      connection.close() // and with it the socket, if there is one yet
      const isTimeout = error instanceof EgressError && error.code === 'TIMEOUT'
      throw isTimeout ? new EgressError('TIMEOUT', notConnected) : error
    }
    return connection
  }

  return {
    async send(target, outbound, cutoff) {
      const { method } = outbound
      const request = requestBytes(target.path, outbound)
      for (const address of target.onNewConnection === true ? [] : target.addresses) {
        const used = take(placeOf(target, address))
        if (used === null) continue
        const exchange = new StreamedResponse(used, request, cutoff)
        try {
          return await exchange.send()
        } catch (error) {
          if (!exchange.isStale || (method !== 'GET' && method !== 'HEAD')) throw error
        }
        break
      }
      return new StreamedResponse(await open(target, cutoff), request, cutoff).send()
    },
    close() {
      isClosed = true
      if (sweeping !== null) clearTimeout(sweeping)
      for (const connection of [...kept.values()].flat()) connection.close()
    },
  }
}

const placeOf = ({ port, tls, partition }: HttpTarget, address: string): string =>
  `${address} ${port} ${tls?.serverName ?? ''} ${partition}`
