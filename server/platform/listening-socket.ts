import { dlopen, ptr } from 'bun:ffi'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** An instruction of the kernel's filter language: code, where to jump when true and when false, a constant. See `linux/filter.h`. */
export type FilterInstruction = readonly [code: number, jumpTrue: number, jumpFalse: number, constant: number]

/** The codes that are used here. */
export const filterCodes = { loadByte: 0x30, jumpIfAnyBit: 0x45, returnConstant: 0x06 } as const

/** Drops what begins a connection, so that it is tried again a second later. The first byte is that of the TCP header, whose 14th has the flags. */
export const dropBeginnings: readonly FilterInstruction[] = [
  [filterCodes.loadByte, 0, 0, 13],
  [filterCodes.jumpIfAnyBit, 0, 1, 0x02],
  [filterCodes.returnConstant, 0, 0, 0],
  [filterCodes.returnConstant, 0, 0, 0xffff_ffff],
]

/** The socket on which a server of Bun listens, for what Bun has no function for; see tcp(7) and socket(7). */
export interface ListeningSocket {
  /** Accepts connections when they are made; Bun has them accepted once something was sent on them. */
  acceptAtOnce(): void
  /** Attaches a filter program: to this socket, or (`SO_ATTACH_REUSEPORT_CBPF`) to all that share its port. */
  attach(to: 'socket' | 'port', program: readonly FilterInstruction[]): void
  /** From now on connections are refused, while those that were accepted go on: `server.stop()` would end idle ones, too. */
  close(): void
}

/** Numbers of options, from asm-generic/socket.h and linux/tcp.h; the same on x64 and arm64. */
const socketLevel = 1
const attachFilter = { socket: 26, port: 51 } as const
const tcpLevel = 6
const deferAccept = 9

/**
 * Returns the socket of this process that listens on a port. Throws where the system is not Linux with the GNU libc, as
 * its functions do when the system refuses something.
 */
export function listeningSocketOf(port: number): ListeningSocket {
  const descriptor = listeningDescriptor(port)
  if (descriptor === null) throw new Error('the listening socket was not found')
  const { symbols } = dlopen('libc.so.6', {
    setsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'u32'], returns: 'i32' },
    dup2: { args: ['i32', 'i32'], returns: 'i32' },
  })

  function setOption(level: number, option: number, value: ArrayBuffer): void {
    if (symbols.setsockopt(descriptor, level, option, ptr(value), value.byteLength) !== 0) throw refused()
  }

  return {
    acceptAtOnce: () => setOption(tcpLevel, deferAccept, new ArrayBuffer(4)),
    attach(to, instructions) {
      // struct sock_filter: code (16 bits), two jumps (8 bits each), a constant (32 bits).
      const filter = new DataView(new ArrayBuffer(8 * instructions.length))
      for (const [place, [code, jumpTrue, jumpFalse, constant]] of instructions.entries()) {
        filter.setUint16(8 * place, code, true)
        filter.setUint8(8 * place + 2, jumpTrue)
        filter.setUint8(8 * place + 3, jumpFalse)
        filter.setUint32(8 * place + 4, constant, true)
      }
      // struct sock_fprog: length (16 bits, padded), address of the filter.
      const program = new DataView(new ArrayBuffer(16))
      program.setUint16(0, instructions.length, true)
      program.setBigUint64(8, BigInt(ptr(filter.buffer)), true)
      setOption(socketLevel, attachFilter[to], program.buffer)
    },
    close() {
      // Bun closes the descriptor later by its number, which must not be another file's by then.
      const nothing = openSync('/dev/null', 'r')
      const result = symbols.dup2(nothing, descriptor)
      closeSync(nothing)
      if (result < 0) throw refused()
    },
  }
}

const refused = (): Error => new Error('the system refused it')

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
