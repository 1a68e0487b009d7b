import { EgressError } from '../egress/failure.ts'
import type { Connection } from './connection.ts'
import { firstReached } from './first-reached.ts'

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

/** The connection that a socket carries; null for one that carries none yet, or is not needed. */
type Carried = Connection | null

const events = {
  data: (socket, piece) => socket.data?.received(piece),
  drain: (socket) => socket.data?.drained(),
  close: (socket) => socket.data?.lost(),
  end: (socket) => socket.data?.lost(),
  error: (socket) => socket.data?.lost(),
} as const satisfies Bun.SocketHandler<Carried>

/** One protocol in the wire format of RFC 7301: its length and its name. */
const http11 = '\x08http/1.1'

/** The next address is tried when none was reached for so long (RFC 8305, section 5). */
const nextAddressAfterMs = 250

/**
 * Opens the socket of a connection to the one of the addresses that is reached first, and to no other. Resolves to that
 * address when the connection can carry an exchange; rejects with an error of the platform, after which nothing can have
 * been sent.
 */
export async function dial(
  connection: Connection,
  addresses: readonly string[],
  to: DialTarget,
): Promise<string> {
  if (addresses.length === 0) throw new EgressError('CONNECT')
  return await firstReached(
    addresses,
    async (address, isFirst) => {
      // Nobody waits for it any more.
      if (connection.isClosed) throw platformError('ECONNABORTED')
      await (to.tls === null
        ? dialPlain(connection, address, to.port, isFirst)
        : dialTls(connection, address, to.port, { ...to.tls, isFirst }))
    },
    (next) => {
      const timer = setTimeout(next, nextAddressAfterMs)
      return () => clearTimeout(timer)
    },
  )
}

async function dialPlain(
  connection: Connection,
  hostname: string,
  port: number,
  isFirst: () => boolean,
): Promise<void> {
  const socket: Bun.SocketHandler<Carried> = {
    ...events,
    open(opened) {
      if (!isFirst()) return void opened.terminate()
      opened.data = connection
      connection.opened(opened)
    },
  }
  await Bun.connect({ hostname, port, data: null, socket })
}

async function dialTls(
  connection: Connection,
  hostname: string,
  port: number,
  { serverName, ca, isFirst }: TlsTarget & { readonly isFirst: () => boolean },
): Promise<void> {
  const { promise: secured, resolve, reject } = Promise.withResolvers<void>()
  let isSecured = false
  const lost = (): void => {
    if (isSecured) connection.lost()
    else reject(platformError('ECONNRESET'))
  }
  const socket: Bun.SocketHandler<Carried> = {
    ...events,
    open(opened) {
      if (connection.isClosed || !isFirst()) opened.terminate()
    },
    handshake(opened, isDone, error) {
      // All three say the same today; whoever relied on one of them would depend on the runtime's next release.
      isSecured = isDone && error === null && opened.authorized
      if (isSecured) {
        resolve()
        connection.certificateExpiresAt = expiryOf(opened)
        opened.data = connection
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
  const options = {
    rejectUnauthorized: true,
    serverName,
    ALPNProtocols: http11,
    ...(ca === undefined ? {} : { ca }),
  }
  await Promise.all([Bun.connect({ hostname, port, data: null, socket, tls: options }), secured])
}

/** An unreadable certificate has no end that is known. */
function expiryOf(socket: Bun.Socket<Carried>): number | null {
  const until = Date.parse(socket.getPeerCertificate()?.valid_to ?? '')
  return Number.isNaN(until) ? null : Math.floor(until / 1000)
}

const platformError = (code: string): Error => Object.assign(new Error(code), { code })
