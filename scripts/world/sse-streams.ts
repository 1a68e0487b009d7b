import { readFileSync } from 'node:fs'

import { type ChildProcess, startChild } from './child-process.ts'
import { waitUntil } from './wait-until.ts'
import type { GatehouseProcess } from './gatehouse-process.ts'

/** Event streams of the gateway that are open, over sockets of their own: hundreds cost this process next to nothing. */
export interface OpenStreams {
  /** As a client that crashes: nothing is said. */
  abort(): void
}

/** Opens so many, and returns when each has told where to post messages. */
export async function openStreams(url: string, count: number): Promise<OpenStreams> {
  const streams: Stream[] = []
  // All at once would be more than the server's queue of new connections takes.
  for (let left = count; left > 0; left -= atOnce) {
    streams.push(
      ...(await Promise.all(Array.from({ length: Math.min(left, atOnce) }, () => openStream(url)))),
    )
  }
  return {
    abort() {
      for (const stream of streams) stream.terminate()
    },
  }
}

const atOnce = 100

interface Stream {
  terminate(): void
}

async function openStream(url: string): Promise<Stream> {
  const { hostname, port, host } = new URL(url)
  const { promise: isOpen, resolve, reject } = Promise.withResolvers<void>()
  let text = ''
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (opened) =>
        void opened.write(`GET /sse HTTP/1.1\r\nhost: ${host}\r\naccept: text/event-stream\r\n\r\n`),
      data(_, chunk) {
        if (text.includes(greeting)) return
        text += chunk.toString()
        if (text.includes(greeting)) resolve()
      },
      error: (_, error) => reject(error),
      close: () => reject(new Error(`the stream was closed: ${text}`)),
    },
  })
  await isOpen
  return socket
}

const greeting = 'event: endpoint'

/** A client of one stream as a process of its own, which can be killed. */
export async function startStreamingClient(url: string): Promise<ChildProcess> {
  const script = `const { body } = await fetch('${url}/sse'); for await (const _ of body) console.log('open')`
  const client = startChild([process.execPath, '-e', script])
  await waitUntil('the client has a stream', () => client.output().includes('open'))
  return client
}

/** Ms from the death of a client until the server has no stream any more. */
export async function msUntilNoticed(server: GatehouseProcess, client: ChildProcess): Promise<number> {
  const before = performance.now()
  const dying = client.stop()
  await untilNoStream(server)
  const tookMs = performance.now() - before
  await dying
  return tookMs
}

export const untilNoStream = (server: GatehouseProcess): Promise<void> =>
  waitUntil('no stream is open', async () => (await openCount(server)) === 0)

export const openCount = (server: GatehouseProcess): Promise<number> => server.metric('gateway_sessions')

/** Resident size of a process. Linux only. */
export function residentMb(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  if (kilobytes === undefined) throw new Error(`process ${pid} has no resident size`)
  return Number(kilobytes) / 1024
}
