/** A connection that has become a WebSocket, as those who serve it see it. */
export interface OpenSocket {
  /** What is not read in time is dropped, and the connection with it. */
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

/** A longer message ends the connection with 1009. */
const messageBytes = 1_048_576
/** The most bytes that wait for a slow reader; when there are more, its connection is closed at the next message to it. */
const unreadBytes = 4_194_304
/** Half of this after the last sign of life the other side is pinged. */
const silenceSec = 60

const utf8 = new TextDecoder()

/** All WebSockets of the server: whoever upgraded the request serves it. */
export const webSocketHandlers: Bun.WebSocketHandler<SocketUser> = {
  maxPayloadLength: messageBytes,
  backpressureLimit: unreadBytes,
  closeOnBackpressureLimit: true,
  idleTimeout: silenceSec,
  sendPings: true,
  perMessageDeflate: false, // a message is as long as it looks
  open: (socket) =>
    socket.data.opened({
      send: (text) => void socket.send(text),
      close: (code, reason) => socket.close(code, reason),
    }),
  message: (socket, message) =>
    socket.data.received(typeof message === 'string' ? message : utf8.decode(message)),
  close: (socket) => socket.data.closed(),
}

export const isUpgrade = (request: Request): boolean =>
  request.method === 'GET' && request.headers.get('upgrade')?.toLowerCase() === 'websocket'
