import { connect, createServer } from 'node:net'
import type { Socket } from 'node:net'

import { listenOnLoopback } from './listen-on-loopback.ts'

/** What is wrong with a connection, in both directions. Everything left out is as it should be. */
export interface TcpFaults {
  /** Delay of every chunk. */
  latencyMs?: number
  /** Random addition to the delay. */
  jitterMs?: number
  bytesPerSec?: number
  /** Chunks are cut into pieces of this many bytes. */
  sliceBytes?: number
  /** Nothing arrives any more, and nobody says so, until the faults change. */
  blackHole?: boolean
  /** New connections are reset as soon as they are made. */
  refuse?: boolean
  /** A direction that has carried this many bytes resets the connection. */
  resetAfterBytes?: number
  /** Share of chunks (0 to 1) in which one byte is altered. */
  corruptShare?: number
}

export interface TcpFaultProxy {
  readonly port: number
  /** Replaces all faults, for open connections too. */
  set(faults: TcpFaults): void
  /** Resets every open connection. */
  cut(): void
  stop(): Promise<void>
}

export interface TcpFaultProxyOptions {
  target: { host: string; port: number }
  /** Of the random faults: the same seed gives the same ones. */
  seed?: number
}

/** Listens on a free port of the loopback and passes everything on to the target, with the faults that are set. */
export async function startTcpFaultProxy({ target, seed = 1 }: TcpFaultProxyOptions): Promise<TcpFaultProxy> {
  const random = seededRandom(seed)
  const sockets = new Set<Socket>()
  let faults: TcpFaults = {}

  const server = createServer((client) => {
    if (faults.refuse) {
      client.resetAndDestroy()
      return
    }
    const upstream = connect(target)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    pipe(client, upstream, () => faults, random)
    pipe(upstream, client, () => faults, random)
  })
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }

  const port = await listenOnLoopback(server)
  return {
    port,
    set(next) {
      faults = next
    },
    cut,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      cut()
      await closed
    },
  }
}

/** One direction. Chunks wait for each other, so that delays never change their order. */
function pipe(from: Socket, to: Socket, faultsNow: () => TcpFaults, random: () => number): void {
  let carriedBytes = 0
  let queue = Promise.resolve()

  async function pass(chunk: Buffer): Promise<void> {
    while (faultsNow().blackHole && !from.destroyed) await Bun.sleep(10)
    const { latencyMs = 0, jitterMs = 0, corruptShare = 0, ...faults } = faultsNow()
    const delayMs = latencyMs + random() * jitterMs
    if (delayMs > 0) await Bun.sleep(delayMs)
    if (random() < corruptShare) alterOneByte(chunk, random)

    const sliceBytes = faults.sliceBytes ?? chunk.length
    for (let start = 0; start < chunk.length; start += sliceBytes) {
      const piece = chunk.subarray(start, start + sliceBytes)
      carriedBytes += piece.length
      if (carriedBytes > (faults.resetAfterBytes ?? Infinity)) {
        from.resetAndDestroy()
        to.resetAndDestroy()
        return
      }
      if (faults.bytesPerSec !== undefined) await Bun.sleep((piece.length / faults.bytesPerSec) * 1000)
      await write(to, piece)
    }
    from.resume()
  }

  from.on('data', (chunk: Buffer) => {
    from.pause()
    queue = queue.then(() => pass(chunk))
  })
  from.on('end', () => void queue.then(() => to.end()))
  from.on('error', () => to.destroy())
  from.on('close', () => void queue.then(() => to.destroy()))
}

/** Returns when the other side takes more, or is gone. */
function write(to: Socket, piece: Buffer): Promise<void> {
  if (to.destroyed || to.write(piece)) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      to.off('drain', done)
      to.off('close', done)
      resolve()
    }
    to.on('drain', done)
    to.on('close', done)
  })
}

function alterOneByte(chunk: Buffer, random: () => number): void {
  const index = Math.floor(random() * chunk.length)
  chunk[index] = (chunk[index] ?? 0) ^ 0x20
}

/** Numerical Recipes' linear congruential generator: good enough to choose bytes, and the same on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
