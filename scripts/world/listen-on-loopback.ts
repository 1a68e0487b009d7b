import type { Server } from 'node:net'

/**
 * Lets the server listen on 127.0.0.1 (or another address of the loopback), on `port` or, without one, on a free one, and
 * returns the port. Rejects when it is taken.
 */
export function listenOnLoopback(server: Server, port = 0, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const address = server.address()
      if (address && typeof address === 'object') resolve(address.port)
      else reject(new Error('no port was given'))
    })
  })
}
