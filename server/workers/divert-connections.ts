import { dlopen, ptr } from 'bun:ffi'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

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
  const descriptor = listeningDescriptor(port)
  if (descriptor === null) throw new Error('the listening socket was not found')
  const { symbols, close } = dlopen('libc.so.6', {
    setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
  })
  // struct sock_filter: code (16 bits), two jumps, a constant (32 bits).
  const filter = new DataView(new ArrayBuffer(8))
  filter.setUint16(0, returnConstant, true)
  filter.setUint32(4, listeners - 1, true)
  // struct sock_fprog: length (16 bits, padded), address of the filter.
  const program = new DataView(new ArrayBuffer(16))
  program.setUint16(0, 1, true)
  program.setBigUint64(8, BigInt(ptr(filter.buffer)), true)
  const result = symbols.setsockopt(
    descriptor,
    solSocket,
    attachFilter,
    ptr(program.buffer),
    program.byteLength,
  )
  close()
  if (result !== 0) throw new Error('the system refused it')
}

/** From linux/filter.h and asm-generic/socket.h; the same on x64 and arm64. */
const returnConstant = 0x06
const solSocket = 1
const attachFilter = 51

/** The state LISTEN in /proc/net/tcp. */
const listening = '0A'

function listeningDescriptor(port: number): number | null {
  const inodes = new Set(['tcp', 'tcp6'].flatMap((table) => listeningInodes(table, port)))
  const descriptor = readdirSync('/proc/self/fd').find((name) => inodes.has(socketInode(name)))
  return descriptor === undefined ? null : Number(descriptor)
}

function listeningInodes(table: string, port: number): string[] {
  const [, ...rows] = readFileSync(`/proc/self/net/${table}`, 'utf8').trimEnd().split('\n')
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/)
    return state === listening && Number.parseInt(local.split(':')[1] ?? '', 16) === port ? [inode] : []
  })
}

/** Nothing for what is no socket, or was closed meanwhile. */
function socketInode(descriptor: string): string {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/self/fd/${descriptor}`))?.[1] ?? ''
  } catch {
    return ''
  }
}
