import type { Clock } from '../../clock.ts'
import { type Cutoff, untilAborted } from '../cutoff.ts'
import type { Outbound } from '../outbound.ts'
import type { Received } from '../received.ts'
import type { Target } from '../target.ts'
import { Connection, isStale } from './connection.ts'
import { requestBytes } from './request-bytes.ts'

/**
 * HTTP/1.1 without TLS over sockets of our own. The platform's `fetch` hands each exchange to another thread and back,
 * which takes longer than the exchange itself where the peer is near. What could do something twice is never sent
 * again.
 */
export interface PlainHttp {
  /**
   * The answer, its body as a whole where it came in one piece. Rejects with an error of the platform where nothing was
   * reached, with an `EgressError`, and with what cut it short.
   */
  send(target: Target, address: string, outbound: Outbound, cutoff: Cutoff): Promise<Received>
  close(): void
}

/** Servers commonly close what was idle for 5 s: a request must not meet the closing on its way. */
const keptMs = 4_000
/** Connections that are kept to one place. */
const maxKept = 32

interface Kept {
  readonly connection: Connection
  readonly since: number
}

const handlers: Bun.SocketHandler<Connection> = {
  open: (socket) => socket.data.opened(socket),
  data: (socket, piece) => socket.data.received(piece),
  drain: (socket) => socket.data.drained(),
  close: (socket) => socket.data.lost(),
  end: (socket) => socket.data.lost(),
  error: (socket) => socket.data.lost(),
}

export function createPlainHttp(clock: Clock): PlainHttp {
  /** By address and port; the one that was used last is at the end. */
  const kept = new Map<string, Kept[]>()
  let sweeping: ReturnType<typeof setTimeout> | null = null
  let isClosed = false

  const isFresh = ({ connection, since }: Kept): boolean =>
    !connection.isClosed && clock.monotonic() - since < keptMs

  function take(place: string): Connection | null {
    const last = kept.get(place)?.pop()
    if (last === undefined) return null
    if (isFresh(last)) return last.connection
    last.connection.close() // and all before it are older
    return null
  }

  function keep(place: string, connection: Connection): void {
    const here = kept.get(place) ?? []
    if (isClosed || here.length >= maxKept) return connection.close()
    kept.set(place, here)
    here.push({ connection, since: clock.monotonic() })
    sweepLater()
  }

  function sweepLater(): void {
    sweeping ??= setTimeout(sweep, keptMs).unref()
  }

  function sweep(): void {
    sweeping = null
    for (const [place, here] of kept) {
      const fresh = here.filter(isFresh)
      for (const each of here) if (!fresh.includes(each)) each.connection.close()
      if (fresh.length === 0) kept.delete(place)
      else kept.set(place, fresh)
    }
    if (kept.size > 0) sweepLater()
  }

  async function open(hostname: string, port: number, cutoff: Cutoff): Promise<Connection> {
    const connection = new Connection(() => keep(`${hostname} ${port}`, connection))
    try {
      await untilAborted(Bun.connect({ hostname, port, data: connection, socket: handlers }), cutoff.signal)
    } catch (error) {
      connection.close() // and with it the socket, if there is one yet
      throw error
    }
    return connection
  }

  return {
    async send({ path, port }, address, outbound, cutoff) {
      const { method } = outbound
      const request = requestBytes(path, outbound)
      const used = take(`${address} ${port}`)
      if (used !== null) {
        const answered = used.send(request, cutoff)
        if (method !== 'GET' && method !== 'HEAD') return answered
        try {
          return await answered
        } catch (error) {
          if (!isStale(error)) throw error
        }
      }
      const connection = await open(address, port, cutoff)
      if (isClosed) connection.close()
      return connection.send(request, cutoff)
    },
    close() {
      isClosed = true
      if (sweeping !== null) clearTimeout(sweeping)
      for (const { connection } of [...kept.values()].flat()) connection.close()
      kept.clear()
    },
  }
}
