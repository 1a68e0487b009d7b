import { argv, exit } from 'node:process'

/**
 * A program that floods a server on loopback: as many connections as it is told send so many requests each without
 * waiting for answers, again every 200 ms, and a closed connection is opened anew. It ends after the time it is told.
 * Arguments: path, port, connections, requests of a connection, seconds.
 */
const [port = 0, connections = 0, depth = 0, seconds = 0] = argv.slice(3).map(Number)
const path = argv[2] ?? '/'
const burst = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(depth))

const open = new Set<{ write(data: Uint8Array): number }>()

async function flood(): Promise<void> {
  await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open(socket) {
        open.add(socket)
        socket.write(burst)
      },
      data() {},
      close(socket) {
        open.delete(socket)
        void flood()
      },
      error() {},
    },
  }).catch(() => {})
}

await Promise.all(Array.from({ length: connections }, flood))
setInterval(() => {
  for (const socket of open) socket.write(burst)
}, 200)
setTimeout(() => exit(0), seconds * 1_000)
