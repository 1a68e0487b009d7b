import { callBounds } from '../../../shared/call-settings.ts'

/** A connection that has become a WebSocket, as those who serve it see it. */
export interface OpenSocket {
  /** Who reads so slowly that too much waits is cut off, and what waits is dropped. */
  send(text: string): void
  /** `reason`: at most 123 bytes. */
  close(code: CloseCode, reason: string): void
}

/** Serves one WebSocket. */
export interface SocketUser {
  opened(socket: OpenSocket): void
  received(text: string): void
  closed(): void
}

/** RFC 6455 section 7.4.1, and the registry of the IANA. */
export const closeCodes = {
  goingAway: 1001,
  policy: 1008,
  internal: 1011,
  restart: 1012,
  tryAgainLater: 1013,
} as const
export type CloseCode = (typeof closeCodes)[keyof typeof closeCodes]

/** A longer message ends the connection with 1009: no endpoint takes a longer one, and each has a bound of its own. */
const messageBytes = callBounds.bodyBytes.most
/** The most bytes that wait for a slow reader besides long messages; when there are more, it is cut off at the next message to it. */
const unreadBytes = 4_194_304
/** A message of this length is an answer that was asked for, and takes its time with everybody. */
const longBytes = 1_048_576
/** So much of long messages may wait besides, and one alone as long as it is. */
const longUnreadBytes = 33_554_432
/** Only so that Bun never decides: it would cut off whoever is sent two words while a long answer is on its way. */
const bunUnreadBytes = 2_147_483_647
/** Half of this after the last sign of life the other side is pinged. */
const silenceSec = 60

const utf8 = new TextDecoder()

/** What Bun returns for a message that has to wait. */
const waits = -1

class SlowlyReadSocket implements OpenSocket {
  readonly #socket: Bun.ServerWebSocket<SocketUser>
  #isBehind = false
  /** How many of the bytes that wait may be those of long messages. */
  #longUnread = 0

  constructor(socket: Bun.ServerWebSocket<SocketUser>) {
    this.#socket = socket
  }

  /**
   * A close code with a reason would stand behind all that waits, which would have to be kept for somebody who does not
   * read it.
   */
  send(text: string): void {
    if (this.#isBehind && this.#isTooFarBehind()) this.#socket.terminate()
    else if (this.#socket.send(text) === waits) this.#wait(text)
  }

  close(code: CloseCode, reason: string): void {
    this.#socket.close(code, reason)
  }

  #isTooFarBehind(): boolean {
    const unread = this.#socket.getBufferedAmount()
    this.#isBehind = unread > 0
    this.#longUnread = Math.min(this.#longUnread, unread)
    return unread > unreadBytes + this.#longUnread
  }

  #wait(text: string): void {
    this.#isBehind = true
    const bytes = text.length > longBytes / 3 ? Buffer.byteLength(text) : 0
    if (bytes < longBytes) return
    this.#longUnread = Math.max(bytes, Math.min(this.#longUnread + bytes, longUnreadBytes))
  }
}

/** All WebSockets of the server, which are those of the relay: whoever upgraded the request serves it. */
export const webSocketHandlers: Bun.WebSocketHandler<SocketUser> = {
  maxPayloadLength: messageBytes,
  backpressureLimit: bunUnreadBytes,
  closeOnBackpressureLimit: true,
  idleTimeout: silenceSec,
  sendPings: true,
  perMessageDeflate: false, // a message is as long as it looks
  open: (socket) => socket.data.opened(new SlowlyReadSocket(socket)),
  message: (socket, message) =>
    socket.data.received(typeof message === 'string' ? message : utf8.decode(message)),
  close: (socket) => socket.data.closed(),
}

export const isUpgrade = (request: Request): boolean =>
  request.method === 'GET' && request.headers.get('upgrade')?.toLowerCase() === 'websocket'
