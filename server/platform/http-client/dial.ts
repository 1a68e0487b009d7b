import { EgressError, isUnreachable } from '../egress/failure.ts'
import type { Connection } from './connection.ts'

/** The destination of a connection, besides its address. */
export interface DialTarget {
  readonly port: number
  /** Null: without TLS. */
  readonly tls: TlsTarget | null
}

export interface TlsTarget {
  /** The name or address that the certificate has to be for. */
  readonly serverName: string
  /** Certificates in PEM that are trusted in place of the built-in ones. */
  readonly ca: string | undefined
}

const events = {
  data: (socket, piece) => socket.data.received(piece),
  drain: (socket) => socket.data.drained(),
  close: (socket) => socket.data.lost(),
  end: (socket) => socket.data.lost(),
  error: (socket) => socket.data.lost(),
} as const satisfies Bun.SocketHandler<Connection>

const plainEvents: Bun.SocketHandler<Connection> = { ...events, open: (socket) => socket.data.opened(socket) }

/** One protocol in the wire format of RFC 7301: its length and its name. */
const http11 = '\x08http/1.1'

/**
 * Opens the socket of a connection to the first of the addresses that can be reached, and to no other. Resolves to that
 * address when the connection can carry an exchange; rejects with an error of the platform, after which nothing can have
 * been sent.
 */
export async function dial(
  connection: Connection,
  addresses: readonly string[],
  to: DialTarget,
): Promise<string> {
  let failure: unknown = new EgressError('CONNECT')
  for (const address of addresses) {
    try {
      await (to.tls === null
        ? Bun.connect({ hostname: address, port: to.port, data: connection, socket: plainEvents })
        : dialTls(connection, address, to.port, to.tls))
      return address
    } catch (error) {
      failure = error
      if (!isUnreachable(error)) break
    }
  }
  throw failure
}

async function dialTls(
  connection: Connection,
  hostname: string,
  port: number,
  tls: TlsTarget,
): Promise<void> {
  const { promise: secured, resolve, reject } = Promise.withResolvers<void>()
  let isSecured = false
  const lost = (): void => {
    if (isSecured) connection.lost()
    else reject(platformError('ECONNRESET'))
  }
  const socket: Bun.SocketHandler<Connection> = {
    ...events,
    open(opened) {
      if (connection.isClosed) opened.terminate()
    },
    handshake(opened, isDone, error) {
      // All three say the same today; whoever relied on one of them would depend on the runtime's next release.
      isSecured = isDone && error === null && opened.authorized
      connection.certificateExpiresAt = expiryOf(opened)
      if (isSecured) {
        resolve()
        connection.opened(opened)
      } else {
        reject(error ?? platformError('ERR_TLS_CERT_REJECTED'))
        opened.terminate()
      }
    },
    close: lost,
    end: lost,
    error: lost,
  }
  const { serverName, ca } = tls
  const options = {
    rejectUnauthorized: true,
    serverName,
    ALPNProtocols: http11,
    ...(ca === undefined ? {} : { ca }),
  }
  await Promise.all([Bun.connect({ hostname, port, data: connection, socket, tls: options }), secured])
}

/** An unreadable certificate has no end that is known. */
function expiryOf(socket: Bun.Socket<Connection>): number | null {
  const until = Date.parse(socket.getPeerCertificate()?.valid_to ?? '')
  return Number.isNaN(until) ? null : Math.floor(until / 1000)
}

const platformError = (code: string): Error => Object.assign(new Error(code), { code })
