import { filterCodes, listeningSocketOf } from '../platform/listening-socket.ts'

/**
 * Sends all new connections of a port to the newest of the processes that listen there, until one of them is gone.
 *
 * Linux gives each connection to one of the sockets of a port (`SO_REUSEPORT`), by a hash, and resets those that a closed
 * socket had not accepted yet: one for each worker that was replaced under 7,000 connections a second. A program of the
 * kernel's filter language may choose the socket instead (socket(7), `SO_ATTACH_REUSEPORT_CBPF`): this one returns the place
 * of the newest. When a socket has left, there is none at that place any more, and the hash is back. The sysctl
 * `net.ipv4.tcp_migrate_req` would do as well, but only root may set it.
 */
export function divertConnections(port: number, listeners: number): void {
  listeningSocketOf(port).attach('port', [[filterCodes.returnConstant, 0, 0, listeners - 1]])
}
