import type { CheckedTarget } from '../../platform/egress.ts'
import { EgressError } from '../../platform/egress.ts'
import type { Connection } from './connection.ts'
import type { Dial } from './connection-pool.ts'

const handlers: Bun.SocketHandler<Connection> = {
  open: (socket) => socket.data.opened(socket),
  data: (socket, piece) => socket.data.received(piece),
  drain: (socket) => socket.data.drained(),
  close: (socket) => socket.data.closed(),
  end: (socket) => socket.data.closed(),
  error: (socket) => socket.data.closed(),
}

/**
 * Dials where the guard of all outbound requests says that one may: names are resolved and checked anew for each
 * connection, and the address that was checked is the one that is dialled.
 */
export function createDial(resolve: () => Promise<CheckedTarget>): Dial {
  async function connect(connection: Connection): Promise<void> {
    const { addresses, port } = await resolve()
    for (const hostname of addresses) {
      if (await isConnected(connection, hostname, port)) return
    }
    connection.fail('connect')
  }

  return (connection) => {
    connect(connection).catch((error: unknown) =>
      connection.fail(error instanceof EgressError ? 'refused-address' : 'connect'),
    )
  }
}

async function isConnected(connection: Connection, hostname: string, port: number): Promise<boolean> {
  try {
    await Bun.connect({ hostname, port, data: connection, socket: handlers })
    return true
  } catch {
    return false
  }
}
