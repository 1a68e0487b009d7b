import { isIP } from 'node:net'

import { type CheckedTarget, EgressError } from '../egress.ts'
import { sendableHeaders } from './sendable-headers.ts'

/** An open WebSocket to a server of somebody else. */
export interface DialledSocket {
  send(text: string): void
  /** Calls `ended` of its listener, as any other end does. */
  close(): void
}

/** The addresses to which a WebSocket may be opened. */
type DialTarget = Pick<CheckedTarget, 'addresses' | 'port'>

/** Receives the messages and the end of a WebSocket. */
export interface SocketListener {
  received(text: string): void
  /** Is called once, and last. */
  ended(): void
}

/** Bun's WebSocket: the compiler knows the one of browsers (lib.dom). */
const BunWebSocket = WebSocket as unknown as new (url: string, options: Bun.WebSocketOptions) => Bun.WebSocket

export interface DialOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Returns the addresses that the egress guard allows. Rejects with an `EgressError`. */
  readonly resolve: (url: string) => Promise<DialTarget>
  readonly connectMs: number
  readonly heartbeatMs: number
  readonly maxChars: number
  /** The certificates in PEM that are trusted in place of the built-in ones. */
  readonly ca?: string
}

/** Resolves to null when the server cannot be reached, may not be reached, or speaks no WebSocket. */
export async function dialWebSocket(
  options: DialOptions,
  listener: SocketListener,
): Promise<DialledSocket | null> {
  const target = await checkedTarget(options)
  for (const address of target?.addresses ?? []) {
    const socket = await openAt(address, target?.port ?? 0, options)
    if (socket !== null) return keepOpen(socket, options, listener)
  }
  return null
}

async function checkedTarget({ url, resolve }: DialOptions): Promise<DialTarget | null> {
  try {
    return await resolve(url.replace(/^ws/, 'http'))
  } catch (error) {
    if (error instanceof EgressError) return null
    throw error
  }
}

/** Dials the address that was checked, with the configured name in Host and SNI, so that no name is resolved again. */
async function openAt(address: string, port: number, options: DialOptions): Promise<Bun.WebSocket | null> {
  const { protocol, host, hostname, pathname, search } = new URL(options.url)
  const at = address.includes(':') ? `[${address}]` : address
  const isNamed = isIP(hostname.replace(/^\[|\]$/g, '')) === 0
  const socket = new BunWebSocket(`${protocol}//${at}:${port}${pathname}${search}`, {
    headers: { ...sendableHeaders(options.headers), host },
    perMessageDeflate: false, // So a message is as long as it looks.
    tls: {
      rejectUnauthorized: true,
      ...(isNamed && { serverName: hostname }),
      ...(options.ca !== undefined && { ca: options.ca }),
    },
  })
  const opened = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => opened.resolve(false), options.connectMs)
  socket.addEventListener('open', () => opened.resolve(true))
  socket.addEventListener('close', () => opened.resolve(false))
  const isOpen = await opened.promise
  clearTimeout(timer)
  if (isOpen) return socket
  socket.terminate()
  return null
}

/** Pings the server, because a connection can be lost without a sign, and notifications would then just not come. */
function keepOpen(
  socket: Bun.WebSocket,
  { heartbeatMs, maxChars }: DialOptions,
  listener: SocketListener,
): DialledSocket {
  let isAlive = true
  let hasEnded = false
  const heartbeat = setInterval(() => {
    if (!isAlive) return end()
    isAlive = false
    socket.ping()
  }, heartbeatMs)

  function end(): void {
    if (hasEnded) return
    hasEnded = true
    clearInterval(heartbeat)
    socket.terminate()
    listener.ended()
  }

  const alive = (): void => {
    isAlive = true
  }
  socket.addEventListener('pong', alive)
  socket.addEventListener('message', ({ data }) => {
    alive()
    if (hasEnded) return
    if (typeof data !== 'string' || data.length > maxChars) end()
    else listener.received(data)
  })
  socket.addEventListener('close', end)
  if (socket.readyState !== WebSocket.OPEN) queueMicrotask(end)
  return {
    send: (text) => void socket.send(text),
    close: end,
  }
}
